import { type Fault, without } from './fault.ts';
import { silenced } from './silenced.ts';

export const resetAfter: Fault = {
  says: 'The request is processed; the connection is reset instead of an answer.',
  parameters: '',
  target: 'request',
  read: without(({ next }) => silenced(next(), 'reset')),
};
