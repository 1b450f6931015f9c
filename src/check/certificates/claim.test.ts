import { describe, expect, it } from 'vitest';
import type { Arcs, OverAdmission, WrongfulRefusal } from './certificate.ts';
import { claimOf } from './claim.ts';

const W = 60_000_000;
const common = {
  max: 20,
  windowUs: W,
  limit: 'rate',
  scope: {},
  counts: 'all',
  fromUs: 0,
  toUs: 0,
  claim: '',
} as const;

const over = (members: Partial<OverAdmission>): string =>
  claimOf({
    ...common,
    because: 'over-admission',
    rule: 'sliding-log-n-plus-1',
    reading: 'sliding-log',
    spanUs: 1_500_000,
    observed: 21,
    possible: 20,
    exchanges: [],
    ...members,
  });
const refusal = (members: Partial<WrongfulRefusal>): string =>
  claimOf({
    ...common,
    because: 'wrongful-refusal',
    rule: 'wrongful-refusal-last-window',
    reading: 'fixed-window-aligned',
    refusal: 7,
    lookBackUs: W,
    observed: 3,
    needed: 20,
    exchanges: [],
    ...members,
  });
const TWENTY_ONE = Array.from({ length: 21 }, (_, seq) => seq);
const arcs = (says: readonly string[], members: Partial<Arcs> = {}): string =>
  claimOf({
    ...common,
    because: 'inconsistent',
    rule: 'fixed-window-arcs',
    reading: 'fixed-window',
    arcs: says.map((one) => ({ says: one, exchanges: TWENTY_ONE })) as unknown as Arcs['arcs'],
    exchanges: [],
    ...members,
  });

