import { sampleLatency } from '../api/index.ts';
import { type Micros, microsFromMillis, type Random } from '../base/index.ts';
import type { SandboxConfig } from './config.ts';

/*
 * A turn is queued over [acceptedAt, processingAt), processing over [processingAt, finishedAt), and completed or failed from
 * finishedAt on. All three instants and the outcome are settled when it is accepted: drawn, and processing put off where a limit
 * lets only so many turns be processing at once. What a reader sees is a function of `now`.
 *
 *   accepted ──► queued ──► processing ──► completed
 *                                     └──► failed
 */

export type TurnStatus = 'queued' | 'processing' | 'completed' | 'failed';

/** The whole life of a turn on the service's clock: acceptedAt < processingAt < finishedAt. */
export interface TurnSchedule {
  readonly acceptedAt: Micros;
  readonly processingAt: Micros;
  readonly finishedAt: Micros;
  readonly outcome: 'completed' | 'failed';
}

/**
 * Draws a turn's life. Each state lasts at least a microsecond, so that a turn just accepted is truly queued.
 * @param random a stream of this turn's own
 */
export function drawSchedule(
  config: Pick<SandboxConfig, 'latency' | 'failureShare'>,
  random: Random,
  acceptedAt: Micros,
): TurnSchedule {
  const lasting = (ms: number) => Math.max(1, microsFromMillis(ms));
  const processingAt = (acceptedAt + lasting(sampleLatency(config.latency.queued, random))) as Micros;
  const finishedAt = (processingAt + lasting(sampleLatency(config.latency.processing, random))) as Micros;
  const outcome = random.next() < config.failureShare ? 'failed' : 'completed';
  return { acceptedAt, processingAt, finishedAt, outcome };
}

/** The same life with more or less waiting: its processing begins then, and lasts as long. */
export function begunAt(schedule: TurnSchedule, processingAt: Micros): TurnSchedule {
  const lasting = schedule.finishedAt - schedule.processingAt;
  return { ...schedule, processingAt, finishedAt: (processingAt + lasting) as Micros };
}

export function statusAt(schedule: TurnSchedule, now: Micros): TurnStatus {
  if (now < schedule.processingAt) return 'queued';
  return now < schedule.finishedAt ? 'processing' : schedule.outcome;
}

/** When the status that holds at `now` began. */
export function changedAt(schedule: TurnSchedule, now: Micros): Micros {
  if (now < schedule.processingAt) return schedule.acceptedAt;
  return now < schedule.finishedAt ? schedule.processingAt : schedule.finishedAt;
}

/** `metadata.latency_ms`: how long the turn was in `processing`, to the nearest millisecond. */
export const latencyMs = (schedule: TurnSchedule): number =>
  Math.round((schedule.finishedAt - schedule.processingAt) / 1_000);
