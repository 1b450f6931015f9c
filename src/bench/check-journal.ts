import { closeSync, openSync, writeSync } from 'node:fs';
import { TargetProfileSchema } from '../api/index.ts';
import { type Micros, type Random, seededRandom } from '../base/index.ts';
import { type EndRecord, type Exchange, type Header, HISTORY_FORMAT, HISTORY_VERSION } from '../history/index.ts';

/*
 * A large journal of a service that keeps its limits: many applications, each trying 25 requests a minute where 20 are
 * admitted, a message among them, its polls, a page of history. Written for the benchmark of the judge alone.
 */

const MINUTE_US = 60_000_000;
const TRIED_PER_MINUTE = 25;
const ADMITTED_PER_MINUTE = 20;
const MESSAGES_PER_DAY = 50;
/** Of each application. */
const CONVERSATIONS = 7;

export interface JournalPlan {
  readonly path: string;
  readonly exchanges: number;
  /** `unknown`, or a reading that the profile declares. */
  readonly reading: string;
  readonly seed: number;
}

/** @returns bytes written */
export function writeJournal({ path, exchanges, reading, seed }: JournalPlan): number {
  const random = seededRandom(seed, 'bench journal');
  const out = new Lines(path);
  out.add(headerOf(reading));
  out.add({ kind: 'clock', at: 0, serviceUs: 1_795_262_400_000_000, plusMinusUs: 0, rate: 1 });
  const applications = Math.max(1, Math.ceil(exchanges / (TRIED_PER_MINUTE * MESSAGES_PER_DAY)));
  let seq = 0;
  for (let minute = 0; seq < exchanges; minute++)
    for (let slot = 0; slot < TRIED_PER_MINUTE && seq < exchanges; slot++)
      for (let app = 0; app < applications && seq < exchanges; app++, seq++)
        out.add(exchangeOf(seq, { minute, slot, app, applications }, random));
  out.add(endOf(exchanges, seq));
  return out.close();
}

interface Place {
  readonly minute: number;
  readonly slot: number;
  readonly app: number;
  readonly applications: number;
}

function exchangeOf(seq: number, { minute, slot, app, applications }: Place, random: Random): Exchange {
  const step = MINUTE_US / TRIED_PER_MINUTE;
  // Every minute begins with a message; the last five of each are refused.
  const sentAt = Math.floor(minute * MINUTE_US + slot * step + (app * step) / (applications + 1));
  const headersAt = sentAt + 500 + random.integer(3_000);
  const message = `${id(app)}-${minute}`;
  const base = {
    kind: 'exchange',
    seq,
    application: `a${app}`,
    user: `u${app}`,
    token: `t${app}`,
    conversation: id(app * 100_000 + (minute % CONVERSATIONS)),
    arrival: seq,
    journey: 'talk',
    step: slot,
    attempt: 1,
    intendedAt: sentAt as Micros,
    sentAt: sentAt as Micros,
    headersAt: headersAt as Micros,
    receivedAt: (headersAt + 40) as Micros,
    bytes: { sent: 312, received: 287 },
    date: 'Sat, 21 Nov 2026 12:00:00 GMT',
    connection: app % 16,
  } as const;
  if (slot >= ADMITTED_PER_MINUTE) return { ...base, ...refused(seq, minute, sentAt) };
  if (slot === 0)
    return {
      ...base,
      operation: 'sendMessage',
      outcome: 'answered',
      status: 202,
      turn: { id: message, status: 'queued' },
      message: { id: message, digest: digest(app * 1_000 + minute) },
      headers: fields(ADMITTED_PER_MINUTE - 1),
    };
  if (slot === ADMITTED_PER_MINUTE - 1) return { ...base, ...page(app, minute) };
  const open = slot < 8;
  return {
    ...base,
    operation: 'readTurn',
    outcome: 'answered',
    status: 200,
    turn: {
      id: message,
      status: open ? 'processing' : 'completed',
      ...(!open && { userMessageId: `u-${message}`, assistantMessageId: `r-${message}`, latencyMs: 17_000 }),
    },
    headers: fields(ADMITTED_PER_MINUTE - 1 - slot),
  };
}

const refused = (seq: number, minute: number, sentAt: number) =>
  ({
    operation: 'readTurn',
    outcome: 'refused',
    status: 429,
    error: { code: 'rate_limited', retryable: true, requestId: id(seq) },
    retryAfter: String(Math.ceil(((minute + 1) * MINUTE_US - sentAt) / 1e6)),
    headers: fields(0),
  }) as const;

/** The oldest messages of the conversation, as an honest service shows them. */
const page = (app: number, minute: number) => {
  const minutes = Array.from({ length: minute + 1 }, (_, i) => i).filter(
    (one) => one % CONVERSATIONS === minute % CONVERSATIONS,
  );
  const items = minutes.flatMap((one) => {
    const message = `${id(app)}-${one}`;
    const createdAt = new Date(1_795_262_400_000 + one * 60_000).toISOString();
    return [
      { id: `u-${message}`, role: 'user', digest: digest(app * 1_000 + one), createdAt },
      { id: `r-${message}`, role: 'assistant', digest: digest(app * 1_000 + one + 1e9), createdAt },
    ];
  });
  const history = { limit: 20, offset: 0, items: items.slice(0, 20) };
  return { operation: 'readHistory', outcome: 'answered', status: 200, history, headers: fields(0) } as const;
};

const fields = (remaining: number) => ({
  ratelimit: `"minute";r=${remaining};t=30`,
  'ratelimit-policy': '"minute";q=20;w=60',
});
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const digest = (n: number) => (n * 2_654_435_761).toString(16).padStart(32, '0').slice(-32);

function headerOf(reading: string): Header {
  const profile = TargetProfileSchema.parse({ limits: { rate: { reading } } });
  return {
    kind: 'header',
    format: HISTORY_FORMAT,
    version: HISTORY_VERSION,
    runId: 'bench',
    startedAt: '2026-11-21T12:00:00.000Z',
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

const endOf = (arrivals: number, exchanges: number): EndRecord => ({
  kind: 'end',
  at: 0 as Micros,
  arrivals,
  exchanges,
  streams: 0,
  drops: 0,
  complete: true,
});

/** Buffers lines on their way to a file. */
class Lines {
  readonly #fd: number;
  #waiting: string[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'w');
  }

  add(record: object): void {
    this.#waiting.push(JSON.stringify(record));
    if (this.#waiting.length >= 2_000) this.#flush();
  }

  close(): number {
    this.#flush();
    closeSync(this.#fd);
    return this.#bytes;
  }

  #flush(): void {
    this.#bytes += writeSync(this.#fd, `${this.#waiting.join('\n')}\n`);
    this.#waiting = [];
  }
}
