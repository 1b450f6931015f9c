import { type Day, type LatencyDistribution, quantileOf, serviceTimeOf, type TargetProfile } from '../../api/index.ts';
import { type Clock, groupedBy, type Micros, type Millis, microsFromMillis } from '../../base/index.ts';
import { type Measurements, measure } from '../../collect/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { Plan } from '../../plan/index.ts';
import { settle, type TurnTruth } from '../../sandbox/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import { type Stopper, stopper } from '../interrupts.ts';
import { sandboxSettings, serviceRateOf } from '../target/target.ts';
import { inSandboxWords } from './sandbox-words.ts';
import { runVirtually } from './virtual-run.ts';

/** What a rehearsal assumes about the service. */
export interface Assumption {
  /** Every turn takes this quantile of its length's distribution, 0 < p < 1. */
  readonly turnQuantile: number;
  /** Network round trip of one request. */
  readonly roundTripUs: Micros;
  /**
   * Whether a service other than the embedded sandbox knows the conversations that a scenario names, and accepts an id sent again
   * with other content if it may; default false.
   */
  readonly knowsConversations?: boolean;
  /** The kind of day for all daily limits; default as the scenario and the profile declare. */
  readonly day?: Day;
  /** Start of the service's clock, if the scenario does not set it; default noon UTC. */
  readonly startTime?: string;
  /** The rehearsal is cut off after this many exchanges; default `MOST_EXCHANGES`. */
  readonly mostExchanges?: number;
  /** Is told every record. */
  readonly listen?: (record: JournalRecord) => void;
}

/** Assumed round trip to the embedded sandbox, and to a service that answers at once. */
export const FAST_ROUND_TRIP_US = 2_000 as Micros;
/** Assumed round trip to another service. */
export const REMOTE_ROUND_TRIP_US = 100_000 as Micros;

export interface Rehearsal {
  readonly measurements: Measurements;
  /** False: the rehearsal was cut off, and its counts are lower bounds. */
  readonly whole: boolean;
  readonly durationUs: Micros;
  /** The service's time, in microseconds since 1970, at an instant of the run. */
  readonly serviceAt: (at: Micros) => Micros;
  /** Arrivals of the plan that the rehearsal did not come to, because it was over before them. */
  readonly unseen: number;
  /** Most turns in process at once in one bucket of the limit's scope, as the sandbox's core counted them. */
  readonly openTurns: number;
}

/** Plans for a limited API are small; of a larger plan, only the beginning is rehearsed. */
export const MOST_EXCHANGES = 20_000;

const NOON = '2026-01-01T12:00:00Z';

/**
 * Runs a plan in virtual time against the sandbox's core, with turns of one assumed length. A forecast made this way matches the
 * real run, because the same code executes both. Sends nothing.
 * @param embedded whether the target is the embedded sandbox, whose turn lengths and clock are known; otherwise the profile's
 *   assumptions apply
 */
export async function rehearse(
  given: LoadedScenario,
  plan: Plan,
  embedded: boolean,
  assumption: Assumption,
): Promise<Rehearsal> {
  const loaded = embedded ? given : inSandboxWords(given);
  const settings = rehearsedSettings(loaded, embedded, assumption);
  const serviceAt = (at: Micros) => (serviceTimeOf(settings.startTime) + at * settings.clockRate) as Micros;
  const half = Math.ceil(assumption.roundTripUs / 2) as Micros;
  const measurements = measure();
  const stopping = stopper();
  const cut = cutAfter(assumption.mostExchanges ?? MOST_EXCHANGES, stopping);
  const over = new AbortController();
  const { durationUs, core } = await runVirtually({
    // Requests of the warm-up cost as much as others, although metrics exclude them.
    loaded: { ...loaded, scenario: { ...loaded.scenario, warmUp: 0 as Millis } },
    plan: { ...plan, arrivals: () => cut.arrivals(plan) },
    settings,
    embedded,
    knowsConversations: !embedded && assumption.knowsConversations === true,
    delayUs: () => [half, half],
    stop(clock) {
      void endingAt(plan.stopsAtUs, clock, over.signal).then((isOver) => isOver && stopping.stop('deadline'));
      return stopping.signals;
    },
    record(entry) {
      measurements.add(entry);
      assumption.listen?.(entry);
      if (entry.kind === 'exchange') cut.countExchange();
    },
  });
  over.abort();
  const openTurns = mostOpen(core.truth(serviceAt(durationUs)).turns, loaded.profile.limits.concurrency);
  return {
    measurements,
    whole: !cut.isCut(),
    durationUs,
    serviceAt,
    unseen: plan.arrivalCount - cut.seen(),
    openTurns,
  };
}

