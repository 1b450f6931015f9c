import { formatDuration, type Micros, microsFromMillis } from '../../base/index.ts';
import type { Allowance, LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { rateInWords } from './rate-profile.ts';

type PacedToLimits = Extract<LoadModel, { model: 'paced-to-limits' }>;

/**
 * A request that travels faster than the one a window before it would arrive inside the service's window, and a turn's slot
 * is free a little after its end: windows and turns are taken to be this much longer.
 */
const MARGIN_US = 20_000;

interface Pace {
  readonly gapUs: number;
  /** Arrivals in each day: what its quota allows, and no more than fit into it. Absent: no arrival costs quota. */
  readonly perDay?: number;
  readonly dayUs: Micros;
  /** The limit that sets the gap. */
  readonly because: 'rate' | 'concurrency';
}

/** As many journeys as the declared limits allow, evenly: no faster than each of them allows the dearest journey. */
export const pacedToLimits: LoadModelKind<PacedToLimits> = {
  *arrivals(model) {
    const { gapUs, dayUs, perDay } = paceOf(model);
    const total = pacedToLimits.count(model, 0);
    for (let k = 0; k < total; k++) {
      const day = perDay === undefined ? 0 : Math.floor(k / perDay);
      yield Math.round(day * dayUs + (k - day * (perDay ?? 0)) * gapUs) as Micros;
    }
  },
  count(model) {
    const { gapUs, dayUs, perDay } = paceOf(model);
    const endUs = pacedToLimits.durationUs(model);
    const within = (lengthUs: number) => Math.ceil(lengthUs / gapUs - 1e-9);
    if (perDay === undefined) return within(endUs);
    const days = Math.floor(endUs / dayUs);
    return days * perDay + Math.min(perDay, within(endUs - days * dayUs));
  },
  users: () => [],
  durationUs: (model) => microsFromMillis(model.duration),
  describe(model) {
    const { gapUs, perDay, because } = paceOf(model);
    const daily = perDay === undefined ? '' : `, ${perDay} a day`;
    const share = model.share === 1 ? '' : `${Number((model.share * 100).toPrecision(3))} % of `;
    return `paced to ${share}the limits: ${rateInWords(1_000_000 / gapUs)} (${because})${daily}, for ${formatDuration(pacedToLimits.durationUs(model))}`;
  },
};

function paceOf(model: PacedToLimits): Pace {
  const { allowance } = model;
  if (allowance === undefined)
    throw new Error('what the limits allow is not known: settle the plan for its target first');
  const gaps = { rate: rateGap(model, allowance), concurrency: concurrencyGap(model, allowance) };
  const because = gaps.rate >= gaps.concurrency ? 'rate' : 'concurrency';
  const { cost, limits } = allowance;
  const { max, dayUs } = limits.daily;
  const gapUs = gaps[because];
  if (cost.newMessages === 0) return { gapUs, dayUs, because };
  const quota = Math.max(1, Math.floor(atMost(max, model) / cost.newMessages));
  return { gapUs, dayUs, because, perDay: Math.max(1, Math.min(quota, Math.floor(dayUs / gapUs))) };
}

/** At least one, whatever the share: a plan of nothing would say nothing. */
const atMost = (max: number, { share }: PacedToLimits): number => Math.max(1, Math.floor(max * share + 1e-9));

/**
 * Journeys a gap apart repeat each of their requests once a gap: with ⌊max ÷ cost⌋ gaps to a window, no window holds more
 * than max requests, wherever it begins. A journey that alone needs more takes as many windows for itself.
 */
function rateGap(model: PacedToLimits, { limits, cost }: Allowance): number {
  if (cost.requests === 0) return 0;
  const windowUs = limits.rate.windowUs + MARGIN_US;
  const max = atMost(limits.rate.max, model);
  return cost.requests <= max ? windowUs / Math.floor(max / cost.requests) : windowUs * Math.ceil(cost.requests / max);
}

/** The same for turns in process: of journeys a gap apart, ⌈open time ÷ gap⌉ are in process at once. */
function concurrencyGap(model: PacedToLimits, { limits, cost }: Allowance): number {
  if (cost.openTurns === 0) return 0;
  const openUs = cost.openUs + MARGIN_US;
  return openUs / Math.max(1, Math.floor(atMost(limits.concurrency.max, model) / cost.openTurns));
}
