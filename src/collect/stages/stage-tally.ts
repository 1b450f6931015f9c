import type { Micros } from '../../base/index.ts';
import type { Exchange, JourneyRecord, StageRecord, Turn } from '../../history/index.ts';
import type { RunContext } from '../context.ts';
import { Counts } from '../counts.ts';
import { MicrosHistogram } from '../histograms/histogram.ts';
import {
  type Attribution,
  attributions,
  failuresIn,
  journeyOutcomes,
  type OutcomeClass,
  outcomeClasses,
  type StageState,
  type StageSummary,
  wasSentLate,
} from '../summary.ts';
import { completionOf } from '../turns/turn-times.ts';
import { type Backlog, fellBehind, isTooShort } from './fell-behind.ts';
import { scenarioCaps } from './stage-backlog.ts';

/** How much of a stage was measured. */
interface Extent {
  readonly measuredUs: Micros;
  /** False: the run was cut short before its end. */
  readonly isWhole: boolean;
  /** False: the history has no end and no request that was due later, so some of this stage may be unanswered and not be recorded. */
  readonly isPassed: boolean;
}

interface Backlogs {
  readonly requests: Backlog;
  readonly turns: Backlog;
}

/** Counts of one stage; two of the same stage can be merged. */
export class StageTally {
  readonly journeys = new Counts<JourneyRecord['outcome']>();
  dropped = 0;
  readonly #outcomes = new Counts<OutcomeClass>();
  readonly #refusedBy = new Counts<Attribution>();
  #expectedErrors = 0;
  #cutOff = 0;
  /** Sent after the stage's end because the generator stood still. */
  #sentLate = 0;
  /** What ended within its measured time, whichever stage it began in: the throughput of that time. */
  #ended = { journeys: 0, successes: 0 };
  /** Times of successes; created with the first one, because each histogram takes 120 KiB. */
  #times: { readonly service: MicrosHistogram; readonly response: MicrosHistogram } | undefined;
  #heldBack = { count: 0, totalUs: 0, maxUs: 0, sentLater: 0 };

  /**
   * @param due when it should have been sent
   * @param toUs the stage's planned end; exchanges of the last stage may be intended after it
   */
  addExchange(exchange: Exchange, due: Micros, context: RunContext, toUs: Micros): void {
    const outcome = context.classOf(exchange);
    this.#outcomes.add(outcome);
    if (outcome === 'refused') this.#refusedBy.add(context.limitOf(exchange));
    if (context.isExpectedError(exchange)) this.#expectedErrors += 1;
    if (exchange.failure === 'stopped') this.#cutOff += 1;
    const isSentLater = exchange.intendedAt < toUs && exchange.sentAt >= toUs;
    const isHeldBack = this.#addWaits(exchange, isSentLater);
    if (isSentLater && !isHeldBack && due >= toUs) this.#sentLate += 1;
    if (outcome !== 'success') return;
    const { service, response } = this.#timesNow();
    service.record(exchange.receivedAt - exchange.sentAt, exchange.receivedAt);
    response.record(exchange.receivedAt - exchange.intendedAt, exchange.receivedAt);
  }

  addEnded(what: 'journeys' | 'successes'): void {
    this.#ended[what] += 1;
  }

