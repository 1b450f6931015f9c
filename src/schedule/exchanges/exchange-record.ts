import {
  type ApiReply,
  answerReaders,
  isRefusal,
  isSameUuid,
  membersLacking,
  readErrorEnvelope,
  readNamedError,
  saysWhichLimit,
} from '../../api/index.ts';
import { rememberedOf } from '../../base/index.ts';
import type { Exchange, ProfileWords } from '../../history/index.ts';
import {
  conversationOtherwise,
  historySeen,
  type Making,
  type PageRequest,
  ratingOtherwise,
  shortened,
  turnAccepted,
  turnSeen,
} from './answer-seen.ts';

/** A record with all members present, so that all records have the same shape: V8 reads objects of many shapes slowly. */
type Whole<R> = { -readonly [K in keyof Required<R>]: R[K] };
type OrUndefined<R> = { -readonly [K in keyof R]: R[K] | undefined };

/** What the scheduler knows of an exchange before the reply. */
export type ExchangeFrame = Making<
  Pick<
    Exchange,
    'seq' | 'operation' | 'application' | 'user' | 'arrival' | 'journey' | 'step' | 'attempt' | 'intendedAt'
  >
> &
  OrUndefined<Pick<Exchange, 'token' | 'conversation' | 'capWaitUs' | 'message' | 'resend' | 'turn'>> & {
    /** Requested page; only for readHistory. */
    page?: PageRequest | undefined;
    /** Rating sent; only for rateAnswer. */
    rating?: string | undefined;
  };

/** Headers about limits: kept raw, for the judge. */
const LIMIT_HEADER = /^(ratelimit(-(policy|limit|remaining|reset))?|x-ratelimit-.+|retry-after-ms)$/;

/** Whether a header is kept at all. @param name in lower case */
export const isKeptHeader = (name: string): boolean =>
  name === 'date' || name === 'retry-after' || LIMIT_HEADER.test(name);

/**
 * Makes the record of one attempt. Pure. Every member is written out, absent ones as undefined: hundreds of places read these
 * records, and reading a member costs several times as much if records have many shapes.
 */
export function exchangeRecord(frame: ExchangeFrame, reply: ApiReply, digestKey: Uint8Array): Making<Exchange> {
  const record: Whole<Exchange> = {
    kind: 'exchange',
    seq: frame.seq,
    worker: undefined,
    operation: frame.operation,
    application: frame.application,
    user: frame.user,
    token: frame.token,
    conversation: frame.conversation,
    arrival: frame.arrival,
    journey: frame.journey,
    step: frame.step,
    attempt: frame.attempt,
    intendedAt: frame.intendedAt,
    capWaitUs: frame.capWaitUs,
    sentAt: reply.sentAt,
    headersAt: reply.headersAt,
    receivedAt: reply.receivedAt,
    readLateUs: undefined,
    outcome: reply.kind === 'answer' ? (reply.status === 429 ? 'refused' : 'answered') : reply.kind,
    status: undefined,
    failure: undefined,
    bodyProblem: undefined,
    bytes: reply.bytes,
    date: undefined,
    retryAfter: undefined,
    headers: undefined,
    error: undefined,
    turn: frame.turn,
    message: frame.message,
    history: undefined,
    otherwise: undefined,
    connection: reply.connection,
    resend: frame.resend,
    expect: undefined,
  };
  if (reply.kind === 'answer') addAnswer(record, reply, digestKey, frame);
  else record.failure = reply.failure;
  // TypeScript distinguishes absent members from undefined ones; no reader does.
  return record as Making<Exchange>;
}

type Answer = Extract<ApiReply, { kind: 'answer' }>;

