import type { SandboxRequest } from '../../sandbox/index.ts';
import type { KnownTurn, Person } from './person.ts';
import { APPLICATIONS, type Composed } from './stage.ts';

/*
 * Requests of clients, with the frames of their records.
 */

const ADDRESS = '127.0.0.1';
const authorizationOf = (application: string) => {
  const { clientId, clientSecret } = APPLICATIONS.find(({ label }) => label === application) ?? { clientId: '' };
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
};

type Parameters = Readonly<Record<string, string>>;

export function bearing(
  person: Person,
  operation: Composed['frame']['operation'],
  parameters: Parameters,
  more: { readonly body?: unknown; readonly query?: Parameters; readonly webSocket?: boolean } = {},
): SandboxRequest {
  const { body, ...rest } = more;
  return {
    route: { operation, parameters },
    authorization: `Bearer ${person.secret}`,
    address: ADDRESS,
    ...(body === undefined
      ? { body: { kind: 'absent' } }
      : { contentType: 'application/json', body: { kind: 'json', value: body } }),
    ...rest,
  };
}

export function framed(
  person: Person,
  operation: Composed['frame']['operation'],
  conversation?: string,
): Composed['frame'] {
  const { application, user, token } = person;
  return { operation, application, user, token, ...(conversation !== undefined && { conversation }) };
}

export function turnRequest(asking: 'poll' | 'stream', person: Person, { id, conversation }: KnownTurn): Composed {
  if (asking === 'poll')
    return {
      request: bearing(person, 'readTurn', { turn_id: id }),
      frame: framed(person, 'readTurn', conversation),
    };
  return {
    request: bearing(person, 'openStream', { turn_id: id }, { webSocket: true }),
    frame: { ...framed(person, 'openStream', conversation), turn: { id } },
  };
}

export const ratingRequest = (person: Person, answer: string): Composed => ({
  request: bearing(person, 'rateAnswer', { message_id: answer }, { body: { rating: 'up' } }),
  frame: framed(person, 'rateAnswer'),
});

export const conversationRequest = (person: Person, conversation: string): Composed => ({
  request: bearing(person, 'createConversation', {}, { body: { conversation_id: conversation } }),
  frame: framed(person, 'createConversation', conversation),
});

/** @param timezone time zone of the token; default UTC */
export const tokenRequest = ({ application, user }: Omit<Person, 'token' | 'secret'>, timezone?: string): Composed => ({
  request: {
    route: { operation: 'issueToken', parameters: {} },
    authorization: authorizationOf(application),
    address: ADDRESS,
    contentType: 'application/json',
    body: { kind: 'json', value: { external_user_id: user, ...(timezone !== undefined && { timezone }) } },
  },
  frame: { operation: 'issueToken', application, user },
});
