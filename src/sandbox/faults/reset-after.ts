import { type Fault, without } from './fault.ts';
import { silenced } from './silenced.ts';

export const resetAfter: Fault = {
  says: 'Decided; the answer is lost and the connection reset.',
  parameters: '',
  target: 'request',
  read: without(({ next }) => silenced(next(), 'reset')),
};
