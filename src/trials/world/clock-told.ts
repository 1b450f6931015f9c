import type { Micros } from '../../base/index.ts';
import type { ClockRecord, Exchange } from '../../history/index.ts';
import type { Draw } from '../draw.ts';
import type { ServiceClock } from './clock.ts';
import { tellsTime } from './dates.ts';

/**
 * What is told of a clock that is asked for the time: once at the beginning or later, sometimes more often, each as wrong as it admits;
 * sometimes never. Whoever sets an embedded one tells so.
 */
export function clockRecords(draw: Draw, { at, rate, steps }: ServiceClock, untilUs: number): ClockRecord[] {
  const isSet = steps.length > 0;
  if (rate === 1 && !isSet && draw.chance(0.1)) return [];
  const plusMinusUs = draw.pick(isSet ? [1, 20] : [1, 1, 20, 1_500_000]);
  const later = draw.chance(0.3) ? Array.from({ length: 3 }, () => draw.between(0, untilUs)) : [];
  const first = rate === 1 && !isSet && draw.chance(0.2) ? draw.between(0, untilUs) : 0;
  const instants = [first, ...later, ...steps.map((step) => step.at)].sort((a, b) => a - b);
  return instants.map((instant) => {
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

/**
 * By how much a clock was set without anybody being able to see it, and by how much its dates mislead where nobody can see that either: a
 * profile that tells the truth grants it as the coarseness of the service's timers.
 * @param exchanges that the journal may have heard of
 */
export function unseenUs(clock: ServiceClock, exchanges: readonly Exchange[]): number {
  const { steps, dates } = clock;
  if (!dates || (steps.length === 0 && dates.otherByUs === 0)) return 0;
  const telling = exchanges.filter(tellsTime);
  const byStep = steps.map(({ at, byUs }) => {
    const isSeen = telling.some(({ headersAt = 0 }) => headersAt < at) && isTold(byUs, clock, telling, at);
    return isSeen ? 0 : Math.abs(byUs);
  });
  const others = telling.filter(dates.isOthers);
  const own = telling.filter((exchange) => !dates.isOthers(exchange));
  const areBothHeard = own.length > 0 && isTold(dates.otherByUs, clock, others);
  return byStep.reduce((sum, byUs) => sum + byUs, areBothHeard ? 0 : Math.abs(dates.otherByUs));
}

/** Seconds that are no further apart may be those of one clock. */
const APART_US = 3_200_000;

/** Whether one of these, sent after an instant, tells a time that is so far off that drift does not explain it. */
const isTold = (byUs: number, { bounds }: ServiceClock, telling: readonly Exchange[], after = 0): boolean =>
  telling.some(
    ({ sentAt, receivedAt }) => sentAt > after && Math.abs(byUs) > APART_US + (2 * receivedAt * bounds.driftPpm) / 1e6,
  );
