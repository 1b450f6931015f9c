import type { Fault } from './fault.ts';
import { streamChanges } from './strikes.ts';
import { share } from './words.ts';

export const streamDuplicate: Fault = {
  says: 'The stream sends this share of its events (default all) twice in a row.',
  parameters: '[:SHARE]',
  target: 'stream',
  read(words) {
    const most = share(words);
    if ('problem' in most) return most;
    return streamChanges((stream, random) => {
      const events = stream.events.flatMap((told) => (random.next() < most.value ? [told, told] : [told]));
      return { ...stream, events };
    });
  },
};
