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
const JOURNEY_REQUESTS = 8;

interface Step {
  readonly request: () => string;
  /** Takes from the answer what later steps need. */
  readonly learn?: (body: Buffer) => void;
}

/** Journeys of new users, one after another. */
export function journeys(credentials: string): Conversation {
  const steps = stepsOf(`Basic ${Buffer.from(credentials).toString('base64')}`);
  let at = 0;
  return {
    next: () => (steps[at] as Step).request(),
    answered(status, body) {
      if (status >= 400) throw new Error(`step ${at} of the journey: ${status} ${body.toString('utf8', 0, 300)}`);
      steps[at]?.learn?.(body);
      at = (at + 1) % JOURNEY_REQUESTS;
    },
  };
}

function stepsOf(basic: string): readonly Step[] {
  const known = { users: 0, token: '', conversation: '', turn: '', answer: '' };
  const name = randomUUID();
  const bearer = () => `Bearer ${known.token}`;
  const user = () => ({ external_user_id: `${name}-${known.users++}`, locale: 'fr-CH', timezone: 'Europe/Zurich' });
  const learn = (what: 'token' | 'conversation' | 'turn', from: string) => (body: Buffer) => {
    known[what] = member(body, from);
  };
  const learnAnswer = (body: Buffer) => {
    const found = /"assistant_message_id":"([^"]+)"/.exec(body.toString('latin1'));
    if (!found) throw new Error(`the turn is not completed: ${body.toString('utf8', 0, 300)}`);
    known.answer = found[1] ?? '';
  };
  const message = { client_message_id: 'm1', message: 'What is open on Sunday?', location: { city: 'Lausanne' } };
  const poll = () => get(`/turns/${known.turn}`, known.token);
  const messages = () => `/conversations/${known.conversation}/messages`;
  return [
    { request: () => post('/tokens', basic, user()), learn: learn('token', 'access_token') },
    {
      request: () => post('/conversations', bearer(), { title: 'Sunday' }),
      learn: learn('conversation', 'conversation_id'),
    },
    { request: () => post(messages(), bearer(), message), learn: learn('turn', 'turn_id') },
    { request: poll },
    { request: poll },
    { request: poll, learn: learnAnswer },
    { request: () => get(`${messages()}?limit=20`, known.token) },
    { request: () => post(`/messages/${known.answer}/feedback`, bearer(), { rating: 'up' }) },
  ];
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
