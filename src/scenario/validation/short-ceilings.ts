import { isRecord, parseDuration } from '../../base/index.ts';
import { type Fault, membersOf, type Path, valueAt } from './faults.ts';

/** Waits that grow, and the member that bounds them. */
const bounds = [
  { first: 'first', ceiling: 'ceiling' },
  { first: 'interval', ceiling: 'maxInterval' },
];

/**
 * Reports waits of policies and steps whose bound is below what they begin with. Reads the document as written, because a default
 * gives way to what is written.
 */
export const shortCeilingFaults = (scenario: unknown): readonly Fault[] =>
  ['onRefused', 'onError', 'journeys'].flatMap((member) => faultsBelow(valueAt(scenario, [member]), [member]));

function faultsBelow(value: unknown, path: Path): readonly Fault[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => faultsBelow(item, [...path, index]));
  const within = membersOf(value)
    .filter(([member]) => member !== 'capture' && member !== 'expect')
    .flatMap(([member, inner]) => faultsBelow(inner, [...path, member]));
  return isRecord(value) ? [...boundsOf(value, path), ...within] : within;
}

const boundsOf = (value: Readonly<Record<string, unknown>>, path: Path): readonly Fault[] =>
  bounds
    .filter(({ first, ceiling }) => durationOf(value[ceiling]) < durationOf(value[first]))
    .map(({ first, ceiling }) => ({ path: [...path, ceiling], message: `must not be below ${first}` }));

/** NaN, which is below nothing, where none is written. */
const durationOf = (value: unknown): number => parseDuration(String(value)) ?? Number.NaN;
