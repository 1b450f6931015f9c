import type { Micros } from '../../base/index.ts';
import type { IntervalRow } from '../rows.ts';
import { type Attribution, attributions, type OutcomeClass } from '../summary.ts';

interface Samples {
  count: number;
  sum: number;
  max: number;
}

/** Counts of one second; every member is a sum or a maximum, so that two can be merged. */
export interface Second extends Record<OutcomeClass, number> {
  arrivals: number;
  sent: number;
  drops: number;
  refusedBy: Record<Attribution, number>;
  service: Samples;
  response: Samples;
  capWaitUs: number;
  bytesSent: number;
  bytesReceived: number;
  health?: { eventLoopP99Us?: number; gcUs: number; backlog: number; cpuUs?: number };
}

const noSamples = (): Samples => ({ count: 0, sum: 0, max: 0 });

export const emptySecond = (): Second => ({
  arrivals: 0,
  sent: 0,
  success: 0,
  error: 0,
  refused: 0,
  failed: 0,
  censored: 0,
  drops: 0,
  refusedBy: { rate: 0, concurrency: 0, daily: 0, unattributed: 0 },
  service: noSamples(),
  response: noSamples(),
  capWaitUs: 0,
  bytesSent: 0,
  bytesReceived: 0,
});

const additive = [
  'arrivals',
  'sent',
  'success',
  'error',
  'refused',
  'failed',
  'censored',
  'drops',
  'capWaitUs',
  'bytesSent',
  'bytesReceived',
] as const;

export function mergeSeconds(ours: Second, theirs: Second): void {
  for (const name of additive) ours[name] += theirs[name];
  for (const limit of attributions) ours.refusedBy[limit] += theirs.refusedBy[limit];
  for (const name of ['service', 'response'] as const) {
    ours[name].count += theirs[name].count;
    ours[name].sum += theirs[name].sum;
    ours[name].max = Math.max(ours[name].max, theirs[name].max);
  }
  if (theirs.health) ours.health = ours.health ? mergedHealth(ours.health, theirs.health) : { ...theirs.health };
}

type Health = NonNullable<Second['health']>;

export const mergedHealth = (a: Health, b: Health): Health => ({
  gcUs: a.gcUs + b.gcUs,
  backlog: Math.max(a.backlog, b.backlog),
  ...((a.eventLoopP99Us !== undefined || b.eventLoopP99Us !== undefined) && {
    eventLoopP99Us: Math.max(a.eventLoopP99Us ?? 0, b.eventLoopP99Us ?? 0),
  }),
  ...((a.cpuUs !== undefined || b.cpuUs !== undefined) && { cpuUs: (a.cpuUs ?? 0) + (b.cpuUs ?? 0) }),
});

export function rowOf(second: number, counted: Second, open: { certain: number; possible: number }): IntervalRow {
  const { service, response, refusedBy, health } = counted;
  const mean = (samples: Samples) => Math.round(samples.sum / samples.count) as Micros;
  return {
    second,
    arrivals: counted.arrivals,
    sent: counted.sent,
    success: counted.success,
    error: counted.error,
    refused: counted.refused,
    failed: counted.failed,
    censored: counted.censored,
    refusedRate: refusedBy.rate,
    refusedConcurrency: refusedBy.concurrency,
    refusedDaily: refusedBy.daily,
    refusedUnattributed: refusedBy.unattributed,
    drops: counted.drops,
    ...(service.count > 0 && { serviceMeanUs: mean(service), serviceMaxUs: service.max as Micros }),
    ...(response.count > 0 && { responseMeanUs: mean(response), responseMaxUs: response.max as Micros }),
    capWaitUs: counted.capWaitUs as Micros,
    openTurnsCertain: open.certain,
    openTurnsPossible: open.possible,
    bytesSent: counted.bytesSent,
    bytesReceived: counted.bytesReceived,
    ...(health && {
      gcUs: health.gcUs as Micros,
      backlog: health.backlog,
    }),
    ...(health?.eventLoopP99Us !== undefined && { eventLoopP99Us: health.eventLoopP99Us as Micros }),
    ...(health?.cpuUs !== undefined && { cpuUs: health.cpuUs as Micros }),
  };
}
