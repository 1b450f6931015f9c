import type { OperationId } from '../../api/index.ts';
import { type Micros, microsFromSeconds } from '../../base/index.ts';
import { settle } from '../config.ts';
import { createCore } from '../core.ts';
import { seededIds } from '../ids.ts';
import type { Outcome } from '../replies.ts';

/** The bodies of a request and its answer. */
export interface Example {
  readonly request?: unknown;
  readonly response?: unknown;
}

const conversation_id = '0c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7a01';
const requests = {
  issueToken: { external_user_id: 'user-17', locale: 'fr-CH', timezone: 'Europe/Zurich' },
  createConversation: { conversation_id, title: 'Opening hours' },
  sendMessage: { client_message_id: 'message-1', message: 'When does the library open?', location: { city: 'Geneva' } },
  rateAnswer: { rating: 'up' },
} as const;

/** Runs one journey through a seeded core at a fixed instant, so the examples are real answers of the service. */
export function examples(): Readonly<Record<OperationId, Example>> {
  const application = { label: 'example', clientId: 'client', clientSecret: 'client-secret' };
  const second = { distribution: 'constant', value: '1s' } as const;
  const config = settle({ latency: { queued: second, processing: second } });
  const core = createCore({ config, applications: [application], ids: seededIds(1) });
  let now = (Date.UTC(2026, 10, 21, 12) * 1_000) as Micros;
  let authorization = `Basic ${Buffer.from('client:client-secret').toString('base64')}`;
  const ask = (operation: OperationId, parameters: Record<string, string> = {}): Record<string, never> => {
    const value: unknown = (requests as Partial<Record<OperationId, unknown>>)[operation];
    const body = value === undefined ? ({ kind: 'absent' } as const) : ({ kind: 'json', value } as const);
    const route = { operation, parameters };
    const outcome = core.answer({ route, authorization, body, webSocket: operation === 'openStream' }, now);
    return bodyOf(operation, outcome) as Record<string, never>;
  };

  const token = ask('issueToken');
  authorization = `Bearer ${token.access_token}`;
  const conversation = ask('createConversation');
  const accepted = ask('sendMessage', { conversation_id });
  now = (now + microsFromSeconds(2)) as Micros;
  const turn = ask('readTurn', { turn_id: accepted.turn_id ?? '' });
  const message = turn.message as Record<string, string> | undefined;
  return {
    issueToken: { request: requests.issueToken, response: token },
    createConversation: { request: requests.createConversation, response: conversation },
    sendMessage: { request: requests.sendMessage, response: accepted },
    readTurn: { response: turn },
    openStream: { response: ask('openStream', { turn_id: accepted.turn_id ?? '' }) },
    readHistory: { response: ask('readHistory', { conversation_id }) },
    rateAnswer: {
      request: requests.rateAnswer,
      response: ask('rateAnswer', { message_id: message?.assistant_message_id ?? '' }),
    },
  };
}

/** The body of the answer; of a stream, its first event. @throws Error if the core refuses, which is a bug */
function bodyOf(operation: OperationId, outcome: Outcome): unknown {
  if (outcome.kind === 'stream') return outcome.events[0]?.event;
  if (outcome.kind === 'json' && outcome.status < 400) return outcome.body;
  throw new Error(`the core refuses the example of ${operation}`);
}
