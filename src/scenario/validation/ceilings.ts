import { isRecord, listed, parseDuration } from '../../base/index.ts';
import { type Fault, membersOf, type Path, valueAt } from './faults.ts';

/** Waits that grow, and the member that bounds them. */
const bounds = [
  { first: 'first', ceiling: 'ceiling' },
  { first: 'interval', ceiling: 'maxInterval' },
];

/**
 * Reports waits of policies and steps whose bound is below what they begin with, and bounds of what is not done or does not grow.
 * Reads the document as written, because a default gives way to what is written.
 */
export const ceilingFaults = (scenario: unknown): readonly Fault[] =>
  ['onRefused', 'onError', 'journeys'].flatMap((member) => faultsBelow(valueAt(scenario, [member]), [member]));

function faultsBelow(value: unknown, path: Path): readonly Fault[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => faultsBelow(item, [...path, index]));
  const within = membersOf(value)
    .filter(([member]) => member !== 'capture' && member !== 'expect')
    .flatMap(([member, inner]) => faultsBelow(inner, [...path, member]));
  return isRecord(value) ? [...boundsOf(value, path), ...idleIn(value, path), ...within] : within;
}

const boundsOf = (value: Readonly<Record<string, unknown>>, path: Path): readonly Fault[] =>
  bounds
    .filter(({ first, ceiling }) => durationOf(value[ceiling]) < durationOf(value[first]))
    .map(({ first, ceiling }) => ({ path: [...path, ceiling], message: `must not be below ${first}` }));

/** Bounds without effect: whoever wrote them expects one. Those of a default that begins above them have one. */
function idleIn(value: Readonly<Record<string, unknown>>, path: Path): readonly Fault[] {
  const { by, interval = '1s', backoff = 1, maxInterval, first = '500ms', factor, ceiling } = value;
  const idle = (member: string, because: string, hint: string): Fault => ({
    path: [...path, member],
    atKey: true,
    message: `has no effect ${because}`,
    hint,
  });
  return listed(
    by !== 'stream' &&
      backoff === 1 &&
      durationOf(maxInterval) > durationOf(interval) &&
      idle('maxInterval', 'on an interval that does not grow', 'add for example backoff: 2'),
    factor === 1 &&
      durationOf(ceiling) > durationOf(first) &&
      idle('ceiling', 'with factor: 1', 'remove it, or raise factor'),
    value.obeyRetryAfter === false &&
      value.retryAfterCeiling !== undefined &&
      idle('retryAfterCeiling', 'with obeyRetryAfter: false', 'remove one of them'),
  );
}

/** NaN, which is below nothing, where none is written. */
const durationOf = (value: unknown): number => parseDuration(String(value)) ?? Number.NaN;
