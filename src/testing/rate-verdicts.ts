import type { LimitVerdict } from '../check/index.ts';

const common = {
  limit: 'rate',
  declared: 'unknown',
  overAdmission: 'not-proven',
  wrongfulRefusal: 'not-proven',
  readings: [],
} as const;

const claim = '41 in a minute';

/** The three verdicts of a rate limit, with the minimum that `weigh` needs. */
export const rateVerdicts = {
  violated: {
    ...common,
    verdict: 'violated',
    because: 'over-admission',
    certificate: { claim, limit: 'rate' } as Extract<LimitVerdict, { verdict: 'violated' }>['certificate'],
  },
  consistent: { ...common, verdict: 'consistent' },
  undecided: { ...common, verdict: 'undecided', missing: ['a refusal'] },
} as const satisfies Record<string, LimitVerdict>;
