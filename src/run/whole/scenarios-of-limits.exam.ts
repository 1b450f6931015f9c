import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Exchange } from '../../history/index.ts';
import type { VerdictsDocument } from '../../report/index.ts';
import { expectLatenciesOfRows } from '../../testing/percentiles.ts';
import { grouped, type Results } from '../../testing/results.ts';
import { dayOf, missedTheDay } from './late-run.exam.ts';
import { inOrder, of, run, statuses } from './shipped-run.exam.ts';

const codes = (exchanges: readonly Exchange[]) => exchanges.map(({ error }) => error?.code);

/** The verdict on each limit, as the run left it. */
const verdictsOf = ({ folder }: Pick<Results, 'folder'>): Readonly<Record<string, string>> => {
  const document = JSON.parse(readFileSync(join(folder, 'verdicts.json'), 'utf8')) as VerdictsDocument;
  expect(document.proven).toEqual([]);
  return Object.fromEntries(document.limits.map(({ limit, verdict }) => [limit, verdict]));
};

export function scenariosOfLimits(): void {
  it('tour meets all three limits, and ends', async () => {
    const results = await run('tour.yaml');
    const { exchanges, journeys } = results;
    const summary = results.summary();
    expect(expectLatenciesOfRows(results)).toBeGreaterThanOrEqual(30);
    // Half a minute on a quiet machine: what it takes beyond that is the machine's.
    expect(summary.run.durationUs).toBeGreaterThan(25_000_000);
    expect(summary.run.durationUs).toBeLessThan(90_000_000);
    const { rate, concurrency, daily, unattributed } = summary.refusals.byLimit;
    expect(rate).toBeGreaterThan(0);
    expect(concurrency).toBeGreaterThan(0);
    expect(daily).toBeGreaterThan(0);
    expect(unattributed).toBe(0);
    expect(summary.refusals.total).toBe(exchanges.filter(({ status }) => status === 429).length);
    expect(summary.dailyQuota).toEqual([{ day: '2026-01-15', application: 'a1', used: 50 }]);
    expect(summary.messages.newMessages).toBe(50);
    expect(summary.turns).toMatchObject({ accepted: 50, completed: 50 });
    expect(summary.turns.open.maxCertain).toBeLessThanOrEqual(2);
    expect(journeys.filter(({ journey }) => journey === 'everyday')).toHaveLength(10);
    // What a phase is about happens in it and nowhere else.
    const journeysRefusedBy = (code: string) => [
      ...new Set(exchanges.filter(({ error }) => error?.code === code).map(({ journey }) => journey)),
    ];
    expect(journeysRefusedBy('rate_limited')).toEqual(['too-fast']);
    expect(journeysRefusedBy('concurrency_limited')).toEqual(['too-many-at-once']);
    expect(journeysRefusedBy('daily_quota_exceeded')).toEqual(['too-much-for-a-day']);
  });

  it('rate-limit-20-per-minute: 20 of each minute are admitted, whichever side of a reset, and no more', async () => {
    const { exchanges, ...results } = await run('rate-limit-20-per-minute.yaml');
    const counted = inOrder(exchanges).filter(({ operation }) => operation !== 'issueToken');
    const refused = counted.filter(({ outcome }) => outcome === 'refused');
    expect(codes(refused)).toEqual(refused.map(() => 'rate_limited'));
    // 41 at once, one that was tried again, 21 late in its minute, 32 across the reset.
    expect(counted).toHaveLength(41 + 2 + 21 + 32);
    const admitted = counted.length - refused.length;
    // In virtual time exactly 60; here the minutes begin when they do.
    expect(admitted).toBeGreaterThanOrEqual(41);
    expect(admitted).toBeLessThanOrEqual(80);
    const again = counted.filter(({ attempt }) => attempt > 1);
    expect(again.map(({ status }) => status)).toEqual([200]);
    // Retry-After counts seconds of the service's clock, ten to one of the run's.
    const asked = counted.find(({ step, attempt }) => step === again[0]?.step && attempt === 1);
    const waitedUs = (again[0]?.sentAt ?? 0) - (asked?.receivedAt ?? 0);
    expect(waitedUs).toBeGreaterThanOrEqual((Number(asked?.retryAfter) * 1_000_000) / 10);
    expect(verdictsOf(results)).toMatchObject({ rate: 'consistent' });
  });

  it('daily-quota-50: exactly 50 new messages a day, replays accepted, more refused, until midnight in UTC', async () => {
    const { exchanges, wasLate, ...results } = await run('daily-quota-50.yaml', missedTheDay);
    const messages = of(exchanges, 'sendMessage');
    expect(statuses(messages.slice(0, 2))).toEqual([404, 404]);
    const fresh = messages.slice(2).filter(({ resend }) => resend === undefined);
    const days = grouped(fresh, dayOf);
    for (const ofDay of days) expect(statuses(ofDay)).toEqual(ofDay.map((_, nth) => (nth < 50 ? 202 : 429)));
    const refused = fresh.filter(({ error }) => error?.code === 'daily_quota_exceeded');
    expect(refused).toHaveLength(fresh.filter(({ status }) => status === 429).length);
    const replays = messages.filter(({ resend }) => resend === 'same');
    expect(statuses(replays)).toEqual([202, 202]);
    expect(replays.map(({ turn }) => turn?.id)).toEqual([fresh[49]?.turn?.id, fresh[49]?.turn?.id]);
    const summary = results.summary();
    const used = days.map((ofDay) => ofDay.filter(({ status }) => status === 202).length);
    expect(summary.dailyQuota).toEqual(
      days.map((ofDay, nth) => ({ day: dayOf(ofDay[0]), application: 'a1', used: used[nth] })),
    );
    expect(summary.refusals).toMatchObject({ total: refused.length, byLimit: { daily: refused.length } });
    const newMessages = used.reduce((sum, count) => sum + count);
    expect(summary.messages).toMatchObject({ accepted: newMessages + 2, newMessages, replays: 2, unknown: 0 });
    if (wasLate) return;
    // One too many, with another token, and past midnight in Auckland; past midnight in UTC.
    expect(days.map((ofDay) => [dayOf(ofDay[0]), ofDay.length])).toEqual([
      ['2026-01-15', 53],
      ['2026-01-16', 1],
    ]);
    expect(new Set(refused.map(({ token }) => token)).size).toBe(2);
    expect(verdictsOf(results)).toMatchObject({ daily: 'consistent' });
  });

  it('two-simultaneous-processings: the third is refused, the fourth too, and a freed slot is taken again', async () => {
    const { exchanges, ...results } = await run('two-simultaneous-processings.yaml');
    const [atOnce, late] = ['at-once', 'late'].map((journey) =>
      of(exchanges, 'sendMessage').filter((exchange) => exchange.journey === journey),
    );
    const burst = (atOnce ?? []).slice(0, 3);
    expect([...statuses(burst)].sort()).toEqual([202, 202, 429]);
    expect(codes(burst).filter((code) => code !== undefined)).toEqual(['concurrency_limited']);
    // As soon as both turns are seen to be finished.
    expect(statuses((atOnce ?? []).slice(3))).toEqual([202]);
    // One too many; another, tried again under its id until it is accepted; a replay; and one into the freed slot.
    const [first, ...rest] = late ?? [];
    const others = rest.slice(0, -1);
    expect(rest.at(-1)).toMatchObject({ status: 202 });
    expect(rest.at(-1)?.resend).toBeUndefined();
    expect(first).toMatchObject({ status: 429, error: { code: 'concurrency_limited' } });
    const tried = others.filter(({ resend }) => resend === undefined);
    expect(statuses(tried.slice(0, -1))).toEqual(tried.slice(0, -1).map(() => 429));
    expect(tried.length).toBeGreaterThanOrEqual(2);
    expect(tried.at(-1)?.status).toBe(202);
    expect(new Set(tried.map(({ message }) => message?.id)).size).toBe(1);
    expect(others.at(-1)).toMatchObject({ resend: 'same', status: 202 });
    expect(others.at(-1)?.turn?.id).toBe(tried.at(-1)?.turn?.id);
    const summary = results.summary();
    expect(summary.refusals.byLimit).toMatchObject({ rate: 0, daily: 0, unattributed: 0 });
    expect(summary.turns.accepted).toBe(5);
    expect(summary.turns.open.maxCertain).toBe(2);
    expect(verdictsOf(results)).toMatchObject({ concurrency: 'consistent' });
  });

  it('steady-overload: 20 of each minute are admitted while half as many again are asked for', async () => {
    const { exchanges, ...results } = await run('steady-overload.yaml');
    const reads = of(exchanges, 'readHistory');
    expect(reads).toHaveLength(24 + 90);
    const admitted = reads.filter(({ outcome }) => outcome === 'answered');
    expect(admitted.length).toBeGreaterThanOrEqual(50);
    expect(admitted.length).toBeLessThan(100);
    expect(verdictsOf(results)).toMatchObject({ rate: 'consistent' });
  });

  it('rate-stairs: the stairs below the limit are held, those above are not, and the knee lies between', async () => {
    const { exchanges, ...results } = await run('rate-stairs.yaml');
    const { stages = [], knee } = results.summary();
    // Two minutes of the service's clock each.
    expect(stages.map(({ name, arrivals }) => [name, arrivals])).toEqual([
      ['stair-1', 2 * 8],
      ['stair-2', 2 * 16],
      ['stair-3', 2 * 24],
      ['stair-4', 2 * 32],
    ]);
    const refused = stages.map(({ byOutcome }) => byOutcome.refused);
    expect(Math.min(...refused.slice(2))).toBeGreaterThan(0);
    expect(refused.reduce((sum, count) => sum + count)).toBe(codes(exchanges).filter((code) => code).length);
    // Requests that a machine sends half a second late come together with later ones: a quarter of a minute's worth more.
    if (!results.wasSlow) {
      expect(refused.slice(0, 2)).toEqual([0, 0]);
      expect(knee).toMatchObject({ held: 'stair-2', gaveIn: 'stair-3' });
    }
    expect(verdictsOf(results)).toMatchObject({ rate: 'consistent' });
  });

  it('counted-apart: three users share the limit of their application, the other application has its own', async () => {
    const { exchanges, ...results } = await run('counted-apart.yaml');
    const admitted = (application: string) =>
      exchanges.filter(
        (exchange) =>
          exchange.application === application &&
          exchange.operation !== 'issueToken' &&
          exchange.outcome === 'answered',
      );
    // Together 20 of 45, or more where a minute begins among them.
    expect(admitted('shop').length).toBeGreaterThanOrEqual(20);
    expect(admitted('shop').length).toBeLessThanOrEqual(40);
    expect(new Set(admitted('shop').map(({ user }) => user)).size).toBeGreaterThanOrEqual(2);
    // Twenty on each side of a minute, where the minute begins between them.
    expect(admitted('office').length).toBeGreaterThanOrEqual(20);
    expect(admitted('office').length).toBeLessThanOrEqual(41);
    expect(verdictsOf(results)).toMatchObject({ rate: 'consistent' });
  });

  it('limits-side-by-side: what one limit refuses is nothing to the other', async () => {
    const { exchanges, ...results } = await run('limits-side-by-side.yaml');
    const creations = of(exchanges, 'createConversation');
    expect(creations.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(codes(creations.filter(({ status }) => status === 429))).toEqual(['rate_limited', 'rate_limited']);
    expect(statuses(of(exchanges, 'readHistory'))).toEqual(Array(13).fill(200));
    // The limit that is judged counts reads: a refused creation does not show that it was reached.
    expect(verdictsOf(results)).toMatchObject({ rate: 'undecided' });
    const { limits } = JSON.parse(readFileSync(join(results.folder, 'verdicts.json'), 'utf8')) as VerdictsDocument;
    expect(limits.find(({ limit }) => limit === 'rate')).toMatchObject({
      missing: ['a refusal of a request that the rate limit counts'],
    });
  });

  it('smallest-limits: one of each, and not one more', async () => {
    const { exchanges, ...results } = await run('smallest-limits.yaml');
    const messages = of(exchanges, 'sendMessage');
    expect(messages.filter(({ status }) => status === 202).map(({ resend }) => resend)).toEqual([undefined, 'same']);
    expect(messages.at(-1)?.error?.code).toBe('daily_quota_exceeded');
    expect(results.summary().dailyQuota.map(({ used }) => used)).toEqual([1]);
    expect(verdictsOf(results)).toMatchObject({ rate: 'consistent', daily: 'consistent' });
  });
}
