import { bodyTravels } from './body-fault.ts';
import { type Fault, without } from './fault.ts';

export const halfAnswer: Fault = {
  says: 'Decided; the head and half of the body come, then the connection closes.',
  parameters: '',
  target: 'body',
  read: without(bodyTravels({ manner: { kind: 'half' } })),
};