function addAnswer(record: Whole<Exchange>, reply: Answer, digestKey: Uint8Array, frame: ExchangeFrame): void {
  record.status = reply.status;
  const { date, retryAfter, headers } = headerFields(reply.headers);
  record.date = date;
  record.retryAfter = retryAfter;
  record.headers = headers;
  if (reply.bodyProblem !== undefined) record.bodyProblem = reply.bodyProblem;
  else if (reply.status >= 200 && reply.status < 300) addSuccess(record, reply, digestKey, frame);
  else addError(record, reply);
}

type HeaderFields = Pick<Whole<Exchange>, 'date' | 'retryAfter' | 'headers'>;

/** Remembered by headers object, because transports return the same object for repeated headers. */
const headerFields = rememberedOf((headers: Answer['headers']): HeaderFields => {
  const kept = Object.entries(headers).filter(([name]) => LIMIT_HEADER.test(name));
  return {
    date: headers.date && shortened(headers.date),
    retryAfter: headers['retry-after'] && shortened(headers['retry-after']),
    headers: kept.length === 0 ? undefined : Object.fromEntries(kept.map(([name, value]) => [name, shortened(value)])),
  };
});

/**
 * Takes as a refusal what the profile says is one: another status than 429 (`errorCodes.otherStatuses`), and as the service's own
 * whatever its body, if the profile says of which limit it is (`errorCodes.otherBodies`).
 */
export function takeOtherRefusal(record: OrUndefined<Exchange>, words: Pick<ProfileWords, 'errorCodes'>): void {
  if (!isRefusal(words, record)) return;
  record.outcome = 'refused';
  if (words.errorCodes.otherBodies !== undefined && saysWhichLimit(words, record)) record.bodyProblem = undefined;
}

function addError(record: Whole<Exchange>, { status, body }: Answer): void {
  const envelope = readErrorEnvelope(body);
  if (envelope) {
    const { code, retryable, request_id } = envelope.error;
    record.error = { code: shortened(code), retryable, requestId: request_id };
  } else if (status >= 400) {
    record.bodyProblem = 'wrong-shape';
    // The error code alone says which limit refused, even if the envelope is otherwise malformed.
    const named = readNamedError(body);
    if (!named) return;
    const { error } = body as { readonly error: Readonly<Record<string, unknown>> };
    record.error = { code: shortened(named.error.code), lacks: membersLacking(error) };
  }
}

function addSuccess(
  record: Whole<Exchange>,
  { body, bodyForm }: Answer,
  digestKey: Uint8Array,
  { page, rating }: ExchangeFrame,
): void {
  const { operation, conversation } = record;
  if (operation === 'sendMessage') {
    const accepted = answerReaders.sendMessage(body, bodyForm);
    if (accepted) record.turn = turnAccepted(accepted, conversation);
    else record.bodyProblem = 'wrong-shape';
  } else if (operation === 'readTurn') {
    const turn = answerReaders.readTurn(body, bodyForm);
    const asked = record.turn?.id;
    if (!turn) record.bodyProblem = 'wrong-shape';
    // A status that the service reports for another turn is not a status of this one, and must not count as its end.
    else if (asked !== undefined && !isSameUuid(turn.turn_id, asked)) record.bodyProblem = 'other-turn';
    else record.turn = turnSeen(asked ?? turn.turn_id, turn, conversation);
  } else if (page) {
    const history = answerReaders.readHistory(body);
    if (history) record.history = historySeen(history, page, digestKey);
    else record.bodyProblem = 'wrong-shape';
  } else if (operation === 'createConversation') {
    const created = answerReaders.createConversation(body, bodyForm);
    if (!created) record.bodyProblem = 'wrong-shape';
    else record.otherwise = conversationOtherwise(conversation, created);
  } else if (operation === 'rateAnswer') {
    const rated = answerReaders.rateAnswer(body, bodyForm);
    if (!rated) record.bodyProblem = 'wrong-shape';
    else record.otherwise = ratingOtherwise(rating, rated);
  } else if (operation !== 'openStream' && !answerReaders[operation](body, bodyForm))
    record.bodyProblem = 'wrong-shape';
}
