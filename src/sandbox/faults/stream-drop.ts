import type { StreamDelivery } from '../replies.ts';
import { type Fault, withDelivery } from './fault.ts';
import { wholeNumber } from './words.ts';

export const streamDrop: Fault = {
  says: 'The stream is cut without a close frame after this many events (default a random number, never all).',
  parameters: '[:EVENTS]',
  target: 'stream',
  read(words) {
    const events = wholeNumber(words, undefined, 0, 1_000);
    if ('problem' in events) return events;
    return ({ next, random }) => {
      const outcome = next();
      if (outcome.kind !== 'stream') return outcome;
      const cut: StreamDelivery = { cutAfter: events.value ?? random.integer(outcome.events.length) };
      return withDelivery(outcome, cut);
    };
  },
};
