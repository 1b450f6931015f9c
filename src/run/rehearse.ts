import { type LatencyDistribution, quantileOf } from '../api/index.ts';
import { type Micros, type Millis, microsFromMillis } from '../base/index.ts';
import { type Measurements, measure } from '../collect/index.ts';
import type { Plan } from '../plan/index.ts';
import { settle } from '../sandbox/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { stopper } from './interrupts.ts';
import { sandboxSettings, serviceRateOf } from './target.ts';
import { runVirtually } from './virtual-run.ts';

/** What a rehearsal assumes of the service. */
export interface Assumption {
  /** Share of turns that are at most as long as assumed, 0 < p < 1: every turn takes this quantile of its distribution. */
  readonly turnQuantile: number;
  /** Time of one request, there and back together. */
  readonly roundTripUs: Micros;
  /** The rehearsal is cut off after this many exchanges; default `MOST_EXCHANGES`. */
  readonly mostExchanges?: number;
}

export interface Rehearsal {
  readonly measurements: Measurements;
  /** False when the rehearsal was cut off: what it counted is then a lower bound. */
  readonly whole: boolean;
  readonly durationUs: Micros;
}

/** A plan of a limited API is small; a larger one is priced by its beginning. */
const MOST_EXCHANGES = 20_000;

/** Noon, UTC: no day turns unless the plan lasts that long. */
const REHEARSAL_START = '2026-01-01T12:00:00Z';

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
  const half = Math.ceil(assumption.roundTripUs / 2) as Micros;
  const most = assumption.mostExchanges ?? MOST_EXCHANGES;
  const measurements = measure();
  const stopping = stopper();
  let exchanges = 0;
  const { durationUs } = await runVirtually({
    loaded,
    plan,
    settings: {
      ...settings,
      // A price is that of an honest service.
      defects: [],
      clockRate: serviceRateOf(loaded, embedded),
      latency: assumedLatency(loaded, embedded, assumption.turnQuantile),
      startTime: settings.startTime ?? REHEARSAL_START,
    },
    embedded,
    delayUs: () => [half, half],
    stop: () => stopping.signals,
    record(entry) {
      measurements.add(entry);
      if (entry.kind === 'exchange' && ++exchanges >= most) stopping.stop('deadline');
    },
  });
  return { measurements, whole: exchanges < most, durationUs };
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
