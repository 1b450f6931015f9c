import { inertText } from '../../base/index.ts';
import { type Comparison, type GatesDocument, gateShown } from '../../gates/index.ts';
import { exchangeName, plural } from '../formatters.ts';
import { NEVER_CHECKED } from '../incomplete.ts';
import { gatesBySeverity } from '../judged.ts';
import { isOpen, tooFewText } from '../terminal/comparison.ts';
import { healthWarnings } from '../terminal/health-warnings.ts';
import { type Headline, headlineOf } from './headline.ts';
import type { JudgedRun } from './output.ts';
import { gatesOfSides, headlineOfRounds, type JudgedRounds, roundName } from './rounds.ts';

/** GitHub shows at most ten annotations of each kind per step. */
const MOST_OF_A_KIND = 10;
const CHARACTERS = 400;

interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/** A command is one line, and inert text has no line breaks. Separators are escaped as in GitHub's actions toolkit. */
const data = (text: string): string =>
  inertText(text, CHARACTERS).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * The annotations of a run as GitHub workflow commands, one per line; at most ten of each kind, the last of which gives the
 * number of omitted ones.
 */
export const githubAnnotations = (run: JudgedRun): readonly string[] =>
  commandsOf([...annotationsOf(run), noticeOf(run.summary.run.scenario, headlineOf(run))]);

/**
 * The same for rounds: first the proofs and invalid runs of each round and why not all rounds ran, then gates and comparison of all
 * rounds, and last unmet expectations and warnings, which may be many and would displace the rest.
 */
export const githubRoundsAnnotations = (judged: JudgedRounds): readonly string[] => {
  const ofRuns = (annotations: (run: JudgedRun) => readonly Annotation[]) =>
    judged.runs.flatMap((one) =>
      annotations(one.run).map((annotation) => ({
        ...annotation,
        title: `${roundName(judged, one)}: ${annotation.title}`,
      })),
    );
  return commandsOf([
    ...ofRuns(mostSevereOf),
    ...(judged.brokenOff === undefined ? [] : [error('Not all rounds ran', judged.brokenOff)]),
    ...gatesOfSides(judged).flatMap(([side, gates]) =>
      gateAnnotations(gates).map((annotation) => ({ ...annotation, title: `${side}${annotation.title}` })),
    ),
    ...(judged.comparison === undefined ? [] : worseIn(judged.comparison)),
    ...ofRuns(othersOf),
    noticeOf(judged.scenario, headlineOfRounds(judged)),
  ]);
};

/** The same for a comparison of runs. */
export function githubComparisonAnnotations(comparison: Comparison): readonly string[] {
  const worse = worseIn(comparison);
  const tooFew = tooFewText(comparison);
  const shown = `no regression is shown${tooFew === undefined ? '' : `, though ${tooFew}`}`;
  const because = [worse.length > 0 ? `${plural(worse.length, 'result')} worse than the base` : shown];
  const headline = { passed: worse.length === 0, open: isOpen(comparison), because };
  return commandsOf([...worse, noticeOf('compare', headline)]);
}

const worseIn = ({ candidates }: Comparison): readonly Annotation[] =>
  candidates.flatMap(({ name, metrics, limits, findings }) => {
    const worse = (what: string, because: string) =>
      error(`${candidates.length > 1 ? `${name}: ` : ''}Worse: ${what}`, because);
    return [
      ...limits.filter(isWorse).map(({ limit, because }) => worse(`limit ${limit}`, because)),
      ...findings.filter(isWorse).map(({ finding, because }) => worse(finding, because)),
      ...metrics.filter(isWorse).map(({ metric, because }) => worse(metric, because)),
    ];
  });

const isWorse = ({ verdict }: { readonly verdict: string }): boolean => verdict === 'worse';
const error = (title: string, message: string): Annotation => ({ kind: 'error', title, message });
const warning = (title: string, message: string): Annotation => ({ kind: 'warning', title, message });
const noticeOf = (scenario: string, { passed, because }: Headline): Annotation => ({
  kind: 'notice',
  title: `Spillway: ${scenario}`,
  message: `${passed ? 'passed' : 'failed'}: ${because.join('; ')}`,
});

function commandsOf(all: readonly Annotation[]): readonly string[] {
  return (['error', 'warning', 'notice'] as const)
    .flatMap((kind) =>
      atMostTen(
        kind,
        all.filter((one) => one.kind === kind),
      ),
    )
    .map(({ kind, title, message }) => `::${kind} title=${property(title)}::${data(message)}`);
}

const annotationsOf = (run: JudgedRun): readonly Annotation[] => [
  ...mostSevereOf(run),
  ...gateAnnotations(run.gates),
  ...othersOf(run),
];

const mostSevereOf = ({ verdicts, summary: { run } }: JudgedRun): readonly Annotation[] => [
  ...verdicts.proven.map(({ violation, claim }) => error(`Proven: ${violation}`, claim)),
  ...(run.invalid === undefined ? [] : [error('The run is invalid', run.invalid)]),
];

function othersOf({ summary, verdicts }: JudgedRun): readonly Annotation[] {
  return [
    ...(summary.expectations.neverChecked ? [error('Expectations', NEVER_CHECKED)] : []),
    ...summary.expectations.examples.map((one) =>
      error(`Expectation of ${one.operation}`, `exchange ${exchangeName(one)}: ${one.sentence}`),
    ),
    ...verdicts.accepted.map(({ violation, reason }) => warning(`Accepted: ${violation}`, reason)),
    ...healthWarnings(summary).map((text) => warning('Warning', text)),
  ];
}

function gateAnnotations({ gates }: GatesDocument): readonly Annotation[] {
  return gatesBySeverity(gates).flatMap((gate) => {
    const { state, because, failsRun } = gate;
    const title = `Gate ${state === 'fail' ? 'failed' : 'undetermined'}: ${gateShown(gate)}`;
    if (state === 'pass') return [];
    return [failsRun ? error(title, because) : warning(title, because)];
  });
}

function atMostTen(kind: Annotation['kind'], annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.length <= MOST_OF_A_KIND) return annotations;
  const shown = annotations.slice(0, MOST_OF_A_KIND - 1);
  return [...shown, { kind, title: 'Spillway', message: `and ${annotations.length - shown.length} more` }];
}
