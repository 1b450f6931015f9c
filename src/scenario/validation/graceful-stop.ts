import { isRecord } from '../../base/index.ts';
import { type Fault, itemsOf } from './faults.ts';

/**
 * Reports `gracefulStop` with a load that has no planned end, which the time would count from. Reads the document as written.
 */
export function gracefulStopFaults(scenario: Readonly<Record<string, unknown>>): readonly Fault[] {
  if (scenario.gracefulStop === undefined) return [];
  const unbounded = [scenario, ...itemsOf(scenario.phases)].filter(isRecord).filter(hasNoEnd);
  if (unbounded.length === 0) return [];
  const message = 'counts from the planned end, but the load lasts until its iterations are done';
  return [
    {
      path: ['gracefulStop'],
      message,
      hint: 'give the load a duration, or write deadline, which counts from the start',
    },
  ];
}

/** Of a scenario without phases, or of one of its phases: a duration cuts a phase off. */
const hasNoEnd = ({ load, duration }: Readonly<Record<string, unknown>>): boolean =>
  duration === undefined && [load].flat().some((model) => isRecord(model) && lastsUntilDone(model));

const lastsUntilDone = ({ model, duration }: Readonly<Record<string, unknown>>): boolean =>
  duration === undefined && ['shared-iterations', 'per-user-iterations', 'closed-users'].includes(String(model));
