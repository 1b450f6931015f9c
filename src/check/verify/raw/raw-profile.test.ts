import { describe, expect, it } from 'vitest';
import { accepted, header, us } from '../../../testing/history/sample-records.ts';
import { messageKey, settingsOf } from './raw-profile.ts';

describe('attempts at one message', () => {
  const one = accepted(1, 't1', 0, 5);
  const others = [
    { conversation: 'c2' },
    { user: 'u2' },
    { application: 'a2' },
    { message: { id: 'x', digest: 'd-t1' } },
  ];
  const shared = (profile: unknown) =>
    others.map((other) => messageKey({ profile }, { ...one, ...other }) === messageKey({ profile }, one));

  it('bear one id within what the profile says that it is unique in', () => {
    expect(shared({ idempotency: { scope: 'conversation' } })).toEqual([false, false, false, false]);
    expect(shared({ idempotency: { scope: 'user' } })).toEqual([true, false, false, false]);
    expect(shared({ idempotency: { scope: 'application' } })).toEqual([true, true, false, false]);
    for (const profile of [null, {}, { idempotency: {} }, { idempotency: { scope: 'world' } }])
      expect(shared(profile)).toEqual([false, false, false, false]);
    expect(messageKey({ profile: {} }, { ...one, token: 't9', seq: 9 })).toBe(messageKey({ profile: {} }, one));
  });
});

it.each([
  [undefined, undefined, 0, 0],
  [300, 250, 300_000, 250_000],
  ['300ms', '250ms', 300_000, Number.POSITIVE_INFINITY],
  [null, null, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [-1, -1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['soon', {}, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])(
  'times of a foreign header that cannot be read may be any: %j, %j',
  (releaseGrace, staleFor, toleranceUs, staleUs) => {
    const profile = {
      limits: { concurrency: releaseGrace === undefined ? {} : { releaseGrace } },
      turns: staleFor === undefined ? {} : { staleFor },
    };
    const clock = { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(0) };
    const history = { header: header({ profile, clock }), timeline: { stepUs: 0 } };
    expect(settingsOf(history as never)).toMatchObject({ toleranceUs, staleUs });
  },
);
