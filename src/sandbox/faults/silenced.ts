import type { Outcome, Silence } from '../replies.ts';

/** Loses the answer of a request that went on: decided, unless a fault further in kept it from that. */
export function silenced(outcome: Outcome, ending: Silence['ending']): Silence {
  const delayUs = outcome.delivery?.delayUs;
  return {
    kind: 'silence',
    ending,
    decided: outcome.kind !== 'silence' || outcome.decided,
    ...(delayUs !== undefined && { delivery: { delayUs } }),
  };
}
