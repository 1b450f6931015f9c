import { sampleLatency } from '../api/index.ts';
import { type Micros, microsFromMillis, type Random } from '../base/index.ts';
import type { SandboxConfig } from './config/members.ts';

/*
 * A turn is queued over [acceptedAt, processingAt), processing over [processingAt, finishedAt), and completed or failed from
 * finishedAt on. All three instants and the outcome are fixed on acceptance: they are drawn, and processing is postponed if a limit
 * on concurrent processing requires it. The visible status is a function of `now`.
 *
 *   accepted ──► queued ──► processing ──► completed
 *                                     └──► failed
 */

export type TurnStatus = 'queued' | 'processing' | 'completed' | 'failed';

/** Instants of a turn in service time: acceptedAt < processingAt < finishedAt. */
export interface TurnSchedule {
  readonly acceptedAt: Micros;
  readonly processingAt: Micros;
  readonly finishedAt: Micros;
  readonly outcome: 'completed' | 'failed';
}

/**
 * Draws the schedule of a turn. Each state lasts at least a microsecond, so that a new turn is always queued.
 * @param random the random stream of this turn
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

/** The schedule with another start of processing and the same processing time. */
export function begunAt(schedule: TurnSchedule, processingAt: Micros): TurnSchedule {
  const lasting = schedule.finishedAt - schedule.processingAt;
  return { ...schedule, processingAt, finishedAt: (processingAt + lasting) as Micros };
}

export function statusAt(schedule: TurnSchedule, now: Micros): TurnStatus {
  if (now < schedule.processingAt) return 'queued';
  return now < schedule.finishedAt ? 'processing' : schedule.outcome;
}

/** Start of the status at `now`. */
export function changedAt(schedule: TurnSchedule, now: Micros): Micros {
  if (now < schedule.processingAt) return schedule.acceptedAt;
  return now < schedule.finishedAt ? schedule.processingAt : schedule.finishedAt;
}

/** `metadata.latency_ms`: the processing time, rounded to milliseconds. */
export const latencyMs = (schedule: TurnSchedule): number =>
  Math.round((schedule.finishedAt - schedule.processingAt) / 1_000);
