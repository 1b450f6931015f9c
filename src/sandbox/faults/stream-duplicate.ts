import type { Fault } from './fault.ts';
import { share } from './words.ts';

export const streamDuplicate: Fault = {
  says: 'The stream sends this share of its events (default all) twice in a row.',
  parameters: '[:SHARE]',
  target: 'stream',
  read(words) {
    const most = share(words);
    if ('problem' in most) return most;
    return ({ next, random }) => {
      const outcome = next();
      if (outcome.kind !== 'stream') return outcome;
      const events = outcome.events.flatMap((told) => (random.next() < most.value ? [told, told] : [told]));
      return { ...outcome, events };
    };
  },
};
