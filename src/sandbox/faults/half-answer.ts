import { type Fault, without } from './fault.ts';
import { bodyTravels } from './strikes.ts';

export const halfAnswer: Fault = {
  says: 'The request is processed; the connection closes after the head and half of the body.',
  parameters: '',
  target: 'body',
  read: without(bodyTravels({ manner: { kind: 'half' } })),
};
