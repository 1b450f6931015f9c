import type { Exchange, HistorySeen, MessageSent, ToldOtherwise, TurnSeen } from '../../history/index.ts';
import { docsOf, type MembersOf } from './docs.ts';

const own: MembersOf<Exchange> = {
  kind: '`exchange`',
  seq: 'Number in the order of sending within its worker, without gaps in a complete run',
  worker: 'Generator worker, from 1; absent in a run with one',
  operation: 'API operation, or `openStream` for the handshake of a stream',
  application: 'Label of the application, never its id',
  user: 'Label of the user, never the external id',
  token: 'Label of the token, never the token; absent for issueToken and for requests without one',
  conversation: 'Id of the conversation that the request names; a new one is named only if the client chose its id',
  arrival: 'Index of the arrival whose journey sent it',
  journey: 'Name of the journey',
  step: 'Index of the step in the order of execution, from 0',
  attempt: '1 for the first try; a retry is an exchange of its own',
  intendedAt: 'When it was to be sent (µs)',
  capWaitUs:
    'How long it waited, by what it waited for: pace, openTurns, requestsPerMinute, token, inFlight, connection (µs)',
  sentAt: 'When its bytes were handed to the socket (µs)',
  headersAt: 'When status line and headers were received; absent if they were not (µs)',
  receivedAt: 'When the last byte was received, the failure noticed, or the wait given up (µs)',
  readLateUs:
    'How long before that it may have arrived: until then the generator had stood still and read nothing; absent: it went on all the time (µs)',
  outcome:
    '`answered` (any answer but a refusal), `refused` (429, or as `errorCodes.otherStatuses` of the profile says), `failed` (no answer), `censored` (the client stopped waiting)',
  status: 'HTTP status; absent without an answer',
  failure: 'Why there is no answer: a code of the socket, such as `ECONNRESET`, or a word, such as `deadline`',
  bodyProblem:
    'Why the body of an answer could not be used: `not-json`, `wrong-content-type`, `not-utf8`, `content-coding`, `wrong-shape`',
  bytes: 'Bytes with headers: `sent` and `received`; of a stream those of its handshake',
  date: 'Date header as the service wrote it',
  retryAfter: 'Retry-After as the service wrote it',
  headers: 'Header fields about limits, names in lower case, values as written',
  error:
    'Of the error envelope: `code`, `retryable`, `requestId`; `lacks` names required members that it does not have, or has in another form',
  turn: 'Turn that the answer began or showed, or that was asked for',
  message: 'Message that was sent; of `sendMessage` alone',
  history: 'Page of the history: what was asked for and received',
  otherwise: 'Where the answer differs from the request',
  connection: 'Number of the connection; absent if there was none',
  resend: '`same` or `other`: a message sent again under its id with the same or other content',
  expect: 'Expectations: number `checked`, a sentence for each `unmet`, `namedStatus` if an error status was expected',
};

const turn: MembersOf<TurnSeen> = {
  id: 'Id of the turn',
  status: 'Status in the answer, in the words of the service',
  conversation: 'Conversation in the answer, if it is another one',
  error: "Code of the turn's error",
  userMessageId: "Id of the user's message",
  assistantMessageId: 'Id of the answer',
  latencyMs: "metadata.latency_ms: milliseconds of the service's clock",
  createdAt: 'created_at as the service wrote it',
  updatedAt: 'updated_at as the service wrote it',
};

const message: MembersOf<MessageSent> = {
  id: 'client_message_id',
  digest: 'Keyed hash of message and location; its key is different in each run and written nowhere',
  textDigest: 'Keyed hash of the message alone, if there is a location',
  text: 'The text, only with `record: {messages: true}`',
};

const history: MembersOf<HistorySeen> = {
  limit: 'Number of messages asked for',
  offset: 'Number of messages to be skipped',
  items:
    'Messages received: `id`, `role`, `digest` (as `message.textDigest` or `message.digest`; absent without a text), `createdAt`',
};

const otherwise: MembersOf<ToldOtherwise> = {
  conversation: 'The conversation in the answer, if another one was to be resumed',
  rating: 'The rating as `sent`, as `told` by the answer, and its `success`',
};

export const exchangeDocs = [
  ...docsOf(own),
  ...docsOf(turn, 'turn'),
  ...docsOf(message, 'message'),
  ...docsOf(history, 'history'),
  ...docsOf(otherwise, 'otherwise'),
];
