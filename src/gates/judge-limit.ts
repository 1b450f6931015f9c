import type { LimitVerdict } from '../check/index.ts';
import type { LimitGate } from '../metrics/index.ts';
import type { Judged } from './result.ts';

/**
 * Judges a limit gate by the verdicts of the runs. `held` needs one in which the limit was reached and nothing contradicts it;
 * `not violated` also passes if it was never reached.
 */
export function judgeLimit({ limit, demand }: LimitGate, verdicts: readonly (readonly LimitVerdict[])[]): Judged {
  const ours = verdicts.map((one) => one.find((verdict) => verdict.limit === limit));
  const violated = ours.find((verdict) => verdict?.verdict === 'violated');
  if (violated?.verdict === 'violated') {
    return { state: 'fail', because: `the ${limit} limit is violated: ${violated.certificate.claim}` };
  }
  if (ours.some((verdict) => verdict?.verdict === 'consistent')) {
    return { state: 'pass', because: `the ${limit} limit was reached, and nothing contradicts it` };
  }
  const missing = [...new Set(ours.flatMap((verdict) => (verdict?.verdict === 'undecided' ? verdict.missing : [])))];
  const because = `whether the ${limit} limit was kept is undecided${missing.length > 0 ? ` (missing: ${missing.join('; ')})` : ''}`;
  return { state: demand === 'not violated' ? 'pass' : 'undetermined', because };
}
