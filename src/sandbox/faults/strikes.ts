import type { Random } from '../../base/index.ts';
import type { BodyDelivery, StreamAnswer } from '../replies.ts';
import { type Strike, withDelivery } from './fault.ts';

/** The request is decided. An answer with a body gets this delivery; a stream that opens is left unchanged. */
export const bodyTravels =
  (delivery: BodyDelivery): Strike =>
  ({ next }) => {
    const outcome = next();
    return outcome.kind === 'json' ? withDelivery(outcome, delivery) : outcome;
  };

/** The request is decided. A stream that opens is changed; any other answer is left unchanged. */
export const streamChanges =
  (change: (stream: StreamAnswer, random: Random) => StreamAnswer): Strike =>
  ({ next, random }) => {
    const outcome = next();
    return outcome.kind === 'stream' ? change(outcome, random) : outcome;
  };
