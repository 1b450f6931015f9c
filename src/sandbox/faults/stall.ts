import type { Fault } from './fault.ts';
import { silenced } from './silenced.ts';
import { moment } from './words.ts';

export const stall: Fault = {
  says: 'No answer is ever sent and the connection stays open; after (default) or before processing the request.',
  parameters: '[:before|after]',
  target: 'request',
  read(words) {
    const when = moment(words, 'after');
    if ('problem' in when) return when;
    if (when.value === 'before') return () => ({ kind: 'silence', ending: 'stall', decided: false });
    return ({ next }) => silenced(next(), 'stall');
  },
};
