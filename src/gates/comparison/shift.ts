import { leastPairedP, leastUnpairedP, pairedShift, type Shift, unpairedShift } from '../../metrics/index.ts';
import { type ComparedMetric, isTime } from './compared-metric.ts';

/** The values of one metric by round; `undefined` if a round has none. */
export interface RoundValues {
  readonly base: readonly (number | undefined)[];
  readonly candidate: readonly (number | undefined)[];
  /** Whether round i of the base is paired with round i of the candidate. */
  readonly paired: boolean;
}

/** The values of the rounds and the shift between them on the scale of the comparison. */
export interface Measured {
  readonly base: readonly number[];
  readonly candidate: readonly number[];
  /** Absent without rounds. */
  readonly shift?: Shift;
  /** For times: the shift in milliseconds. It is estimated separately, because `shift` is one of logarithms. */
  readonly plainShift?: Shift;
  /** The smallest p-value that these rounds can reach. Pairs without a difference do not count; 1 if no values differ. */
  readonly leastP: number;
  /** Number of pairs without a difference, if others differ; 0 if unpaired. */
  readonly ties: number;
}

/** Minimum for logarithms, so that a time of 0 has a ratio too; a tenth of the resolution of 1 µs. */
const LEAST_MS = 0.0001;

const toScale = (metric: ComparedMetric, value: number): number =>
  isTime(metric) ? Math.log(Math.max(value, LEAST_MS)) : value;

/** The shift between two sets of rounds; for times, of their logarithms. */
export function measureShift(metric: ComparedMetric, { base, candidate, paired }: RoundValues): Measured {
  const pairs = base.flatMap((one, index) => {
    const other = candidate[index];
    return one === undefined || other === undefined ? [] : [[one, other] as const];
  });
  const ours = paired ? pairs.map(([one]) => one) : base.filter((value) => value !== undefined);
  const theirs = paired ? pairs.map(([, other]) => other) : candidate.filter((value) => value !== undefined);
  if (ours.length === 0 || theirs.length === 0) return { base: ours, candidate: theirs, leastP: 1, ties: 0 };
  const [low, high] = [ours.map((value) => toScale(metric, value)), theirs.map((value) => toScale(metric, value))];
  return {
    base: ours,
    candidate: theirs,
    shift: shiftBetween(low, high, paired),
    ...(isTime(metric) && { plainShift: shiftBetween(ours, theirs, paired) }),
    ...showable(low, high, paired),
  };
}

const differencesOf = (base: readonly number[], candidate: readonly number[]): number[] =>
  candidate.map((value, index) => value - (base[index] ?? 0));

const shiftBetween = (base: readonly number[], candidate: readonly number[], paired: boolean): Shift =>
  paired ? pairedShift(differencesOf(base, candidate)) : unpairedShift(base, candidate);

/** What rounds can show at all. */
function showable(
  base: readonly number[],
  candidate: readonly number[],
  paired: boolean,
): Pick<Measured, 'leastP' | 'ties'> {
  if (!paired) {
    const differ = new Set([...base, ...candidate]).size > 1;
    return { leastP: differ ? leastUnpairedP(base.length, candidate.length) : 1, ties: 0 };
  }
  const differing = differencesOf(base, candidate).filter((difference) => difference !== 0).length;
  return { leastP: leastPairedP(differing), ties: differing === 0 ? 0 : base.length - differing };
}
