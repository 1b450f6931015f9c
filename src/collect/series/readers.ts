import { type Micros, microsFromMillis } from '../../base/index.ts';
import type { Exchange, JournalRecord, JourneyRecord, Turn } from '../../history/index.ts';
import type { MetricName, Selector } from '../../metrics/index.ts';
import type { RunContext } from '../context.ts';
import { ScheduleLag } from '../generator/schedule-lag.ts';
import { completionOf, latencyReportedAt, sinceAcceptance } from '../turns/turn-times.ts';
import { Standstills } from './standstills.ts';

type Tags = Selector['tags'];

/**
 * Takes one sample. For a rate, `value` is the part of `whole`; otherwise `whole` has no meaning.
 * @param lateUs how much of a trend's value the generator may have added; default 0
 */
export type Emit = (value: number, at: Micros, whole?: number, lateUs?: number) => void;

/** Extracts the samples of one metric with given tags from the records of a run. */
export type RecordReader = (record: JournalRecord, emit: Emit) => void;
/** Extracts them from the turns, which are known only from many records together. */
export type TurnReader = (turn: Turn, emit: Emit, about: AboutTurn) => void;

/** What other records say about a turn. */
export interface AboutTurn {
  /** See `TurnsGivenUp.at`. */
  readonly givenUpAt: Micros | undefined;
  /** For how much of the time between two instants the turn's generator stood still. */
  readonly stoodStillUs: (from: Micros, to: Micros) => number;
}

type Make<Reader> = (tags: Tags, context: RunContext) => Reader;

const matches = (wanted: string | undefined, value: string | undefined): boolean =>
  wanted === undefined || wanted === value;

/** Whether the selector includes this application, journey and intended time. */
const isChosen = (
  { application, journey, stage }: Tags,
  of: { readonly application?: string; readonly journey?: string; readonly intendedAt: Micros },
  context: RunContext,
): boolean =>
  matches(application, of.application) &&
  matches(journey, of.journey) &&
  (stage === undefined || context.stages[context.stageAt(of.intendedAt)]?.name === stage);

/**
 * A metric of exchanges after the warm-up; the sample's instant is the end of the exchange.
 * @param lateUsOf see `Emit`
 */
const ofExchanges =
  (
    read: (
      exchange: Exchange,
      context: RunContext,
      tags: Tags,
    ) => number | readonly [part: number, whole: number] | undefined,
    lateUsOf: (exchange: Exchange) => number | undefined = () => undefined,
  ) =>
  (tags: Tags, context: RunContext): RecordReader =>
  (record, emit) => {
    if (record.kind !== 'exchange' || context.isWarmUp(record.intendedAt)) return;
    if (!matches(tags.operation, record.operation)) return;
    if (tags.outcome !== undefined && tags.outcome !== context.classOf(record)) return;
    if (tags.status !== undefined && tags.status !== String(record.status)) return;
    if (!isChosen(tags, record, context)) return;
    const value = read(record, context, tags);
    if (typeof value === 'number') emit(value, record.receivedAt, undefined, lateUsOf(record));
    else if (value) emit(value[0], record.receivedAt, value[1]);
  };

/** A connection that breaks at once is not a fast answer; its duration counts only if failures are selected. */
const durationSince = ({ outcome, receivedAt }: Exchange, tags: Tags, since: Micros): number | undefined =>
  outcome === 'failed' && tags.outcome !== 'failed' ? undefined : receivedAt - since;

const isFailed = (exchange: Exchange, context: RunContext): boolean =>
  !['success', 'refused'].includes(context.classOf(exchange)) && !context.isExpectedError(exchange);

const isRefusedBy = (limit: string | undefined, exchange: Exchange, context: RunContext): boolean =>
  exchange.outcome === 'refused' && matches(limit, context.limitOf(exchange));

const share = (is: boolean): readonly [number, number] => [is ? 1 : 0, 1];

