import { judge } from '../index.ts';
import { type RateService, rateJournal } from '../rate-service.exam.ts';
import type { LimitVerdict } from '../verdict.ts';
import type { Inference } from './inference.ts';

export const W = 60_000_000;
export const service: RateService = {
  max: 5,
  windowUs: W,
  pressure: 14,
  requests: 160,
  code: 'rate_limited',
  scope: 'token',
};

export function rateOf(...of: Parameters<typeof rateJournal>): LimitVerdict {
  const verdict = judge(rateJournal(...of)).limits.find(({ limit }) => limit === 'rate');
  if (!verdict) throw new Error('the rate limit was not judged');
  return verdict;
}

/** Of a limit that surely was met. */
export function inferenceOf(...of: Parameters<typeof rateJournal>): Inference {
  const { inference } = rateOf(...of);
  if (!inference) throw new Error('nothing was inferred');
  return inference;
}
