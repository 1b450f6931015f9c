import { statSync } from 'node:fs';
import { TargetProfileSchema } from '../api/index.ts';
import { type Micros, type Random, seededRandom, VirtualClock } from '../base/index.ts';
import {
  type EndRecord,
  type Exchange,
  type Header,
  HISTORY_FORMAT,
  HISTORY_VERSION,
  type JournalWriter,
  openJournal,
} from '../history/index.ts';

/*
 * A large journal as a run writes it: by the same writer, with a `sent` line before each request, the generator's health every
 * second and the end of every journey. The service keeps its limits and answers as the sandbox does: many applications, each trying
 * 25 requests a minute where 20 are admitted, a message among them, its polls, a page of history.
 */

const MINUTE_US = 60_000_000;
const SECOND_US = 1_000_000;
const TRIED_PER_MINUTE = 25;
const ADMITTED_PER_MINUTE = 20;
const MESSAGES_PER_DAY = 50;
/** Of each application. */
const CONVERSATIONS = 7;
/** The last poll that finds a turn open. */
const LAST_OPEN = 7;
const STARTED_MS = 1_795_262_400_000;

export interface JournalPlan {
  readonly path: string;
  readonly exchanges: number;
  /** `unknown`, or a reading that the profile declares. */
  readonly reading: string;
  readonly seed: number;
}

interface Sizes {
  readonly exchanges: number;
  readonly applications: number;
}

/** @returns bytes written */
export function writeJournal({ path, exchanges, reading, seed }: JournalPlan): number {
  const clock = new VirtualClock();
  const journal = openJournal({ path, clock });
  journal.write(headerOf(reading));
  journal.write({
    kind: 'clock',
    at: 0 as Micros,
    serviceUs: (STARTED_MS * 1_000) as Micros,
    plusMinusUs: 0 as Micros,
    rate: 1,
  });
  const applications = Math.max(1, Math.ceil(exchanges / (TRIED_PER_MINUTE * MESSAGES_PER_DAY)));
  writeTraffic(journal, clock, { exchanges, applications }, seededRandom(seed, 'bench journal'));
  journal.write(endOf(exchanges, Math.ceil(exchanges / TRIED_PER_MINUTE), clock.now()));
  journal.close();
  return statSync(path).size;
}

function writeTraffic(journal: JournalWriter, clock: VirtualClock, sizes: Sizes, random: Random): void {
  const { exchanges, applications } = sizes;
  let healthAt = SECOND_US;
  for (let seq = 0; seq < exchanges; seq++) {
    const turn = Math.floor(seq / applications);
    const place = {
      minute: Math.floor(turn / TRIED_PER_MINUTE),
      slot: turn % TRIED_PER_MINUTE,
      app: seq % applications,
    };
    const exchange = exchangeOf(seq, place, sizes, random);
    for (; healthAt <= exchange.sentAt; healthAt += SECOND_US) journal.write(healthAtSecond(healthAt, random));
    clock.set(exchange.sentAt);
    const { operation, sentAt: at } = exchange;
    if (journal.announces()) journal.write({ kind: 'sent', seq, operation, at });
    journal.write(exchange);
    if (place.slot === TRIED_PER_MINUTE - 1) journal.write(journeyOf(exchange, place));
  }
}

interface Place {
  readonly minute: number;
  readonly slot: number;
  readonly app: number;
}

function exchangeOf(seq: number, place: Place, { applications }: Sizes, random: Random): Exchange {
  const { minute, slot, app } = place;
  const step = MINUTE_US / TRIED_PER_MINUTE;
  // Every minute begins with a message; the last five of each are refused.
  const sentAt = Math.floor(minute * MINUTE_US + slot * step + (app * step) / (applications + 1));
  const headersAt = sentAt + 500 + random.integer(3_000);
  const base = {
    kind: 'exchange',
    seq,
    application: `a${app}`,
    user: `u${app}`,
    token: `t${app}`,
    conversation: uuid('c', app * CONVERSATIONS + (minute % CONVERSATIONS)),
    arrival: minute * applications + app,
    journey: 'talk',
    step: slot,
    attempt: 1,
    intendedAt: (sentAt - 40) as Micros,
    sentAt: sentAt as Micros,
    headersAt: headersAt as Micros,
    receivedAt: (headersAt + 40) as Micros,
    bytes: { sent: slot === 0 ? 439 : 244, received: 560 + random.integer(900) },
    date: new Date(STARTED_MS + headersAt / 1_000).toUTCString(),
    connection: app % 16,
  } as const;
  return { ...base, ...answerOf(seq, place, sentAt) };
}

function answerOf(seq: number, { minute, slot, app }: Place, sentAt: number) {
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

/** The oldest messages of the conversation, as an honest service shows them. */
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

const healthAtSecond = (at: number, random: Random) =>
  ({
    kind: 'health',
    at: at as Micros,
    eventLoopP99Us: (1_000 + random.integer(300)) as Micros,
    eventLoopP50Us: (1_000 + random.integer(60)) as Micros,
    scheduleLagP99Us: random.integer(900) as Micros,
    gcUs: random.integer(2_000) as Micros,
    gcMaxUs: random.integer(900) as Micros,
    backlog: 0,
    cpuUs: (60_000 + random.integer(9_000)) as Micros,
  }) as const;

const journeyOf = ({ arrival, journey, sentAt, receivedAt }: Exchange, { slot }: Place) =>
  ({
    kind: 'journey',
    arrival,
    journey,
    startedAt: (sentAt - (slot * MINUTE_US) / TRIED_PER_MINUTE) as Micros,
    endedAt: receivedAt,
    outcome: 'completed',
  }) as const;

/** @param kind a hexadecimal digit, by which identifiers of different things differ */
const uuid = (kind: string, n: number) =>
  `${kind}${n.toString(16).padStart(7, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const digest = (n: number) => (n * 2_654_435_761).toString(16).padStart(32, '0').slice(-32);
const isoOf = (at: number) => new Date(STARTED_MS + Math.floor(at / 1_000)).toISOString();

function headerOf(reading: string): Header {
  const profile = TargetProfileSchema.parse({ limits: { rate: { reading } } });
  return {
    kind: 'header',
    format: HISTORY_FORMAT,
    version: HISTORY_VERSION,
    runId: 'bench',
    startedAt: new Date(STARTED_MS).toISOString(),
    scenario: 'bench',
    seed: 1,
    profile,
    gates: {},
    warmUpUs: 0 as Micros,
    limits: {
      rate: { max: ADMITTED_PER_MINUTE, windowUs: MINUTE_US as Micros, reading },
      concurrency: { max: 2 },
      daily: { max: MESSAGES_PER_DAY },
    },
    clock: { driftPpm: 0, granularityUs: 1_000 as Micros, maxServerDelayUs: 30_000_000 as Micros },
    exclusive: true,
    flushed: { rate: true, concurrency: true, daily: true },
    tool: 'spillway',
    node: process.version,
  };
}

const endOf = (exchanges: number, arrivals: number, at: Micros): EndRecord => ({
  kind: 'end',
  at,
  arrivals,
  exchanges,
  streams: 0,
  drops: 0,
  complete: true,
});
