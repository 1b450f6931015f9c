import { describe, expect, it } from 'vitest';
import type { TargetProfile } from '../api/index.ts';
import { loadedFrom } from '../testing/virtual.ts';
import { journalHeader } from './header.ts';

describe('the first line of a journal', () => {
  it('has the number of workers if there are several, and the drift of a clock that is not the sandbox’s', () => {
    const loaded = loadedFrom({
      profile: { clock: { driftPpm: 200, granularity: '1s' } },
      journeys: { a: { steps: [{ createConversation: {} }] } },
      load: { model: 'burst', count: 1 },
    });
    const header = (embedded: boolean, workers?: number) =>
      journalHeader(loaded, { runId: 'r1', startedAt: '2026-11-21T12:00:00.000Z', embedded }, workers);
    expect([header(true, 2).workers, header(true, 1).workers, header(true).workers]).toEqual([2, undefined, undefined]);
    expect([header(true), header(false)].map(({ clock }) => [clock.driftPpm, clock.granularityUs])).toEqual([
      [0, 0],
      [200, 1_000_000],
    ]);
  });

  it('has the addresses of the profile, without user names and passwords', () => {
    const loaded = loadedFrom({
      profile: {
        baseUrl: 'https://api.example/base',
        client: { proxy: 'http://puser:hunter2@proxy.example:3128' },
      },
      journeys: { a: { steps: [{ createConversation: {} }] } },
      load: { model: 'burst', count: 1 },
    });
    const header = journalHeader(loaded, { runId: 'r1', startedAt: '2026-11-21T12:00:00.000Z', embedded: false });
    expect(JSON.stringify(header)).not.toMatch(/hunter2|puser/);
    expect(header.profile).toMatchObject({
      baseUrl: 'https://api.example/base',
      client: { proxy: 'http://proxy.example:3128' },
    });
  });

  it('marks what the profile leaves out as unknown, except for the embedded sandbox, which follows the defaults', () => {
    const loaded = loadedFrom({
      profile: {
        limits: { rate: { reading: 'sliding-log' }, concurrency: { scope: 'user' }, daily: { scopeKnown: true } },
      },
      journeys: { a: { steps: [{ createConversation: {} }] } },
      load: { model: 'burst', count: 1 },
    });
    const limitsIn = (embedded: boolean) => {
      const { profile } = journalHeader(loaded, { runId: 'r1', startedAt: '2026-11-21T12:00:00.000Z', embedded });
      const { rate, concurrency, daily } = (profile as TargetProfile).limits;
      return [
        [rate.scope, rate.scopeKnown, rate.countsKnown, rate.countsReplays],
        [concurrency.scope, concurrency.scopeKnown],
        [daily.scope, daily.scopeKnown],
      ];
    };
    const namesIn = (embedded: boolean) => {
      const { profile } = journalHeader(loaded, { runId: 'r1', startedAt: '2026-11-21T12:00:00.000Z', embedded });
      const { history, idempotency, limitOrder } = profile as TargetProfile;
      return [history.limitParameter, history.offsetParameter, idempotency.scope, limitOrder?.join()];
    };
    expect(namesIn(false)).toEqual([undefined, undefined, undefined, undefined]);
    expect(namesIn(true)).toEqual(['limit', 'offset', 'conversation', 'rate,daily,concurrency']);
    expect(limitsIn(false)).toEqual([
      ['application', false, false, undefined],
      ['user', undefined],
      ['application', true],
    ]);
    expect(limitsIn(true)).toEqual([
      ['application', undefined, undefined, true],
      ['user', undefined],
      ['application', true],
    ]);
  });

  it('names the order in which the embedded sandbox checks its limits, unless the profile declares another', () => {
    const orderOf = (profile: object) => {
      const loaded = loadedFrom({
        profile,
        sandbox: { limits: { order: ['concurrency', 'daily', 'rate'] } },
        journeys: { a: { steps: [{ createConversation: {} }] } },
        load: { model: 'burst', count: 1 },
      });
      const header = journalHeader(loaded, { runId: 'r1', startedAt: '2026-11-21T12:00:00.000Z', embedded: true });
      return (header.profile as TargetProfile).limitOrder?.join();
    };
    expect(orderOf({})).toBe('concurrency,daily,rate');
    expect(orderOf({ limitOrder: ['daily', 'rate', 'concurrency'] })).toBe('daily,rate,concurrency');
  });

  it('says only for the first of several rounds that limits are unused, except for the sandbox, which is new for each', () => {
    const loaded = loadedFrom({
      profile: { flushed: { rate: true, daily: true } },
      journeys: { a: { steps: [{ createConversation: {} }] } },
      load: { model: 'burst', count: 1 },
    });
    const flushed = (number: number, side: 'base' | 'candidate', embedded = false) =>
      journalHeader(loaded, {
        runId: 'r1',
        startedAt: '2026-11-21T12:00:00.000Z',
        embedded,
        round: { number, of: 2, side },
      }).flushed;
    const nothing = { rate: false, concurrency: false, daily: false };
    expect(flushed(1, 'base')).toEqual({ rate: true, concurrency: false, daily: true });
    expect([flushed(1, 'candidate'), flushed(2, 'base')]).toEqual([nothing, nothing]);
    expect(flushed(2, 'base', true)).toEqual({ rate: true, concurrency: true, daily: true });
  });

  it('has a digest of the plan, which differs with what is sent and when, not with the seed', () => {
    const planOf = (more: object) => {
      const loaded = loadedFrom({
        journeys: { a: { steps: [{ createConversation: {} }] } },
        load: { model: 'burst', count: 1 },
        ...more,
      });
      return journalHeader(loaded, { runId: 'r1', startedAt: '2026-11-21T12:00:00.000Z', embedded: true }).plan;
    };
    expect(planOf({ seed: 7, tokens: {} })).toBe(planOf({}));
    const others = [
      { tokens: { timezone: 'Asia/Tokyo' } },
      { tokens: { locale: 'ja-JP' } },
      { users: 2 },
      { caps: { inFlight: 1 } },
      { deadline: '1min' },
      { gracefulStop: '1s' },
      { onRefused: 'continue' },
      { onError: 'continue' },
      { journeys: { a: { steps: [{ createConversation: {} }, { readHistory: {} }] } } },
      { load: { model: 'burst', count: 2 } },
    ];
    expect(new Set([{}, ...others].map(planOf)).size).toBe(11);
  });
});
