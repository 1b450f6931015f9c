import type { Outcome, Silence } from '../replies.ts';

/** Drops the answer of a request that was passed on. It counts as decided unless an inner fault prevented that. */
export function silenced(outcome: Outcome, ending: Silence['ending']): Silence {
  const delayUs = outcome.delivery?.delayUs;
  return {
    kind: 'silence',
    ending,
    decided: outcome.kind !== 'silence' || outcome.decided,
    ...(delayUs !== undefined && { delivery: { delayUs } }),
  };
}
