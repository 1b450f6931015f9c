import { randomUUID } from 'node:crypto';
import type { Conversation } from './sandbox-loop.ts';

const root = '/api/partners/v1';
const host = 'host: 127.0.0.1\r\n';

const get = (path: string, token: string) =>
  `GET ${root}${path} HTTP/1.1\r\n${host}authorization: Bearer ${token}\r\n\r\n`;
function post(path: string, authorization: string, body: object): string {
  const text = JSON.stringify(body);
  return `POST ${root}${path} HTTP/1.1\r\n${host}authorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
const member = (body: Buffer, name: string): string => {
  const value = (JSON.parse(body.toString('utf8')) as Record<string, unknown>)[name];
  if (typeof value !== 'string') throw new Error(`no ${name} in ${body.toString('utf8', 0, 300)}`);
  return value;
};

/** Number of requests of a journey: token, conversation, message, three polls, history, feedback. */
export const JOURNEY_REQUESTS = 8;

/** Journeys of new users, one after another. */
export function journeys(credentials: string): Conversation {
  const basic = `Basic ${Buffer.from(credentials).toString('base64')}`;
  let [step, user, token, conversation, turn, answer] = [0, 0, '', '', '', ''];
  const name = randomUUID();
  const requests: readonly (() => string)[] = [
    () => post('/tokens', basic, { external_user_id: `${name}-${user++}`, locale: 'fr-CH', timezone: 'Europe/Zurich' }),
    () => post('/conversations', `Bearer ${token}`, { title: 'Sunday' }),
    () =>
      post(`/conversations/${conversation}/messages`, `Bearer ${token}`, {
        client_message_id: 'm1',
        message: 'What is open on Sunday?',
        location: { city: 'Lausanne' },
      }),
    () => get(`/turns/${turn}`, token),
    () => get(`/turns/${turn}`, token),
    () => get(`/turns/${turn}`, token),
    () => get(`/conversations/${conversation}/messages?limit=20`, token),
    () => post(`/messages/${answer}/feedback`, `Bearer ${token}`, { rating: 'up' }),
  ];
  const learn: readonly ((body: Buffer) => void)[] = [
    (body) => {
      token = member(body, 'access_token');
    },
    (body) => {
      conversation = member(body, 'conversation_id');
    },
    (body) => {
      turn = member(body, 'turn_id');
    },
    () => undefined,
    () => undefined,
    (body) => {
      const found = /"assistant_message_id":"([^"]+)"/.exec(body.toString('latin1'));
      if (!found) throw new Error(`the turn is not completed: ${body.toString('utf8', 0, 300)}`);
      answer = found[1] ?? '';
    },
    () => undefined,
    () => undefined,
  ];
  return {
    next: () => (requests[step] as () => string)(),
    answered(status, body) {
      if (status >= 400) throw new Error(`step ${step} of the journey: ${status} ${body.toString('utf8', 0, 300)}`);
      learn[step]?.(body);
      step = (step + 1) % JOURNEY_REQUESTS;
    },
  };
}

/**
 * Creates a token, a conversation and a message, then polls its turn forever.
 * @param expected status of every poll after the first
 */
export function polls(credentials: string, expected = 200): Conversation {
  const journey = journeys(credentials);
  let sent = 0;
  let poll = '';
  return {
    next() {
      if (poll !== '') return poll;
      const text = journey.next();
      if (sent++ === 3) poll = text;
      return text;
    },
    answered(status, body) {
      if (poll === '') journey.answered(status, body);
      else if (status !== expected) throw new Error(`a poll was answered ${status}`);
    },
  };
}