describe('what a certificate claims', () => {
  it.each<[Partial<OverAdmission>, string]>([
    [{}, '21 requests were admitted within 1.5 s; no sliding log of 20 per 60 s admits more than 20'],
    [
      { observed: 2_001, possible: 2_000, max: 1_000 },
      '2,001 requests were admitted within 1.5 s; no sliding log of 1,000 per 60 s admits more than 2,000',
    ],
    [
      { reading: 'every', spanUs: 9_999_400 },
      '21 requests were admitted within 10 s; no reading of 20 per 60 s admits more than 20',
    ],
    [
      { reading: 'every', spanUs: 99_500 },
      '21 requests were admitted within 0.1 s; no reading of 20 per 60 s admits more than 20',
    ],
    [
      { reading: 'every', spanUs: 10_049_000, windowUs: 500_000 },
      '21 requests were admitted within 10.1 s; no reading of 20 per 0.5 s admits more than 20',
    ],
    [
      { rule: 'fixed-window-anchored-since', reading: 'fixed-window-anchored' },
      '21 requests were admitted before the end of the first window, counted from the first request; no fixed window anchored of 20 per 60 s admits more than 20 by then',
    ],
    [
      { rule: 'fixed-window-anchored-since', reading: 'fixed-window-anchored', possible: 40, observed: 41 },
      '41 requests were admitted before the end of the first 2 windows, counted from the first request; no fixed window anchored of 20 per 60 s admits more than 40 by then',
    ],
    [
      { rule: 'fixed-window-anchored-chain', reading: 'fixed-window-anchored' },
      '21 requests were admitted in one window, which began with its first request; no fixed window anchored of 20 per 60 s admits more than 20',
    ],
    [
      { rule: 'fixed-window-anchored-fit', reading: 'fixed-window-anchored' },
      '21 requests were admitted, the first of which began a window; wherever the next windows began, no fixed window anchored of 20 per 60 s admits all of them',
    ],
    [
      {
        rule: 'fixed-window-penalty-block',
        because: 'inconsistent',
        observed: 3,
        exchanges: [5, 7, 9],
        reading: 'fixed-window-penalty',
      },
      'request 7 was refused after request 5 had been admitted, and request 9 was admitted less than a window after the first refusal that there can have been since; no fixed window penalty of 20 per 60 s admits a request so soon',
    ],
    [
      { rule: 'sliding-log-attempts', reading: 'sliding-log-counting-refused' },
      'a request was admitted although 20 attempts, refused ones included, were made within 1.5 s before it; no sliding log counting refused of 20 per 60 s admits a request after 20',
    ],
    [
      { limit: 'concurrency', max: 2, observed: 3, possible: 2, reading: 'accepted-to-finished' },
      '3 turns certainly held a slot at the same time; with 2 at once, counted from acceptance to the end of the turn, at most 2 can',
    ],
    [
      { limit: 'concurrency', max: 2, observed: 3, possible: 2, reading: 'processing-only' },
      '3 turns certainly held a slot at the same time; with 2 at once, counted while the turn is in process, at most 2 can',
    ],
    [
      { limit: 'daily', max: 50, observed: 51, possible: 50, reading: 'utc', spanUs: 3_600_000_000 },
      '51 new messages were accepted within 1 h; with 50 a day, counted from 00:00 UTC, at most 50 of them can be',
    ],
    [
      { limit: 'daily', max: 50, observed: 51, possible: 50, reading: 'utc', spanUs: 3_600_000_001 },
      '51 new messages were accepted within 1 h 1 s; with 50 a day, counted from 00:00 UTC, at most 50 of them can be',
    ],
    [
      { limit: 'daily', max: 50, observed: 51, possible: 50, reading: 'utc', spanUs: 2_513_400 },
      '51 new messages were accepted within 2.514 s; with 50 a day, counted from 00:00 UTC, at most 50 of them can be',
    ],
    [
      { limit: 'daily', max: 1, observed: 2, possible: 1, reading: 'utc', spanUs: 100_000_000 },
      '2 new messages were accepted within 1 min 40 s; with 1 a day, counted from 00:00 UTC, at most 1 of them can be',
    ],
    [
      { limit: 'daily', max: 50, observed: 51, possible: 50, reading: 'token-timezone', spanUs: 3_600_000_000 },
      '51 new messages were accepted within 1 h; with 50 a day, counted from midnight in any time zone, at most 50 of them can be',
    ],
    [
      { rule: 'first-use-day-chain', limit: 'daily', max: 50, observed: 51, possible: 50, reading: 'first-use' },
      '51 new messages were accepted on one day, which began with the first message after the previous day; with 50 a day, counted for 24 hours from the first, at most 50 can be',
    ],
    [
      { limit: 'daily', max: 50, observed: 151, possible: 150, reading: 'every', spanUs: 3_600_000_000 },
      '151 new messages were accepted within 1 h; with 50 a day, counted in any way, at most 150 of them can be',
    ],
  ])('of too many: %j', (members, claim) => {
    expect(over(members)).toBe(claim);
  });

  it.each<[Partial<WrongfulRefusal>, string]>([
    [
      {},
      'request 7 was refused although at most 3 can have counted in the 60 s before it; a fixed window aligned of 20 per 60 s refuses from 20 on',
    ],
    [
      { lookBackUs: W + 99_999 },
      'request 7 was refused although at most 3 can have counted in the 60 s before it; a fixed window aligned of 20 per 60 s refuses from 20 on',
    ],
    [
      { lookBackUs: Number.POSITIVE_INFINITY, reading: 'every' },
      'request 7 was refused although at most 3 can have counted before it; any reading of 20 per 60 s refuses from 20 on',
    ],
    [
      { rule: 'universal-refusal', reading: 'every', lookBackUs: 2 * W, needed: 18 },
      'request 7 was refused although at most 3 can have counted in the 120 s before it, refused ones included, or before any refusal that may have blocked it; no reading of 20 per 60 s refuses a request before 18 have counted',
    ],
    [
      { rule: 'wrongful-first-refusal', reading: 'sliding-log-counting-refused' },
      'request 7 was refused although at most 3 can have counted in the 60 s before it, refused ones aside, or before any refusal that may have led to it; a sliding log counting refused of 20 per 60 s refuses from 20 on',
    ],
    [
      { rule: 'wrongful-first-refusal-of-two-windows', reading: 'every', lookBackUs: 2 * W },
      'request 7 was refused although at most 3 can have counted in the 120 s before it, refused ones aside, or before any refusal that may have led to it; any reading of 20 per 60 s refuses from 20 on',
    ],
    ...(['wrongful-refusal-token-bucket', 'wrongful-refusal-interval-refill'] as const).map(
      (rule): [Partial<WrongfulRefusal>, string] => [
        { rule, reading: 'token-bucket' },
        'request 7 was refused although at most 3 of the 20 tokens can have been missing; a token bucket of 20 per 60 s refuses only when none is left',
      ],
    ),
    ...(['wrongful-refusal-anchored', 'wrongful-refusal-anchored-penalty'] as const).map(
      (rule): [Partial<WrongfulRefusal>, string] => [
        { rule, reading: 'fixed-window-penalty' },
        `request 7 was refused although at most 3 can have counted in the current window${rule.endsWith('penalty') ? ', or before any refusal that may have blocked it' : ''}; a fixed window penalty of 20 per 60 s refuses from 20 on`,
      ],
    ),
    [
      { limit: 'concurrency', max: 2, needed: 2, observed: 1, reading: 'processing-only' },
      'message 7 was refused while at most 1 turn can have held a slot; 2 at once, counted while the turn is in process, refuses from 2 on',
    ],
    [
      { limit: 'daily', max: 50, needed: 50, reading: 'first-use' },
      'message 7 was refused although at most 3 new messages can have counted; 50 a day, counted for 24 hours from the first, refuses from 50 on',
    ],
    [
      { rule: 'wrongful-refusal-first-use-day', limit: 'daily', max: 50, needed: 50, reading: 'first-use' },
      'message 7 was refused although at most 3 new messages can have counted on its day, which began with the first message after the previous day; 50 a day, counted for 24 hours from the first, refuses from 50 on',
    ],
    [
      { limit: 'daily', max: 50, needed: 50, reading: 'rolling' },
      'message 7 was refused although at most 3 new messages can have counted; 50 a day, counted over any 24 hours, refuses from 50 on',
    ],
  ])('of a refusal: %j', (members, claim) => {
    expect(refusal(members)).toBe(claim);
  });

  it('of windows: what it rests on', () => {
    const [burst, refused, aligned] = ['boundary-within', 'no-boundary-within', 'aligned'];
    const end = ': no fixed window of 20 per 60 s behaves so';
    expect(arcs([burst, burst])).toBe(
      `no position of windows of 60 s agrees with 2 bursts of more than 20 admitted${end}`,
    );
    expect(arcs([refused])).toBe(`no position of windows of 60 s agrees with 1 refusal${end}`);
    expect(arcs([refused, refused, burst])).toBe(
      `no position of windows of 60 s agrees with 1 burst of more than 20 admitted and 2 refusals${end}`,
    );
    const overfull = 'overfull-with-boundary-within';
    const counter = { reading: 'sliding-counter', rule: 'sliding-counter-arcs' } as const;
    expect(arcs([overfull, overfull, refused], counter)).toBe(
      'no position of windows of 60 s agrees with 2 windows with too many admitted and 1 refusal: no sliding counter of 20 per 60 s behaves so',
    );
    expect(arcs([overfull], counter)).toContain('agrees with 1 window with too many admitted:');
    const two = { says: burst, exchanges: [...TWENTY_ONE, ...Array.from({ length: 20 }, (_, i) => i + 21)] };
    expect(arcs([], { arcs: [two, { ...two, exchanges: TWENTY_ONE }] as unknown as Arcs['arcs'] })).toBe(
      `no position of windows of 60 s agrees with 1 burst of more than 20 admitted and 1 stretch of windows with more than 20 each admitted on average${end}`,
    );
    expect(arcs([aligned, burst], { reading: 'fixed-window-aligned' })).toBe(
      "no position of windows of 60 s agrees with 1 burst of more than 20 admitted and the service's clock: no fixed window aligned of 20 per 60 s behaves so",
    );
  });
});
