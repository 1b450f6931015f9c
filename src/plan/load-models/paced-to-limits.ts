import { formatCount, formatDuration, type Micros, microsFromMillis } from '../../base/index.ts';
import type { Allowance, LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { rateInWords } from './rate-profile.ts';

type PacedToLimits = Extract<LoadModel, { model: 'paced-to-limits' }>;

/**
 * Safety margin that is added to windows, days and turn times. A request may travel faster than the one sent a window earlier, and
 * would then arrive within the service's window; and a turn's slot may be freed shortly after the turn's end.
 */
const MARGIN_US = 20_000;

interface Pace {
  readonly gapUs: number;
  /** Arrivals per day: limited by the daily quota and by the gap. Absent: arrivals use no quota. */
  readonly perDay?: number;
  readonly dayUs: Micros;
  /** The limit that sets the gap. */
  readonly because: 'rate' | 'concurrency';
}

/** Journeys at a constant rate, as high as the declared limits allow for the most expensive journey. */
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
    const daily = perDay === undefined ? '' : `, ${formatCount(perDay)} a day`;
    const share = model.share === 1 ? '' : `${Number((model.share * 100).toPrecision(3))} % of `;
    return `paced to ${share}the limits: ${rateInWords(1_000_000 / gapUs)} (${because})${daily}, for ${formatDuration(pacedToLimits.durationUs(model))}`;
  },
};

function paceOf(model: PacedToLimits): Pace {
  const { allowance } = model;
  if (allowance === undefined)
    throw new Error('the allowance of paced-to-limits is unknown: call settleLoad before compilePlan');
  const gaps = { rate: rateGap(model, allowance), concurrency: concurrencyGap(model, allowance) };
  const because = gaps.rate >= gaps.concurrency ? 'rate' : 'concurrency';
  const { cost, limits } = allowance;
  const { max } = limits.daily;
  const dayUs = (limits.daily.dayUs + MARGIN_US) as Micros;
  const gapUs = gaps[because];
  if (cost.newMessages === 0) return { gapUs, dayUs, because };
  const quota = Math.max(1, Math.floor(atMost(max, model) / cost.newMessages));
  return { gapUs, dayUs, because, perDay: Math.max(1, Math.min(quota, Math.floor(dayUs / gapUs))) };
}

/** The share of a limit's maximum, but at least one, so that the plan is not empty. */
const atMost = (max: number, { share }: PacedToLimits): number => Math.max(1, Math.floor(max * share + 1e-9));

/**
 * Journeys that start one gap apart send each of their requests once per gap. With ⌊max ÷ cost⌋ gaps per window, no window contains
 * more than `max` requests, wherever it starts. A journey that costs more than `max` gets ⌈cost ÷ max⌉ windows of its own.
 */
function rateGap(model: PacedToLimits, { limits, cost }: Allowance): number {
  if (cost.requests === 0) return 0;
  const windowUs = limits.rate.windowUs + MARGIN_US;
  const max = atMost(limits.rate.max, model);
  return cost.requests <= max ? windowUs / Math.floor(max / cost.requests) : windowUs * Math.ceil(cost.requests / max);
}

/** The same for turns in process: ⌈open time ÷ gap⌉ journeys have turns in process at once. */
function concurrencyGap(model: PacedToLimits, { limits, cost }: Allowance): number {
  if (cost.openTurns === 0) return 0;
  const openUs = cost.openUs + MARGIN_US;
  return openUs / Math.max(1, Math.floor(atMost(limits.concurrency.max, model) / cost.openTurns));
}
