/* The answers of the service in the judge's benchmark. */

/** Limits of the service. */
export const TRIED_PER_MINUTE = 25;
export const ADMITTED_PER_MINUTE = 20;
export const MESSAGES_PER_DAY = 50;
export const MINUTE_US = 60_000_000;
export const STARTED_MS = 1_795_262_400_000;
/** Conversations per application. */
const CONVERSATIONS = 7;
/** Slot of the last poll that finds the turn open. */
const LAST_OPEN = 7;

/** The place of an exchange: minute, index within the minute, and application. */
export interface Place {
  readonly minute: number;
  readonly slot: number;
  readonly app: number;
}

/** The operation and the recorded answer of an exchange, as the sandbox would answer. */
export function answerOf(seq: number, { minute, slot, app }: Place, sentAt: number) {
  const message = app * MESSAGES_PER_DAY + minute;
  if (slot >= ADMITTED_PER_MINUTE) return refused(seq, minute, sentAt);
  if (slot === 0) return sent(message, minute, sentAt);
  const left = ADMITTED_PER_MINUTE - 1 - slot;
  if (left === 0) return page(app, minute);
  const acceptedAt = sentAt - (slot * MINUTE_US) / TRIED_PER_MINUTE;
  const isOpen = slot <= LAST_OPEN;
  const turn = {
    id: uuid('a', message),
    status: isOpen ? 'processing' : 'completed',
    ...(!isOpen && {
      userMessageId: uuid('e', message),
      assistantMessageId: uuid('f', message),
      latencyMs: 17_000 + (message % 999),
    }),
    createdAt: isoOf(acceptedAt),
    updatedAt: isoOf(acceptedAt + (isOpen ? 30_000 : 17_999_000)),
  };
  return { operation: 'readTurn', outcome: 'answered', status: 200, turn, headers: minuteFields(left) } as const;
}

const sent = (message: number, minute: number, sentAt: number) =>
  ({
    operation: 'sendMessage',
    outcome: 'answered',
    status: 202,
    turn: { id: uuid('a', message), status: 'queued', createdAt: isoOf(sentAt) },
    message: { id: uuid('d', message), digest: digest(message) },
    headers: {
      'ratelimit-policy': '"minute";q=20;w=60, "day";q=50;w=86400, "slots";q=2;qu="concurrent-requests"',
      ratelimit: `"minute";r=${ADMITTED_PER_MINUTE - 1};t=60, "day";r=${MESSAGES_PER_DAY - 1 - minute};t=${43_200 - minute * 60}, "slots";r=1;t=0`,
    },
  }) as const;

const refused = (seq: number, minute: number, sentAt: number) =>
  ({
    operation: 'readTurn',
    outcome: 'refused',
    status: 429,
    error: { code: 'rate_limited', retryable: true, requestId: uuid('b', seq) },
    retryAfter: String(Math.ceil(((minute + 1) * MINUTE_US - sentAt) / 1e6)),
    headers: minuteFields(0),
  }) as const;

/** A page with the oldest messages of the conversation, as a correct service returns it. */
const page = (app: number, minute: number) => {
  const minutes = Array.from({ length: minute + 1 }, (_, i) => i).filter(
    (one) => one % CONVERSATIONS === minute % CONVERSATIONS,
  );
  const items = minutes.flatMap((one) => {
    const message = app * MESSAGES_PER_DAY + one;
    const createdAt = isoOf(one * MINUTE_US);
    return [
      { id: uuid('e', message), role: 'user', digest: digest(message), createdAt },
      { id: uuid('f', message), role: 'assistant', digest: digest(message + 1e9), createdAt },
    ];
  });
  const history = { limit: 20, offset: 0, items: items.slice(0, 20) };
  return { operation: 'readHistory', outcome: 'answered', status: 200, history, headers: minuteFields(0) } as const;
};

const minuteFields = (remaining: number) => ({
  'ratelimit-policy': '"minute";q=20;w=60',
  ratelimit: `"minute";r=${remaining};t=30`,
});

export const conversationOf = ({ app, minute }: Place) => uuid('c', app * CONVERSATIONS + (minute % CONVERSATIONS));

/** @param kind a hexadecimal digit that distinguishes kinds of identifiers */
const uuid = (kind: string, n: number) =>
  `${kind}${n.toString(16).padStart(7, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const digest = (n: number) => (n * 2_654_435_761).toString(16).padStart(32, '0').slice(-32);
const isoOf = (at: number) => new Date(STARTED_MS + Math.floor(at / 1_000)).toISOString();
