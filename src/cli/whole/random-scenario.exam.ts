import { WIDE_OPEN } from '../../testing/scenarios.ts';

export const random = `name: random
users: 7
variables: { greeting: Hello }
journeys:
  a: { steps: [createConversation: {}, sendMessage: { message: "${'${vars.greeting}'}", nonce: false }] }
  b: { weight: 2, steps: [createConversation: {}, pause: { distribution: exponential, mean: 50ms }, readHistory: {}] }
${WIDE_OPEN}
load: { model: constant-rate, rate: 20/s, duration: 3s }
`;
