import { expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { settle } from '../config.ts';
import { CoreClient } from '../core-client.exam.ts';
import type { SavedLimits } from '../gate/index.ts';
import type { SavedState } from '../limiters/index.ts';
import type { LimitKeeper } from '../store.ts';
import { KeptLimits } from './kept-limits.ts';
import { MemoryStore } from './memory.ts';
import { PendingRecords } from './pending-records.ts';
import type { StoreFile } from './store-file.ts';

const us = (value: number): Micros => value as Micros;
const settings = { rate: '20 in 60 s' };
const stateOf = (index: number) => ({ index }) as unknown as SavedState;

/** States of one limit, of which those before `relevantFrom` have expired. */
function keeper() {
  const pending = new PendingRecords();
  const limits = new KeptLimits(pending, []);
  const cleanedAt: number[] = [];
  let count = 0;
  let relevantFrom = 0;
  limits.saved(settings);
  limits.compactWith((now) => {
    cleanedAt.push(now);
    const relevant = Array.from({ length: count - relevantFrom }, (_, index) => relevantFrom + index);
    return { rate: Object.fromEntries(relevant.map((index) => [`k${index}`, stateOf(index)])) };
  });
  return {
    cleanedAt,
    growTo(size: number) {
      for (; count < size; count++) limits.changed({ limit: 'rate', key: `k${count}`, state: stateOf(count) });
    },
    clean(now: number, expired: number) {
      relevantFrom = expired;
      limits.clean(us(now));
    },
    saved: () => limits.saved(settings),
    written() {
      const sizes: number[] = [];
      const file: Pick<StoreFile, 'write'> = { write: (put, deleted) => void sizes.push(put.length, deleted.length) };
      pending.writeTo(file as StoreFile);
      return sizes;
    },
  };
}

it('expired states of limits are deleted, also from the file, once there are 10,000; others stay', () => {
  const kept = keeper();
  kept.growTo(9_999);
  kept.clean(1, 9_998);
  expect(kept.cleanedAt).toEqual([]);
  kept.growTo(10_000);
  kept.clean(2, 9_998);
  expect(kept.cleanedAt).toEqual([2]);
  expect(kept.saved()).toEqual({ rate: { k9998: stateOf(9_998), k9999: stateOf(9_999) } });
  expect(kept.written()).toEqual([2, 9_998]);
});

it('states that are all relevant are looked through again only when there are twice as many', () => {
  const kept = keeper();
  kept.growTo(10_000);
  kept.clean(1, 0);
  kept.growTo(19_999);
  kept.clean(2, 0);
  expect(kept.cleanedAt).toEqual([1]);
  kept.growTo(20_000);
  kept.clean(3, 19_999);
  expect(kept.cleanedAt).toEqual([1, 3]);
  expect(kept.saved()).toEqual({ rate: { k19999: stateOf(19_999) } });
});

it('the service itself says which of its states are relevant', () => {
  let relevant: (now: Micros) => SavedLimits = () => ({});
  const limits: LimitKeeper = {
    saved: () => ({}),
    changed() {},
    compactWith(save) {
      relevant = save;
    },
  };
  const store = Object.assign(new MemoryStore(settle({}).retention), { limits });
  const client = new CoreClient({ limits: { rate: { name: 'minute', max: 4 }, daily: [] } }, 5, store);
  client.converse();
  const states = () => Object.keys(relevant(client.now).minute ?? {}).length;
  expect([states(), client.at(59_000) && states(), client.at(60_000) && states()]).toEqual([1, 1, 0]);
});
