import { inertText, listed } from '../../base/index.ts';
import type { Comparison, GatesDocument } from '../../gates/index.ts';
import { nothingProven, plural } from '../formatters.ts';
import { anyPassed } from '../judged.ts';
import type { RoundRun, Rounds } from '../rounds-json.ts';
import { isOpen, tooFewText } from '../terminal/comparison.ts';
import { type Headline, headlineOf, wrongOfGates } from './headline.ts';
import type { JudgedRun } from './output.ts';

/** One run of several rounds, judged on its own. */
export interface JudgedRound extends RoundRun {
  readonly run: JudgedRun;
}

/** The runs of one `run --repeat`, judged together. */
export interface JudgedRounds {
  readonly scenario: string;
  readonly targets: Rounds['targets'];
  /** Number of planned rounds. */
  readonly rounds: number;
  /** In the order in which they ran; empty if the first has no results. */
  readonly runs: readonly JudgedRound[];
  /** Gate results of each side over its valid rounds; absent for a side without valid rounds, or if not all rounds ran. */
  readonly gates: NonNullable<Rounds['gates']>;
  /** Absent without a candidate, or if nothing could be compared. */
  readonly comparison?: Comparison;
  /** Why not all rounds ran; absent if they did. */
  readonly brokenOff?: string;
}

/** The gates of each side that has any, with a prefix such as `base: `, which is empty without a candidate. */
export const gatesOfSides = ({ gates, targets }: JudgedRounds): readonly (readonly [string, GatesDocument])[] =>
  (['base', 'candidate'] as const).flatMap((side) => {
    const document = gates[side];
    if (document === undefined || document.gates.length === 0) return [];
    return [[targets.candidate === undefined ? '' : `${side}: `, document] as const];
  });

/** `round 3, candidate`; without a candidate, `round 3`. */
export const roundName = ({ targets }: JudgedRounds, { round, side }: RoundRun): string =>
  targets.candidate === undefined ? `round ${round}` : `round ${round}, ${side}`;

/** The result of all rounds, by the same priority as exit codes. */
export function headlineOfRounds(judged: JudgedRounds): Headline {
  const { runs, comparison, brokenOff } = judged;
  const many = (test: (run: JudgedRun) => boolean) => runs.filter(({ run }) => test(run)).length;
  const ofRuns = `of ${plural(runs.length, 'run')}`;
  const proven = many(({ verdicts }) => verdicts.proven.length > 0);
  const violations = new Set(runs.flatMap(({ run }) => run.verdicts.proven.map(({ violation }) => violation)));
  const invalid = many(({ summary }) => summary.run.invalid !== undefined);
  const unmet = many(({ summary: { expectations } }) => expectations.unmet > 0 || expectations.neverChecked === true);
  const compared = comparison?.candidates.flatMap((one) => [...one.metrics, ...one.limits, ...one.findings]) ?? [];
  const worseCount = compared.filter(({ verdict }) => verdict === 'worse').length;
  const wrong = listed(
    brokenOff !== undefined && `broken off: ${inertText(brokenOff)}`,
    proven > 0 &&
      `proven against the service in ${proven} ${ofRuns}: ${[...violations].map((one) => inertText(one)).join(', ')}`,
    invalid > 0 && `${invalid} ${ofRuns} invalid`,
    ...gatesOfSides(judged).flatMap(([side, document]) => wrongOfGates(document).map((text) => `${side}${text}`)),
    unmet > 0 && `expectations not met in ${unmet} ${ofRuns}`,
    worseCount > 0 && `${plural(worseCount, 'result')} worse than the base`,
  );
  if (wrong.length > 0) return { passed: false, open: false, because: wrong };
  const gates = gatesOfSides(judged).map(
    ([side, { gates: all }]) => `${side}${plural(all.length, 'gate')} passed or allowed`,
  );
  const tooFew = comparison && tooFewText(comparison);
  const regression = comparison ? [`no regression is shown${tooFew === undefined ? '' : `, though ${tooFew}`}`] : [];
  const shown =
    (comparison !== undefined && !isOpen(comparison)) ||
    gatesOfSides(judged).some(([, document]) => anyPassed(document.gates)) ||
    runs.some(({ run }) => !headlineOf(run).open);
  const accepted = runs.flatMap(({ run }) => run.verdicts.accepted);
  return { passed: true, open: !shown, because: [...gates, ...regression, nothingProven(accepted)] };
}
