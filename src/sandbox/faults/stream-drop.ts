import type { StreamDelivery } from '../replies.ts';
import { type Fault, withDelivery } from './fault.ts';
import { streamChanges } from './strikes.ts';
import { wholeNumber } from './words.ts';

export const streamDrop: Fault = {
  says: 'The stream is cut without a close frame after this many events (default a random number, never all).',
  parameters: '[:EVENTS]',
  target: 'stream',
  read(words) {
    const events = wholeNumber(words, undefined, 0, 1_000);
    if ('problem' in events) return events;
    return streamChanges((stream, random) => {
      const cut: StreamDelivery = { cutAfter: events.value ?? random.integer(stream.events.length) };
      return withDelivery(stream, cut);
    });
  },
};
