import type { BodyDelivery } from '../replies.ts';
import { type Strike, withDelivery } from './fault.ts';

/** Decided; the answer travels like this if it has a body, and as it is if it has none (a stream that opens). */
export const bodyTravels =
  (delivery: BodyDelivery): Strike =>
  ({ next }) => {
    const outcome = next();
    return outcome.kind === 'json' ? withDelivery(outcome, delivery) : outcome;
  };
