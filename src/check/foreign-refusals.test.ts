import { describe, expect, it } from 'vitest';
import type { Exchange } from '../history/index.ts';
import { us } from '../testing/history/sample-records.ts';
import { judge, renderVerdicts } from './index.ts';
import { admitted, journal, rateIn, refusal } from './rate-histories.exam.ts';

/*
 * 429s whose body is no error as the specification has it, as middlewares and gateways send them by default. They may be an
 * intermediary's and prove nothing; but nobody may be told that nothing was refused.
 */

const SECOND = 1_000_000;
const limits = (reading: string) => ({
  rate: { max: 20, windowUs: us(60 * SECOND), reading },
  concurrency: { max: 2 },
  daily: { max: 50 },
});
const { error: _, ...bare } = refusal(0, 0);
const page = (seq: number, at: number): Exchange => ({
  ...bare,
  ...{ seq, sentAt: us(at), headersAt: us(at + 10), receivedAt: us(at + 20) },
  bodyProblem: 'wrong-content-type',
});
const incomplete = (seq: number, at: number): Exchange => ({
  ...page(seq, at),
  bodyProblem: 'wrong-shape',
  error: { code: 'rate_limited', retryable: true, lacks: ['request_id'] } as unknown as NonNullable<Exchange['error']>,
});

describe.each([
  ['a page', page],
  ['an error that lacks members', incomplete],
])('refusals with %s as their body', (_, foreign) => {
  const refusals = Array.from({ length: 3 }, (_, i) => foreign(30 + i, 50 * SECOND + i));
  const all = [...admitted(20, SECOND), ...refusals];

  it('are counted, and said to be why the limit is undecided', () => {
    const verdicts = judge(journal(all));
    expect(verdicts.refusals).toMatchObject({ total: 3, attributed: { rate: 0, ambiguous: 3 }, wrongful: [] });
    expect(rateIn(verdicts)).toMatchObject({
      verdict: 'undecided',
      missing: [
        "a refusal that is certainly the service's: 3 have a body other than the specification's error (code, message, retryable, request_id), so an intermediary may have sent them (where the rate limit has such bodies, write errorCodes: { otherBodies: rate } in the profile and run again)",
      ],
    });
    expect(verdicts.limits.find(({ limit }) => limit === 'daily')).toMatchObject({
      missing: ['a refusal: the daily limit was not reached'],
    });
    expect(renderVerdicts(verdicts)).toContain('refusals: 3 (ambiguous 3)');
  });

  it('are not left out of what a limit behaves as', () => {
    const more = [...admitted(25, SECOND), ...refusals];
    const { inference } = rateIn(judge(journal(more, { limits: limits('sliding-log') })));
    expect(inference?.behaves).toBe('no refusal is certainly by this limit: it is 13 per 60 s or higher');
    const none = rateIn(judge(journal(admitted(25, SECOND), { limits: limits('sliding-log') })));
    expect(none.inference?.behaves).toBe('nothing was refused: the limit is 13 per 60 s or higher');
  });
});