  merge(other: StageTally): void {
    this.journeys.merge(other.journeys);
    this.dropped += other.dropped;
    this.#outcomes.merge(other.#outcomes);
    this.#refusedBy.merge(other.#refusedBy);
    this.#expectedErrors += other.#expectedErrors;
    this.#cutOff += other.#cutOff;
    this.#sentLate += other.#sentLate;
    this.#ended.journeys += other.#ended.journeys;
    this.#ended.successes += other.#ended.successes;
    if (other.#times) {
      const { service, response } = this.#timesNow();
      service.add(other.#times.service);
      response.add(other.#times.response);
    }
    const [ours, theirs] = [this.#heldBack, other.#heldBack];
    this.#heldBack = {
      count: ours.count + theirs.count,
      totalUs: ours.totalUs + theirs.totalUs,
      maxUs: Math.max(ours.maxUs, theirs.maxUs),
      sentLater: ours.sentLater + theirs.sentLater,
    };
  }

  /** @param turns whose messages were intended in the stage */
  summary(stage: StageRecord, turns: readonly Turn[], backlog: Backlogs, extent: Extent): StageSummary {
    const counted = this.#counted(extent.measuredUs);
    const ofTurns = turnsIn(turns);
    const pace = paceOf(stage, backlog, extent);
    return {
      ...stage,
      measuredUs: extent.measuredUs,
      state: stateOf(counted, ofTurns?.failed ?? 0, { ...extent, ...pace, sentLater: this.#heldBack.sentLater }),
      ...pace,
      ...counted,
      ...this.#latency(),
      ...(this.#heldBack.count > 0 && { heldBack: this.#heldBack as NonNullable<StageSummary['heldBack']> }),
      ...(ofTurns && { turns: ofTurns }),
    };
  }

  #counted(measuredUs: Micros): Counted {
    const byOutcome = this.#outcomes.of(outcomeClasses);
    const exchanges = this.#outcomes.total;
    const journeys = this.journeys.of(journeyOutcomes);
    const expected = this.#expectedErrors > 0 && { expectedErrors: this.#expectedErrors };
    const perMinute = (count: number) => (count * 60_000_000) / measuredUs;
    return {
      arrivals: this.journeys.total + this.dropped,
      dropped: this.dropped,
      journeys,
      exchanges,
      byOutcome,
      ...(this.#cutOff > 0 && { cutOff: this.#cutOff }),
      ...(this.#sentLate > 0 && { sentLate: this.#sentLate }),
      ...expected,
      refusedBy: this.#refusedBy.of(attributions),
      ...(exchanges > 0 && {
        refusedShare: byOutcome.refused / exchanges,
        failedShare: failuresIn({ byOutcome, ...expected }) / exchanges,
      }),
      ...(measuredUs > 0 && {
        perMinute: {
          completedJourneys: perMinute(this.#ended.journeys),
          successes: perMinute(this.#ended.successes),
        },
      }),
    };
  }

  #latency(): Pick<StageSummary, 'latency'> {
    const service = this.#times?.service.distribution();
    const response = this.#times?.response.distribution();
    return service && response ? { latency: { service, response } } : {};
  }

  /** @returns whether it waited for a cap */
  #addWaits({ capWaitUs = {} }: Exchange, isSentLater: boolean): boolean {
    const waits = scenarioCaps.flatMap((cap) => capWaitUs[cap] ?? []);
    if (waits.length === 0) return false;
    const waited = waits.reduce((sum, us) => sum + us, 0);
    this.#heldBack.count += 1;
    if (isSentLater) this.#heldBack.sentLater += 1;
    this.#heldBack.totalUs += waited;
    this.#heldBack.maxUs = Math.max(this.#heldBack.maxUs, waited);
    return true;
  }

  #timesNow() {
    this.#times ??= { service: new MicrosHistogram(), response: new MicrosHistogram() };
    return this.#times;
  }
}

type Pace = Pick<StageSummary, 'behind' | 'turnsBehind' | 'tooShort'>;
type Counted = Omit<
  StageSummary,
  keyof StageRecord | keyof Pace | 'measuredUs' | 'state' | 'latency' | 'heldBack' | 'turns'
>;

/**
 * Whether the service kept up with a whole stage. Users wait for their answers, so nobody can fall behind a plan of users: more
 * unanswered requests may be more users.
 */
function paceOf({ users }: StageRecord, { requests, turns }: Backlogs, { measuredUs, isWhole }: Extent): Pace {
  if (users !== undefined || !isWhole || measuredUs === 0) return {};
  const [behind, turnsBehind] = [fellBehind(requests), fellBehind(turns)];
  if (behind || turnsBehind) return { ...(behind && { behind }), ...(turnsBehind && { turnsBehind }) };
  return isTooShort(requests) || isTooShort(turns) ? { tooShort: true } : {};
}

function turnsIn(turns: readonly Turn[]): StageSummary['turns'] {
  if (turns.length === 0) return undefined;
  const count = (state: Turn['state']) => turns.filter((turn) => turn.state === state).length;
  const times = new MicrosHistogram();
  for (const turn of turns) {
    const completion = completionOf(turn);
    if (completion) times.record(completion.observedUs, completion.at);
  }
  const completion = times.distribution();
  return {
    accepted: turns.length,
    completed: count('completed'),
    failed: count('failed'),
    unfinished: count('unfinished'),
    ...(completion && { completion }),
  };
}

/** Uses only counts, not latency: how slow is too slow is for a gate to decide. */
function stateOf(
  counted: Counted,
  failedTurns: number,
  {
    measuredUs,
    isWhole,
    isPassed,
    sentLater,
    behind,
    turnsBehind,
    tooShort,
  }: Extent & Pace & { readonly sentLater: number },
): StageState {
  const { byOutcome, cutOff = 0, journeys, dropped, exchanges, arrivals } = counted;
  const failed = failuresIn(counted) - cutOff;
  if (byOutcome.refused + failed + journeys.stopped + failedTurns > 0 || behind || turnsBehind) return 'gave-in';
  const isLoaded = !wasSentLate(counted);
  const isMeasured = isWhole && isPassed && isLoaded && measuredUs > 0 && exchanges > 0 && arrivals > 0 && !tooShort;
  return isMeasured && sentLater + dropped + cutOff + journeys.interrupted === 0 ? 'held' : 'untold';
}