/** A journey belongs to the stage of its arrival. */
const ofArrival = ({ journey, intendedAt, startedAt }: JourneyRecord) => ({
  journey,
  intendedAt: intendedAt ?? startedAt,
});

/** Metrics with one sample per record. */
const recordReaders = {
  http_reqs: ofExchanges(() => 1),
  http_req_duration: ofExchanges(
    (exchange, _, tags) => durationSince(exchange, tags, exchange.sentAt),
    ({ readLateUs }) => readLateUs,
  ),
  response_time: (tags, context) => {
    const standstills = new Standstills();
    const read = ofExchanges(
      (exchange) => durationSince(exchange, tags, exchange.intendedAt),
      ({ worker, intendedAt, sentAt, receivedAt, readLateUs = 0 }) =>
        // What it took in between is the service's.
        Math.min(sentAt - intendedAt + readLateUs, standstills.within(worker, intendedAt, receivedAt)),
    )(tags, context);
    return (record, emit) => {
      standstills.add(record);
      read(record, emit);
    };
  },
  http_req_failed: ofExchanges((exchange, context) => share(isFailed(exchange, context))),
  // The limit divides the part, not the whole: "refused by this limit, of all exchanges".
  rate_limited: ofExchanges((exchange, context, { limit }) => share(isRefusedBy(limit, exchange, context))),
  retries: ofExchanges((exchange) => (exchange.attempt > 1 ? 1 : undefined)),
  data_sent: ofExchanges((exchange) => exchange.bytes.sent),
  data_received: ofExchanges((exchange) => exchange.bytes.received),
  checks: (tags, context) => (record, emit) => {
    if ((record.kind !== 'exchange' && record.kind !== 'stream') || record.expect === undefined) return;
    const request = record.kind === 'exchange' ? record : record.handshake;
    if (request === undefined || context.isWarmUp(request.intendedAt) || !isChosen(tags, request, context)) return;
    const { checked, unmet } = record.expect;
    emit(checked - unmet.length, record.kind === 'exchange' ? record.receivedAt : record.at, checked);
  },
  cap_wait: (tags, context) => (record, emit) => {
    if (record.kind !== 'exchange' || context.isWarmUp(record.intendedAt)) return;
    if (!isChosen(tags, record, context)) return;
    for (const [cap, waited] of Object.entries(record.capWaitUs ?? {}))
      if (matches(tags.cap, cap)) emit(waited, record.receivedAt);
  },
  schedule_lag: (_, context) => {
    const lagOf = new ScheduleLag();
    return (record, emit) => {
      if (record.kind !== 'exchange') return;
      const lag = lagOf.of(record);
      if (lag !== undefined && !context.isWarmUp(record.intendedAt)) emit(lag, record.receivedAt);
    };
  },
  iterations: (tags, context) => (record, emit) => {
    if (record.kind !== 'journey' || context.isWarmUpJourney(record)) return;
    if (isChosen(tags, ofArrival(record), context) && matches(tags.outcome, record.outcome)) emit(1, record.endedAt);
  },
  iteration_duration: (tags, context) => {
    const standstills = new Standstills();
    return (record, emit) => {
      standstills.add(record);
      if (record.kind !== 'journey' || record.outcome !== 'completed' || context.isWarmUpJourney(record)) return;
      const { worker, startedAt, endedAt } = record;
      if (isChosen(tags, ofArrival(record), context))
        emit(endedAt - startedAt, endedAt, undefined, standstills.within(worker, startedAt, endedAt));
    };
  },
  dropped_iterations: (tags, context) => (record, emit) => {
    if (record.kind !== 'drop' || context.isWarmUp(record.intendedAt)) return;
    if (matches(tags.reason, record.reason) && isChosen(tags, record, context))
      emit(record.count ?? 1, record.intendedAt);
  },
  event_loop_delay: (_, context) => (record, emit) => {
    // A record describes the interval that ends with it.
    if (record.kind !== 'health' || context.isWarmUp((record.at - 1) as Micros)) return;
    if (record.eventLoopP99Us !== undefined) emit(record.eventLoopP99Us, record.at);
  },
} as const satisfies Partial<Record<MetricName, Make<RecordReader>>>;

