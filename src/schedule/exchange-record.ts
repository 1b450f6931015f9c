import {
  type ApiReply,
  ErrorEnvelope,
  History,
  type Operation,
  operations,
  SendMessageAccepted,
  Turn,
} from '../api/index.ts';
import { digestWith } from '../base/index.ts';
import type { Exchange, HistorySeen, TurnSeen } from '../history/index.ts';

/** What the scheduler knows of an exchange before the reply. */
export type ExchangeFrame = Omit<
  Exchange,
  | 'kind'
  | 'sentAt'
  | 'headersAt'
  | 'receivedAt'
  | 'outcome'
  | 'status'
  | 'failure'
  | 'bodyProblem'
  | 'bytes'
  | 'date'
  | 'retryAfter'
  | 'headers'
  | 'error'
  | 'connection'
  | 'history'
> & {
  /** Page asked for; only of readHistory. */
  readonly page?: { readonly limit: number; readonly offset: number };
};

/** Headers that speak of limits: kept raw, for the checker to judge. */
const LIMIT_HEADER = /^(ratelimit|ratelimit-policy|x-ratelimit-.+|retry-after-ms)$/;

/** Longest text of a header that is kept; a hostile service must not fill the journal. */
const HEADER_LENGTH = 256;

/** Makes THE record of one attempt. Pure. */
export function exchangeRecord(frame: ExchangeFrame, reply: ApiReply, digestKey: Buffer): Exchange {
  const { page, ...known } = frame;
  const times = {
    sentAt: reply.sentAt,
    ...(reply.headersAt === undefined ? {} : { headersAt: reply.headersAt }),
    receivedAt: reply.receivedAt,
  };
  const connection = reply.connection === undefined ? {} : { connection: reply.connection };
  if (reply.kind !== 'answer') {
    return {
      kind: 'exchange',
      ...known,
      ...times,
      outcome: reply.kind,
      failure: reply.failure,
      bytes: reply.bytes,
      ...connection,
    };
  }
  return {
    kind: 'exchange',
    ...known,
    ...times,
    outcome: reply.status === 429 ? 'refused' : 'answered',
    status: reply.status,
    bytes: reply.bytes,
    ...headerFields(reply.headers),
    ...bodyFields(frame, reply, digestKey, page),
    ...connection,
  };
}

type Answer = Extract<ApiReply, { kind: 'answer' }>;

function headerFields(headers: Answer['headers']): Partial<Exchange> {
  const kept = Object.entries(headers).filter(([name]) => LIMIT_HEADER.test(name));
  const short = (text: string) => text.slice(0, HEADER_LENGTH);
  return {
    ...(headers.date === undefined ? {} : { date: short(headers.date) }),
    ...(headers['retry-after'] === undefined ? {} : { retryAfter: short(headers['retry-after']) }),
    ...(kept.length === 0 ? {} : { headers: Object.fromEntries(kept.map(([name, value]) => [name, short(value)])) }),
  };
}

type Asked = Pick<ExchangeFrame, 'operation' | 'conversation'>;

function bodyFields(asked: Asked, reply: Answer, digestKey: Buffer, page: ExchangeFrame['page']): Partial<Exchange> {
  if (reply.bodyProblem !== undefined) return { bodyProblem: reply.bodyProblem };
  if (reply.status < 200 || reply.status >= 300) {
    const envelope = ErrorEnvelope.safeParse(reply.body);
    if (!envelope.success) return reply.status >= 400 ? { bodyProblem: 'wrong-shape' } : {};
    const { code, retryable, request_id } = envelope.data.error;
    return { error: { code: code.slice(0, HEADER_LENGTH), retryable, requestId: request_id } };
  }
  return successFields(asked, reply.body, digestKey, page);
}

function successFields(
  { operation, conversation }: Asked,
  body: unknown,
  digestKey: Buffer,
  page: ExchangeFrame['page'],
): Partial<Exchange> {
  if (operation === 'sendMessage') {
    const accepted = SendMessageAccepted.safeParse(body);
    if (!accepted.success) return { bodyProblem: 'wrong-shape' };
    const { turn_id, conversation_id, status, created_at } = accepted.data;
    return {
      turn: {
        id: turn_id,
        ...(status === undefined ? {} : { status }),
        ...elsewhere(conversation, conversation_id),
        ...(created_at === undefined ? {} : { createdAt: created_at }),
      },
    };
  }
  if (operation === 'readTurn') {
    const turn = Turn.safeParse(body);
    return turn.success ? { turn: turnSeen(turn.data, conversation) } : { bodyProblem: 'wrong-shape' };
  }
  if (operation === 'readHistory' && page) {
    const history = History.safeParse(body);
    return history.success ? { history: historySeen(history.data, page, digestKey) } : { bodyProblem: 'wrong-shape' };
  }
  const row: Operation = operations[operation];
  return row.response === undefined || row.response.safeParse(body).success ? {} : { bodyProblem: 'wrong-shape' };
}

function turnSeen(turn: Turn, conversation: string | undefined): TurnSeen {
  const { message, error } = turn;
  return {
    id: turn.turn_id,
    status: turn.status,
    ...elsewhere(conversation, turn.conversation_id),
    ...(error === undefined ? {} : { error: ('error' in error ? error.error : error).code.slice(0, HEADER_LENGTH) }),
    ...(message === undefined
      ? {}
      : {
          userMessageId: message.user_message_id,
          assistantMessageId: message.assistant_message_id,
          latencyMs: message.metadata.latency_ms,
        }),
    createdAt: turn.created_at,
    updatedAt: turn.updated_at,
  };
}

/** The conversation that an answer names, where it is not the one asked about. UUIDs are one in either case (RFC 9562 section 4). */
const elsewhere = (asked: string | undefined, named: string | undefined): Pick<TurnSeen, 'conversation'> =>
  asked === undefined || named === undefined || named.toLowerCase() === asked.toLowerCase()
    ? {}
    : { conversation: named };

function historySeen(history: History, page: NonNullable<ExchangeFrame['page']>, digestKey: Buffer): HistorySeen {
  return {
    limit: page.limit,
    offset: page.offset,
    items: history.messages.map((item) => ({
      id: item.message_id,
      role: item.role,
      digest: digestWith(digestKey, item.content),
      createdAt: item.created_at,
    })),
  };
}
