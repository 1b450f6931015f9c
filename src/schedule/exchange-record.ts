import {
  type ApiReply,
  answerReaders,
  type History,
  isSameUuid,
  readErrorEnvelope,
  readNamedError,
  type SendMessageAccepted,
  type Turn,
} from '../api/index.ts';
import { digestWith, rememberedOf } from '../base/index.ts';
import type { Exchange, HistorySeen, TurnSeen } from '../history/index.ts';

/** A record while it is being made. */
type Making<R> = { -readonly [K in keyof R]: R[K] };
/** The same with every member there, so that all of them are of one shape: whoever reads objects of many shapes searches each of them. */
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
    /** Page asked for; only of readHistory. */
    page?: { readonly limit: number; readonly offset: number } | undefined;
  };

/** Headers that speak of limits: kept raw, for the checker to judge. */
const LIMIT_HEADER = /^(ratelimit|ratelimit-policy|x-ratelimit-.+|retry-after-ms)$/;

/** Whether anything of a header is kept, its name in lower case. */
export const isKeptHeader = (name: string): boolean =>
  name === 'date' || name === 'retry-after' || LIMIT_HEADER.test(name);

/** Longest text of a header that is kept; a hostile service must not fill the journal. */
const HEADER_LENGTH = 256;

/** A text in which a service tells of a state, as it is kept. */
export const wordOf = (text: string): string => (text.length > HEADER_LENGTH ? text.slice(0, HEADER_LENGTH) : text);

/**
 * Makes THE record of one attempt. Pure. Every member is written out, those that are absent as undefined: hundreds of places read
 * these records, and a member costs them several times as much where the records are of many shapes.
 */
export function exchangeRecord(frame: ExchangeFrame, reply: ApiReply, digestKey: Buffer): Making<Exchange> {
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
    connection: reply.connection,
    resend: frame.resend,
    expect: undefined,
  };
  // Where members may be absent, the compiler does not take undefined for it; every reader does.
  const made = record as Making<Exchange>;
  if (reply.kind === 'answer') addAnswer(made, reply, digestKey, frame.page);
  else made.failure = reply.failure;
  return made;
}

type Answer = Extract<ApiReply, { kind: 'answer' }>;

function addAnswer(record: Making<Exchange>, reply: Answer, digestKey: Buffer, page: ExchangeFrame['page']): void {
  record.status = reply.status;
  const seen = headerFields(reply.headers);
  if (seen.date !== undefined) record.date = seen.date;
  if (seen.retryAfter !== undefined) record.retryAfter = seen.retryAfter;
  if (seen.headers !== undefined) record.headers = seen.headers;
  if (reply.bodyProblem !== undefined) record.bodyProblem = reply.bodyProblem;
  else if (reply.status >= 200 && reply.status < 300) addSuccess(record, reply, digestKey, page);
  else addError(record, reply);
}

type HeaderFields = Pick<Exchange, 'date' | 'retryAfter' | 'headers'>;

/** Transports that meet the same head again give the same object again. */
const headerFields = rememberedOf((headers: Answer['headers']): HeaderFields => {
  const kept = Object.entries(headers).filter(([name]) => LIMIT_HEADER.test(name));
  const short = (text: string) => text.slice(0, HEADER_LENGTH);
  return {
    ...(headers.date === undefined ? {} : { date: short(headers.date) }),
    ...(headers['retry-after'] === undefined ? {} : { retryAfter: short(headers['retry-after']) }),
    ...(kept.length === 0 ? {} : { headers: Object.fromEntries(kept.map(([name, value]) => [name, short(value)])) }),
  };
});

function addError(record: Making<Exchange>, { status, body }: Answer): void {
  const envelope = readErrorEnvelope(body);
  if (envelope) {
    const { code, retryable, request_id } = envelope.error;
    record.error = { code: code.slice(0, HEADER_LENGTH), retryable, requestId: request_id };
  } else if (status >= 400) {
    record.bodyProblem = 'wrong-shape';
    // Which limit refused is said by the code alone; that nothing else is as specified takes nothing from it.
    const named = readNamedError(body);
    if (named) record.error = { code: named.error.code.slice(0, HEADER_LENGTH) };
  }
}

function addSuccess(
  record: Making<Exchange>,
  { body, bodyForm }: Answer,
  digestKey: Buffer,
  page: ExchangeFrame['page'],
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
    // What a service tells of another turn is no news of this one; it must not count as its end.
    else if (asked !== undefined && !isSameUuid(turn.turn_id, asked)) record.bodyProblem = 'other-turn';
    else record.turn = turnSeen(asked ?? turn.turn_id, turn, conversation);
  } else if (operation === 'readHistory' && page) {
    const history = answerReaders.readHistory(body);
    if (history) record.history = historySeen(history, page, digestKey);
    else record.bodyProblem = 'wrong-shape';
  } else if (operation !== 'openStream' && !answerReaders[operation](body, bodyForm))
    record.bodyProblem = 'wrong-shape';
}

function turnAccepted(accepted: SendMessageAccepted, conversation: string | undefined): TurnSeen {
  const { turn_id, conversation_id, status, created_at } = accepted;
  const turn: Making<TurnSeen> = { id: turn_id };
  if (status !== undefined) turn.status = wordOf(status);
  const other = elsewhere(conversation, conversation_id);
  if (other !== undefined) turn.conversation = other;
  if (created_at !== undefined) turn.createdAt = created_at;
  return turn;
}

function turnSeen(
  id: string,
  { status, conversation_id, created_at, updated_at, message, error }: Turn,
  asked?: string,
): TurnSeen {
  const turn: Making<TurnSeen> = { id, status: wordOf(status) };
  const other = elsewhere(asked, conversation_id);
  if (other !== undefined) turn.conversation = other;
  if (error !== undefined) turn.error = ('error' in error ? error.error : error).code.slice(0, HEADER_LENGTH);
  if (message !== undefined) {
    turn.userMessageId = message.user_message_id;
    turn.assistantMessageId = message.assistant_message_id;
    turn.latencyMs = message.metadata.latency_ms;
  }
  turn.createdAt = created_at;
  turn.updatedAt = updated_at;
  return turn;
}

/** The conversation that an answer names, where it is not the one asked about. */
function elsewhere(asked: string | undefined, named: string | undefined): string | undefined {
  return asked === undefined || named === undefined || isSameUuid(named, asked) ? undefined : named;
}

/** One more than a page may have (specification section 5): a service that answers more says so with it, and cannot fill the journal. */
const MOST_ITEMS = 101;

function historySeen(history: History, page: NonNullable<ExchangeFrame['page']>, digestKey: Buffer): HistorySeen {
  return {
    limit: page.limit,
    offset: page.offset,
    items: history.messages.slice(0, MOST_ITEMS).map((item) => ({
      id: item.message_id,
      role: wordOf(item.role),
      digest: digestWith(digestKey, item.content),
      createdAt: item.created_at,
    })),
  };
}