const untilSeen =
  (at: (turn: Turn) => Micros | undefined): Make<TurnReader> =>
  () =>
  (turn, emit, { stoodStillUs }) => {
    const then = at(turn);
    const time = sinceAcceptance(turn, then);
    if (time === undefined || then === undefined) return;
    emit(time, then, undefined, stoodStillUs((then - time) as Micros, then));
  };

/** The generator can delay an observation only after the last one that saw the turn open. */
function seenLateUs({ acceptance, finished }: Turn, { stoodStillUs }: AboutTurn): number {
  if (acceptance === undefined || finished === undefined) return 0;
  const { after = acceptance.headersAt, observedAt } = finished;
  return stoodStillUs(Math.max(after, acceptance.headersAt) as Micros, observedAt);
}

/** Read from collectors, as the most of the whole run (`MetricSeries.reading`). */
type OfCollectors = 'open_turns' | 'daily_quota_used' | 'admitted_per_minute';

/** All other metrics: of turns; turns accepted in the warm-up are excluded before. A metric that has no reader does not compile. */
const turnReaders = {
  turn_completion:
    ({ by, bound }) =>
    (turn, emit, about) => {
      const completion = completionOf(turn);
      if (!completion || !matches(by, completion.by)) return;
      const { at, bounds, observedUs } = completion;
      const lateUs = seenLateUs(turn, about);
      if (bound === undefined || bound === 'observed') emit(observedUs, at, undefined, lateUs);
      else if (bound === 'longest' && bounds) emit(bounds.longestUs, at, undefined, lateUs);
      else if (bounds) emit(bounds.shortestUs, at);
    },
  turn_first_event: untilSeen((turn) => turn.firstEventAt),
  turn_first_delta: untilSeen((turn) => turn.firstDeltaAt),
  turn_poll_lag:
    () =>
    (turn, emit, { stoodStillUs }) => {
      const { state, seenByPollAt, seenByStreamAt } = turn;
      if (state !== 'completed' || seenByPollAt === undefined || seenByStreamAt === undefined) return;
      emit(seenByPollAt - seenByStreamAt, seenByPollAt, undefined, stoodStillUs(seenByStreamAt, seenByPollAt));
    },
  turn_server_latency: () => (turn, emit) => {
    if (turn.latencyMs !== undefined) emit(microsFromMillis(turn.latencyMs), latencyReportedAt(turn));
  },
  turn_failed: () => (turn, emit) => {
    if (turn.finished) emit(turn.state === 'failed' ? 1 : 0, turn.finished.observedAt, 1);
  },
  turn_not_completed:
    () =>
    (turn, emit, { givenUpAt }) => {
      const at = turn.finished?.observedAt ?? givenUpAt;
      if (at !== undefined) emit(turn.state === 'completed' ? 0 : 1, at, 1);
    },
} as const satisfies Record<Exclude<MetricName, keyof typeof recordReaders | OfCollectors>, Make<TurnReader>>;

export const recordReaderOf = (metric: MetricName): Make<RecordReader> | undefined =>
  Object.hasOwn(recordReaders, metric) ? recordReaders[metric as keyof typeof recordReaders] : undefined;
export function turnReaderOf(metric: MetricName): Make<TurnReader> | undefined {
  if (!Object.hasOwn(turnReaders, metric)) return undefined;
  const make: Make<TurnReader> = turnReaders[metric as keyof typeof turnReaders];
  return (tags, context) => {
    const reader = make(tags, context);
    if (tags.application === undefined && tags.journey === undefined && tags.stage === undefined) return reader;
    return (turn, emit, about) => {
      if (turn.acceptance && isChosen(tags, turn.acceptance, context)) reader(turn, emit, about);
    };
  };
}
