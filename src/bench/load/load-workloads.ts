import type { TransportChoice } from '../../api/index.ts';
import type { ScenarioInput } from '../../scenario/index.ts';

/** Profile of the benchmarks: limits that never apply. */
const profile = (connections: number, transport: TransportChoice) => ({
  name: 'bench',
  limits: { rate: { max: 50_000_000 }, concurrency: { max: 1_000_000_000 }, daily: { max: 1_000_000_000 } },
  client: { connections, transport, deadline: '10s' },
});

const message = 'What is open on Sunday, in the town of Lausanne?';
const second = (seconds: number) => `${seconds}s` as const;

/** One operation in a closed loop: messages with new ids; the turn is read from each answer. */
export const closedLoop = (
  seconds: number,
  connections: number,
  transport: TransportChoice = 'auto',
): ScenarioInput => ({
  name: 'closed-loop',
  profile: profile(connections, transport),
  users: connections,
  journeys: {
    send: {
      steps: [{ createConversation: {} }, { repeat: { times: 1_000_000, steps: [{ sendMessage: { message } }] } }],
    },
  },
  load: { model: 'closed-users', users: connections, duration: second(seconds) },
  deadline: second(seconds),
});

/**
 * A whole journey: token, conversation, message, and polls until the turn is completed. Each value comes from the previous answer.
 * @param users if there are more users than connections, most requests wait for a connection
 */
export const scripted = (seconds: number, connections: number, users = connections): ScenarioInput => ({
  name: 'scripted-journey',
  profile: profile(connections, 'auto'),
  users,
  journeys: {
    ask: {
      steps: [
        { issueToken: {} },
        { createConversation: {} },
        { sendMessage: { message } },
        { followTurn: { by: 'poll', interval: '1ms', maxInterval: '1ms' } },
      ],
    },
  },
  load: { model: 'closed-users', users, duration: second(seconds) },
  deadline: second(seconds),
});

/** Arrivals at a constant rate, with one message each. */
export const paced = (seconds: number, perSecond: number, connections: number): ScenarioInput => ({
  name: 'paced',
  profile: profile(connections, 'auto'),
  users: 50,
  variables: { conversation: '0190a1b2-0000-4000-8000-000000000001' },
  journeys: { send: { steps: [{ sendMessage: { message, conversation: '${vars.conversation}' } }] } },
  load: { model: 'constant-rate', rate: `${perSecond}/s`, duration: second(seconds) },
});

/** The request of the other generators: same headers, and a body of the same length. */
export const peerRequest = {
  path: '/api/partners/v1/conversations/0190a1b2-0000-4000-8000-000000000001/messages',
  body: JSON.stringify({ client_message_id: '0190a1b2-0000-8000-8000-000000000003', message: `${message} [01234567]` }),
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: 'Bearer token-0190a1b2-0000-4000-8000-000000000004',
  },
} as const;
