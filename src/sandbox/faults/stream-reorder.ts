import type { Random } from '../../base/index.ts';
import type { TimedEvent } from '../replies.ts';
import type { Fault } from './fault.ts';
import { streamChanges } from './strikes.ts';
import { share } from './words.ts';

export const streamReorder: Fault = {
  says: 'The stream swaps this share of its neighbouring pairs of events (default all), the last pair included.',
  parameters: '[:SHARE]',
  target: 'stream',
  read(words) {
    const most = share(words);
    if ('problem' in most) return most;
    return streamChanges((stream, random) => ({ ...stream, events: swapped(stream.events, most.value, random) }));
  },
};

/** No event is sent before its instant: of a swapped pair, the earlier event waits for the later one. */
function swapped(events: readonly TimedEvent[], most: number, random: Random): readonly TimedEvent[] {
  const told: TimedEvent[] = [];
  // Pairs are counted from the end, so that the last event always belongs to one.
  let index = events.length % 2;
  told.push(...events.slice(0, index));
  for (; index < events.length; index += 2) {
    const [earlier, later] = events.slice(index, index + 2);
    if (!earlier || !later) break;
    if (random.next() < most) told.push(later, { ...earlier, at: later.at });
    else told.push(earlier, later);
  }
  return told;
}
