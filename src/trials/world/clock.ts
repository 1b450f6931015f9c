import type { Micros } from '../../base/index.ts';
import type { ClockRecord, Header } from '../../history/index.ts';
import { type Draw, drawOf } from '../draw.ts';

/** The service's clock as it is, and what a journal says of it. */
export interface ServiceClock {
  /** Service time at a run time, µs since 1970, in ticks of the service's granularity. */
  readonly tickAt: (t: number) => Micros;
  /** The same without ticks, not rounded. */
  readonly at: (t: number) => number;
  /** The run time at which it is this late, whatever the ticks. */
  readonly runAt: (serviceUs: number) => number;
  /** The first run time at which the ticking clock shows this or more. */
  readonly shownAt: (serviceUs: number) => number;
  /** Service seconds per run second, as the journal claims it; the true speed lies within the drift of it. */
  readonly rate: number;
  readonly bounds: Pick<Header['clock'], 'driftPpm' | 'granularityUs'>;
  readonly records: (untilUs: number, draw: Draw) => readonly ClockRecord[];
}

/** Near midnights, changes of the clocks and nothing in particular; few, because zones are worked out per pair of days. */
const STARTS = ['2026-01-15T09:00:00Z', '2026-03-28T22:30:00Z', '2026-10-24T23:59:00Z', '2026-11-21T12:00:00Z'];

/** @param windowUs the length, on the service's clock, that ticks are small or large against */
export function drawClock(seed: number, windowUs: number): ServiceClock {
  const draw = drawOf(seed, 'clock');
  const embedded = draw.chance(0.4);
  const rate = embedded ? draw.pick([1, 1, 10, 60, 600]) : 1;
  const driftPpm = embedded ? 0 : draw.pick([0, 500, 500, 20_000]);
  const granularityUs = embedded ? 0 : draw.pick([0, 1_000, windowUs / 50, windowUs / 10]);
  const speed = rate * (1 + (draw.between(-1, 1) * driftPpm) / 1e6);
  const originUs = Date.parse(draw.pick(STARTS)) * 1_000 + Math.floor(draw.between(0, 3_600e6));
  const at = (t: number) => originUs + t * speed;
  const tick = draw.chance(0.7) ? granularityUs : 0;
  const tickAt = (t: number) => (tick > 1 ? Math.floor(Math.floor(at(t) / tick) * tick) : Math.floor(at(t))) as Micros;
  return {
    tickAt,
    at,
    runAt: (serviceUs) => (serviceUs - originUs) / speed,
    shownAt: (serviceUs) => ((tick > 1 ? Math.ceil(serviceUs / tick) * tick : serviceUs) - originUs) / speed,
    rate,
    bounds: { driftPpm, granularityUs: Math.ceil(granularityUs) as Micros },
    records: (untilUs, told) => recordsOf(told, at, rate, untilUs),
  };
}

/** One at the beginning, sometimes more, each as wrong as it admits; sometimes none. */
function recordsOf(draw: Draw, at: (t: number) => number, rate: number, untilUs: number): ClockRecord[] {
  if (rate === 1 && draw.chance(0.1)) return [];
  const plusMinusUs = draw.pick([1, 1, 20, 1_500_000]);
  const later = draw.chance(0.3) ? Array.from({ length: 3 }, () => draw.between(0, untilUs)).sort((a, b) => a - b) : [];
  return [0, ...later].map((instant) => {
    const t = Math.floor(instant);
    // A whole microsecond of what is admitted goes to rounding.
    const error = draw.between(-1, 1) * (plusMinusUs - 1);
    return {
      kind: 'clock',
      at: t as Micros,
      serviceUs: Math.round(at(t) + error) as Micros,
      plusMinusUs: plusMinusUs as Micros,
      rate,
    };
  });
}
