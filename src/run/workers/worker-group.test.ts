import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshKey, realClock } from '../../base/index.ts';
import { tokenMemory } from '../../client/index.ts';
import { openJournal, readJournalSync } from '../../history/index.ts';
import { type BadService, serveBadly } from '../../testing/service.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { journalHeader } from '../header.ts';
import type { WorkerOrders } from './messages.ts';
import { startWorkers } from './worker-group.ts';

let service: BadService;
const folder = mkdtempSync(join(tmpdir(), 'spillway-test-'));
beforeAll(async () => {
  service = await serveBadly({ readHistory: () => undefined });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Orders of two workers, each with two users whose second request is never answered. @param more members of the scenario */
function ordersInto(journal: string, more: Readonly<Record<string, unknown>> = {}): readonly WorkerOrders[] {
  const loaded = loadedFrom({
    users: 4,
    profile: { client: { connections: 4, deadline: '60s' } },
    caps: { inFlight: 10 },
    journeys: { a: { steps: [{ createConversation: {} }, { readHistory: {} }] } },
    load: { model: 'burst', count: 4 },
    ...more,
  });
  const cell = (cells = 1) => new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT);
  const common = {
    workers: 2,
    loaded,
    target: {
      kind: 'remote' as const,
      baseUrl: service.url,
      credentials: new Map([['a1', { kind: 'basic' as const, clientId: 'some-client', clientSecret: 'some-secret' }]]),
      gateway: { headers: {}, secrets: [] },
      serviceRate: 1,
    },
    runId: 'r1',
    digestKey: freshKey(),
    journal,
    shares: { inFlight: cell(2), pending: cell(3), stocks: cell(0) },
    spent: cell(2),
    hadToken: cell(),
    nextDate: cell(),
    tokenMemory: tokenMemory(),
  };
  const journalFile = openJournal({ path: journal, shared: 'create', clock: realClock() });
  journalFile.write(journalHeader(loaded, { runId: 'r1', startedAt: '2026-11-21T12:00:00.000Z', embedded: false }, 2));
  journalFile.close();
  return [1, 2].map((worker) => ({ ...common, worker }));
}

describe('a group in which one worker dies', () => {
  it('stops, keeps the records of the others, and reports the cause', { timeout: 60_000 }, async () => {
    const journal = join(folder, 'dies.ndjson');
    const [first, second] = ordersInto(journal);
    if (!first || !second) throw new Error('two were ordered');
    // Memory that is too small for the counters: the worker's first request throws.
    const broken = { ...second, shares: { ...second.shares, inFlight: new SharedArrayBuffer(0) } };
    const group = await startWorkers([first, broken], () => undefined);
    try {
      group.start(realClock().origin());
      await expect(group.finished()).rejects.toThrow(/index/i);
    } finally {
      await group.end();
    }
    const records = [...readJournalSync(journal)];
    const exchanges = records.filter((record) => record.kind === 'exchange');
    expect(new Set(exchanges.map(({ worker }) => worker))).toEqual(new Set([1]));
    // Every request that was sent has an exchange, although none was answered.
    expect(exchanges).toHaveLength(records.filter(({ kind }) => kind === 'sent').length);
    expect(records.some(({ kind }) => kind === 'end')).toBe(false);
  });

  it('does not start if one cannot', { timeout: 60_000 }, async () => {
    const [first, second] = ordersInto(join(folder, 'refused.ndjson'));
    if (!first || !second) throw new Error('two were ordered');
    const nobody = { ...second, target: { ...second.target, baseUrl: 'http://127.0.0.1:1' } };
    await expect(startWorkers([first, nobody], () => undefined)).rejects.toMatchObject({
      code: 'TARGET_UNREACHABLE',
      exitCode: 12,
    });
  });
});

describe('a group in which one worker no longer answers', () => {
  it('ends when it is told to stop at once, keeps the records of the others, and says which', {
    timeout: 60_000,
  }, async () => {
    const [journal, block, flag] = ['blocked.ndjson', 'block.cjs', 'flag'].map((name) => join(folder, name));
    if (!journal || !block || !flag) throw new Error('three were named');
    writeFileSync(
      block,
      `const { workerData } = require('node:worker_threads');
       const isToBlock = () => require('node:fs').existsSync(${JSON.stringify(flag)});
       const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
       if (workerData?.worker === 2) setInterval(() => { if (isToBlock()) block(); }, 10).unref();`,
    );
    const { NODE_OPTIONS } = process.env;
    process.env.NODE_OPTIONS = `--require ${block}`;
    const group = await startWorkers(ordersInto(journal), () => undefined).finally(() => {
      process.env.NODE_OPTIONS = NODE_OPTIONS ?? '';
    });
    try {
      group.start(realClock().origin());
      const ended = group.finished().catch((error: Error) => error.message);
      await vi.waitFor(() => expect(asked(journal)).toEqual([1, 1, 2, 2]), 20_000);
      writeFileSync(flag, '');
      await sleep(100);
      group.stop(true);
      group.stop(false);
      expect(await ended).toBe('worker 2 did not hear for 5 s that it has to stop: its thread is blocked');
    } finally {
      await group.end();
    }
    const exchanges = [...readJournalSync(journal)].filter((record) => record.kind === 'exchange');
    expect(exchanges.filter(({ worker }) => worker === 1).map(({ outcome }) => outcome)).toContain('censored');
  });
});

describe('the warnings of a group', () => {
  it('say which worker is behind', { timeout: 60_000 }, async () => {
    const orders = ordersInto(join(folder, 'behind.ndjson'), {
      // Less than any machine needs to send.
      generator: { medianLag: '0.001ms' },
      journeys: { a: { steps: [{ createConversation: {} }] } },
      load: { model: 'constant-rate', rate: '40/s', duration: '60s' },
    });
    const group = await startWorkers(orders, () => undefined);
    try {
      group.start(realClock().origin());
      const behind = (worker: number) =>
        expect.stringMatching(new RegExp(`^worker ${worker}: the generator is behind: half of the last second's`));
      await vi.waitFor(() => expect(group.warnings()).toEqual([behind(1), behind(2)]), 20_000);
    } finally {
      await group.end();
    }
  });
});

describe('the warnings of a worker that is done', () => {
  it('are no longer current', { timeout: 60_000 }, async () => {
    const [first, second] = ordersInto(join(folder, 'done.ndjson'), { generator: { medianLag: '0.001ms' } });
    if (!first || !second) throw new Error('two were ordered');
    const brief = loadedFrom({
      users: 4,
      generator: { medianLag: '0.001ms' },
      journeys: { a: { steps: [{ createConversation: {} }] } },
      load: { model: 'burst', count: 4 },
    });
    const group = await startWorkers([{ ...first, loaded: brief }, second], () => undefined);
    try {
      group.start(realClock().origin());
      // The other one's second request is never answered, so it goes on.
      await vi.waitFor(() => expect(group.warnings()).toEqual([expect.stringMatching(/^worker 2: /)]), 20_000);
    } finally {
      await group.end();
    }
  });
});

describe('a group whose workers stop while the main thread stands', () => {
  it('keeps their counts: they have heard it in time, although it is read late', { timeout: 60_000 }, async () => {
    const journal = join(folder, 'stands.ndjson');
    const group = await startWorkers(ordersInto(journal), () => undefined);
    try {
      group.start(realClock().origin());
      const ended = group.finished().catch((error: Error) => error.message);
      await vi.waitFor(() => expect(asked(journal)).toEqual([1, 1, 2, 2]), 20_000);
      // After this phase of the event loop the timers come first, then the messages.
      await nextTurn();
      group.stop(false);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_200);
      expect(await ended).toMatchObject({ arrivals: 4, drops: 0 });
    } finally {
      await group.end();
    }
  });
});

/** The workers of the requests for a history, which are never answered. */
const asked = (journal: string): readonly (number | undefined)[] =>
  [...readJournalSync(journal)]
    .flatMap((record) => (record.kind === 'sent' && record.operation === 'readHistory' ? [record.worker] : []))
    .sort();
