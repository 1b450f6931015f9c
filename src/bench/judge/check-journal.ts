import { statSync } from 'node:fs';
import { TargetProfileSchema } from '../../api/index.ts';
import { type Micros, type Random, seededRandom, VirtualClock } from '../../base/index.ts';
import {
  type EndRecord,
  type Exchange,
  type Header,
  HISTORY_FORMAT,
  HISTORY_VERSION,
  type JournalWriter,
  openJournal,
} from '../../history/index.ts';
import {
  ADMITTED_PER_MINUTE,
  answerOf,
  conversationOf,
  MESSAGES_PER_DAY,
  MINUTE_US,
  type Place,
  STARTED_MS,
  TRIED_PER_MINUTE,
} from './check-answers.ts';

/*
 * Writes a large journal like that of a run: with the same writer, a `sent` line before each request, health every second and the
 * end of every journey. The service keeps its limits and answers like the sandbox. Each of many applications tries 25 requests a
 * minute, of which 20 are admitted: a message, its polls and a page of history.
 */

const SECOND_US = 1_000_000;

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
    const round = Math.floor(seq / applications);
    const place = {
      minute: Math.floor(round / TRIED_PER_MINUTE),
      slot: round % TRIED_PER_MINUTE,
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

function exchangeOf(seq: number, place: Place, { applications }: Sizes, random: Random): Exchange {
  const { minute, slot, app } = place;
  const step = MINUTE_US / TRIED_PER_MINUTE;
  // Every minute begins with a message; its last five requests are refused.
  const sentAt = Math.floor(minute * MINUTE_US + slot * step + (app * step) / (applications + 1));
  const headersAt = sentAt + 500 + random.integer(3_000);
  const base = {
    kind: 'exchange',
    seq,
    application: `a${app}`,
    user: `u${app}`,
    token: `t${app}`,
    conversation: conversationOf(place),
    arrival: minute * applications + app,
    journey: 'talk',
    step: slot,
    attempt: 1,
    intendedAt: Math.max(0, sentAt - 40) as Micros,
    sentAt: sentAt as Micros,
    headersAt: headersAt as Micros,
    receivedAt: (headersAt + 40) as Micros,
    bytes: { sent: slot === 0 ? 439 : 244, received: 560 + random.integer(900) },
    date: new Date(STARTED_MS + headersAt / 1_000).toUTCString(),
    connection: app % 16,
  } as const;
  return { ...base, ...answerOf(seq, place, sentAt) };
}

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
