import type { Micros } from '../../base/index.ts';
import type { Header } from '../../history/index.ts';
import { type Draw, drawOf } from '../draw.ts';
import { courseOf, type Stretch } from './course.ts';
import { type Dates, datesOf } from './dates.ts';

/** The service's clock as it is. */
export interface ServiceClock {
  /** Service time at a run time, µs since 1970, in ticks of the service's granularity; never goes back. */
  readonly tickAt: (t: number) => Micros;
  /** The same without ticks, not rounded. */
  readonly at: (t: number) => number;
  /** The first run time at which it is this late, whatever the ticks. */
  readonly runAt: (serviceUs: number) => number;
  /** The first run time at which the ticking clock shows this or more. */
  readonly shownAt: (serviceUs: number) => number;
  /** How long a span of service time takes in the run while nobody sets the clock. */
  readonly spanOf: (serviceUs: number) => number;
  /** Service seconds per run second, as the journal claims it; the true speed lies within the drift of it. */
  readonly rate: number;
  /** Whether it is told exactly. */
  readonly isEmbedded: boolean;
  readonly bounds: Pick<Header['clock'], 'driftPpm' | 'granularityUs'>;
  /** When it is set, and by how much. */
  readonly steps: readonly Step[];
  /** Of a service of which answers alone tell the time. */
  readonly dates?: Dates;
}

export interface Step {
  /** Run time, whole µs. */
  readonly at: number;
  readonly byUs: number;
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
  const tick = draw.chance(0.7) ? granularityUs : 0;
  const going = drawOf(seed, 'clock as it goes');
  const unitUs = windowUs / rate;
  const steps = going.chance(0.12) ? stepsOf(going, embedded, unitUs) : [];
  const bends = going.chance(0.2) ? momentsIn(going, unitUs).map((at) => ({ at, byUs: 0 })) : [];
  const speedNow = () => rate * (1 + (going.between(-1, 1) * driftPpm) / 1e6);
  const course = courseOf(stretchesOf({ from: 0, serviceUs: originUs, speed }, [...steps, ...bends], speedNow));
  const { at, runAt } = course;
  const isDated = !embedded && (steps.length > 0 || going.chance(0.5));
  return {
    tickAt: (t) => (tick > 1 ? Math.floor(Math.floor(at(t) / tick) * tick) : Math.floor(at(t))) as Micros,
    at,
    runAt,
    shownAt: (serviceUs) => runAt(tick > 1 ? Math.ceil(serviceUs / tick) * tick : serviceUs),
    spanOf: (serviceUs) => serviceUs / speed,
    rate,
    isEmbedded: embedded,
    bounds: { driftPpm, granularityUs: Math.ceil(granularityUs) as Micros },
    steps,
    ...(isDated && { dates: datesOf(seed, course, steps.length === 0) }),
  };
}

/** By so much nobody can see in whole seconds that a clock was set; and so that everybody does. */
const SMALL_US = [-900_000, -300_000, 50_000, 300_000, 700_000, 900_000];
const LARGE_US = [-3_600e6, -30e6, -5e6, 5e6, 30e6, 3_600e6];

/** An embedded clock is set forward, by hand; any other by whoever corrects it. @param unitUs of the run */
function stepsOf(draw: Draw, embedded: boolean, unitUs: number): readonly Step[] {
  const moments = momentsIn(draw, unitUs);
  if (embedded) return moments.map((at) => ({ at, byUs: Math.ceil(unitUs * draw.pick([0.1, 1, 3])) }));
  if (draw.chance(0.5)) return moments.slice(0, 1).map((at) => ({ at, byUs: draw.pick(LARGE_US) }));
  return moments.map((at) => ({ at, byUs: draw.pick(SMALL_US) }));
}

/** One to three, while most of the traffic is sent. */
const momentsIn = (draw: Draw, unitUs: number): readonly number[] =>
  Array.from({ length: draw.whole(1, 3) }, () => Math.ceil(draw.between(0, 2.5) * unitUs)).sort((a, b) => a - b);

/** @param turns where it is set, by nothing or more, and goes on at another speed */
function stretchesOf(first: Stretch, turns: readonly Step[], speedNow: () => number): readonly [Stretch, ...Stretch[]] {
  const stretches: [Stretch, ...Stretch[]] = [first];
  for (const { at, byUs } of turns.toSorted((a, b) => a.at - b.at)) {
    const { from, serviceUs, speed } = stretches.at(-1) as Stretch;
    stretches.push({ from: at, serviceUs: serviceUs + (at - from) * speed + byUs, speed: speedNow() });
  }
  return stretches;
}
