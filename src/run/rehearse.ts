import { type LatencyDistribution, quantileOf, type TargetProfile } from '../api/index.ts';
import { type Clock, type Micros, type Millis, microsFromMillis } from '../base/index.ts';
import { type Measurements, measure } from '../collect/index.ts';
import type { Plan } from '../plan/index.ts';
import { settle, type TurnTruth } from '../sandbox/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import type { DayKind } from './daily-use.ts';
import { stopper } from './interrupts.ts';
import { sandboxSettings, serviceRateOf } from './target.ts';
import { runVirtually } from './virtual-run.ts';

/** What a rehearsal assumes of the service. */
export interface Assumption {
  /** Share of turns that are at most as long as assumed, 0 < p < 1: every turn takes this quantile of its distribution. */
  readonly turnQuantile: number;
  /** Time of one request, there and back together. */
  readonly roundTripUs: Micros;
  /** Whether a service other than the embedded sandbox knows the conversations that a scenario names; default false. */
  readonly knowsConversations?: boolean;
  /** How the service's day turns, of whatever limits there are; default as the scenario and the profile say. */
  readonly day?: DayKind;
  /** Where the service's clock begins, unless the scenario says it; default noon, UTC, for what depends on no time of day. */
  readonly startTime?: string;
  /** The rehearsal is cut off after this many exchanges; default `MOST_EXCHANGES`. */
  readonly mostExchanges?: number;
}

export interface Rehearsal {
  readonly measurements: Measurements;
  /** False when the rehearsal was cut off: what it counted is then a lower bound. */
  readonly whole: boolean;
  readonly durationUs: Micros;
  /** The service's clock, in microseconds since 1970, at a time of the run. */
  readonly serviceAt: (at: Micros) => Micros;
  /** Most turns in process at once, of one of those for whom the limit is counted: the core's own truth. */
  readonly openTurns: number;
}

/** A plan of a limited API is small; a larger one is priced by its beginning. */
const MOST_EXCHANGES = 20_000;

const NOON = '2026-01-01T12:00:00Z';

/**
 * Runs a plan in virtual time against the sandbox's core, with turns of one assumed length. The price cannot drift from
 * what will be done, because the same code does it. Sends nothing.
 * @param embedded whether the embedded sandbox will serve, whose turns and clock are known; else the profile assumes them
 */
export async function rehearse(
  loaded: LoadedScenario,
  plan: Plan,
  embedded: boolean,
  assumption: Assumption,
): Promise<Rehearsal> {
  const settings = sandboxSettings(loaded);
  const rate = serviceRateOf(loaded, embedded);
  const startTime = settings.startTime ?? assumption.startTime ?? NOON;
  const serviceAt = (at: Micros) => (Date.parse(startTime) * 1_000 + at * rate) as Micros;
  const half = Math.ceil(assumption.roundTripUs / 2) as Micros;
  const most = assumption.mostExchanges ?? MOST_EXCHANGES;
  const measurements = measure();
  const stopping = stopper();
  const over = new AbortController();
  let exchanges = 0;
  let arrivals = 0;
  const isCut = () => exchanges >= most || arrivals > most;
  const { durationUs, core } = await runVirtually({
    // What a warm-up sends costs as much as anything else, though no metric has it.
    loaded: { ...loaded, scenario: { ...loaded.scenario, warmUp: 0 as Millis } },
    // Of a huge burst every journey would begin before the first exchange: what is not rehearsed must not be held either.
    plan: {
      ...plan,
      *arrivals() {
        for (const arrival of plan.arrivals()) {
          arrivals++;
          if (isCut()) return stopping.stop('deadline');
          yield arrival;
        }
      },
    },
    settings: {
      ...settings,
      limits: turningBy(settings.limits, assumption.day),
      // A price is that of an honest service.
      defects: [],
      clockRate: rate,
      latency: assumedLatency(loaded, embedded, assumption.turnQuantile),
      startTime,
    },
    embedded,
    knowsConversations: !embedded && assumption.knowsConversations === true,
    delayUs: () => [half, half],
    stop(clock) {
      void endingAt(loaded.scenario.deadline, clock, over.signal).then((isOver) => isOver && stopping.stop('deadline'));
      return stopping.signals;
    },
    record(entry) {
      measurements.add(entry);
      if (entry.kind === 'exchange' && ++exchanges >= most) stopping.stop('deadline');
    },
  });
  over.abort();
  const { turns } = core.truth(serviceAt(durationUs));
  return {
    measurements,
    whole: !isCut(),
    durationUs,
    serviceAt,
    openTurns: mostOpen(turns, loaded.profile.limits.concurrency),
  };
}

type Limits = ReturnType<typeof sandboxSettings>['limits'];

const turningBy = (limits: Limits, day: DayKind | undefined): Limits =>
  day === undefined || !Array.isArray(limits?.daily)
    ? limits
    : { ...limits, daily: limits.daily.map((daily) => ({ ...daily, day })) };

/** Sleeps until the scenario's own end. @returns whether it has come; never where there is none, or the run was over before */
async function endingAt(deadline: Millis | undefined, clock: Clock, over: AbortSignal): Promise<boolean> {
  if (deadline === undefined) return false;
  await clock.sleepUntil(microsFromMillis(deadline), over);
  return !over.aborted;
}

function mostOpen(turns: readonly TurnTruth[], { scope }: TargetProfile['limits']['concurrency']): number {
  const changes = new Map<string, { readonly at: number; readonly by: 1 | -1 }[]>();
  for (const turn of turns) {
    // A turn's token is not kept: its user's turns are no fewer.
    const counter =
      scope === 'application' ? turn.application : scope === 'conversation' ? turn.conversationId : turn.user;
    const own = changes.get(counter) ?? [];
    own.push({ at: turn.acceptedAt, by: 1 }, { at: turn.finishedAt, by: -1 });
    changes.set(counter, own);
  }
  let most = 0;
  for (const own of changes.values()) {
    let open = 0;
    // What ends in the instant in which another begins leaves its slot to it.
    for (const { by } of own.sort((a, b) => a.at - b.at || a.by - b.by)) {
      open += by;
      most = Math.max(most, open);
    }
  }
  return most;
}

/** How long every turn of a rehearsal takes from its acceptance to its end, on the run's clock. */
export function assumedTurnUs(loaded: LoadedScenario, embedded: boolean, quantile: number): Micros {
  const { queued, processing } = assumedLatency(loaded, embedded, quantile);
  const ms = quantileOf(queued, quantile) + quantileOf(processing, quantile);
  return Math.ceil(microsFromMillis(ms) / serviceRateOf(loaded, embedded)) as Micros;
}

type Latency = { readonly queued: LatencyDistribution; readonly processing: LatencyDistribution };

/** The embedded sandbox's own distributions are known; of another service the profile assumes one. */
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
