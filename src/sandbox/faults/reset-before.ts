import { type Fault, without } from './fault.ts';

export const resetBefore: Fault = {
  says: 'The request is not processed; the connection is reset.',
  parameters: '',
  target: 'request',
  read: without(() => ({ kind: 'silence', ending: 'reset', decided: false })),
};
