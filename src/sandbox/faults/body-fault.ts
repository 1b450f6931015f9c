import type { BodyDelivery } from '../replies.ts';
import { type Strike, withDelivery } from './fault.ts';

/** The request is decided. An answer with a body gets this delivery; a stream that opens is left unchanged. */
export const bodyTravels =
  (delivery: BodyDelivery): Strike =>
  ({ next }) => {
    const outcome = next();
    return outcome.kind === 'json' ? withDelivery(outcome, delivery) : outcome;
  };