/** Cuts a rehearsal off after a number of exchanges. */
function cutAfter(most: number, stopping: Stopper) {
  let exchanges = 0;
  let arrivals = 0;
  const isCut = () => exchanges >= most || arrivals > most;
  return {
    isCut,
    seen: () => arrivals,
    /** All journeys of a huge burst start before the first exchange: arrivals are cut off too, so that memory stays bounded. */
    *arrivals(plan: Plan) {
      for (const arrival of plan.arrivals()) {
        // After the deadline nothing is sent, however many arrivals are left.
        if (stopping.signals.finish.aborted) return;
        arrivals++;
        if (isCut()) return stopping.stop('deadline');
        yield arrival;
      }
    },
    countExchange() {
      if (++exchanges >= most) stopping.stop('deadline');
    },
  };
}

/**
 * Those of the scenario, without defects and faults: the forecast is for a service that has none. Nor do turns fail at another service
 * as often as in the scenario's sandbox.
 */
function rehearsedSettings(loaded: LoadedScenario, embedded: boolean, assumption: Assumption) {
  const settings = sandboxSettings(loaded);
  return {
    ...settings,
    limits: withDay(settings.limits, assumption.day),
    defects: [],
    faults: [],
    ...(!embedded && { failureShare: 0 }),
    clockRate: serviceRateOf(loaded, embedded),
    latency: assumedLatency(loaded, embedded, assumption.turnQuantile),
    startTime: settings.startTime ?? assumption.startTime ?? NOON,
  };
}

type Limits = ReturnType<typeof sandboxSettings>['limits'];

const withDay = (limits: Limits, day: Day | undefined): Limits =>
  day === undefined || !Array.isArray(limits?.daily)
    ? limits
    : { ...limits, daily: limits.daily.map((daily) => ({ ...daily, day })) };

/** Sleeps until the plan stops the run. @returns false if it does not, or if the run ended before */
async function endingAt(stopsAtUs: Micros | undefined, clock: Clock, over: AbortSignal): Promise<boolean> {
  if (stopsAtUs === undefined) return false;
  await clock.sleepUntil(stopsAtUs, over);
  return !over.aborted;
}

function mostOpen(turns: readonly TurnTruth[], { scope }: TargetProfile['limits']['concurrency']): number {
  // A turn's token is unknown. For a limit per token, its user's turns are counted, which are at least as many.
  const counters = groupedBy(turns, ({ application, conversationId, user }) =>
    scope === 'application' ? application : scope === 'conversation' ? conversationId : user,
  );
  let most = 0;
  for (const own of counters.values()) {
    const changes = own.flatMap(({ acceptedAt, finishedAt }) => [
      { at: acceptedAt, by: 1 },
      { at: finishedAt, by: -1 },
    ]);
    let open = 0;
    // At equal instants ends come first: a turn that ends frees its slot for one that starts.
    for (const { by } of changes.sort((a, b) => a.at - b.at || a.by - b.by)) {
      open += by;
      most = Math.max(most, open);
    }
  }
  return most;
}

/** How long every turn of a rehearsal takes, from acceptance to end, on the run's clock. */
export function assumedTurnUs(loaded: LoadedScenario, embedded: boolean, quantile: number): Micros {
  const { queued, processing } = assumedLatency(loaded, embedded, quantile);
  const ms = quantileOf(queued, quantile) + quantileOf(processing, quantile);
  return Math.ceil(microsFromMillis(ms) / serviceRateOf(loaded, embedded)) as Micros;
}

type Latency = { readonly queued: LatencyDistribution; readonly processing: LatencyDistribution };

/** The distributions of the embedded sandbox are known; for another service the profile assumes one. */
function assumedLatency(loaded: LoadedScenario, embedded: boolean, quantile: number): Latency {
  const constant = (distribution: LatencyDistribution): LatencyDistribution => ({
    distribution: 'constant',
    value: quantileOf(distribution, quantile),
  });
  if (!embedded)
    return {
      queued: { distribution: 'constant', value: 0 as Millis },
      processing: constant(loaded.profile.turns.assumed),
    };
  const own = settle(sandboxSettings(loaded)).latency;
  return { queued: constant(own.queued), processing: constant(own.processing) };
}
