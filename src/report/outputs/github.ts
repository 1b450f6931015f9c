import { exchangeName } from '../formatters.ts';
import { NEVER_CHECKED } from '../incomplete.ts';
import { inertText } from '../inert-text.ts';
import { healthWarnings } from '../terminal/health-warnings.ts';
import { headlineOf } from './headline.ts';
import type { JudgedRun } from './output.ts';

/** GitHub shows ten annotations of a kind and step. */
const MOST_OF_A_KIND = 10;
const CHARACTERS = 400;

interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/** Commands are a line each, so inert text is one line; what separates their parts is escaped as the runner's toolkit does it. */
const data = (text: string): string =>
  inertText(text, CHARACTERS).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Annotations of a run as workflow commands of GitHub, a line each; at most ten of a kind, the last saying how many more there are. */
export function githubAnnotations(run: JudgedRun): readonly string[] {
  const all = annotationsOf(run);
  return (['error', 'warning', 'notice'] as const)
    .flatMap((kind) => atMostTen(all.filter((one) => one.kind === kind)))
    .map(({ kind, title, message }) => `::${kind} title=${property(title)}::${data(message)}`);
}

function annotationsOf(run: JudgedRun): readonly Annotation[] {
  const { summary, verdicts, gates, invalid } = run;
  const failing = gates.gates.filter(({ failsRun }) => failsRun);
  const allowed = gates.gates.filter(({ failsRun, state }) => state === 'undetermined' && !failsRun);
  const error = (title: string, message: string): Annotation => ({ kind: 'error', title, message });
  const warning = (title: string, message: string): Annotation => ({ kind: 'warning', title, message });
  const { passed, because } = headlineOf(run);
  return [
    ...verdicts.proven.map(({ violation, claim }) => error(`Proven: ${violation}`, claim)),
    ...(invalid === undefined ? [] : [error('The run is invalid', invalid)]),
    ...failing.map(({ metric, expression, state, because: why }) =>
      error(`Gate ${state === 'fail' ? 'failed' : 'undetermined'}: ${metric}: ${expression}`, why),
    ),
    ...(summary.expectations.neverChecked ? [error('Expectations', NEVER_CHECKED)] : []),
    ...summary.expectations.examples.map((one) =>
      error(`Expectation of ${one.operation}`, `exchange ${exchangeName(one)}: ${one.sentence}`),
    ),
    ...verdicts.accepted.map(({ violation, reason }) => warning(`Accepted: ${violation}`, reason)),
    ...allowed.map(({ metric, expression, because: why }) =>
      warning(`Gate undetermined: ${metric}: ${expression}`, why),
    ),
    ...healthWarnings(summary).map((text) => warning('Generator', text)),
    {
      kind: 'notice',
      title: `Spillway: ${summary.run.scenario}`,
      message: `${passed ? 'passed' : 'failed'}: ${because.join('; ')}`,
    },
  ];
}

function atMostTen(annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.length <= MOST_OF_A_KIND) return annotations;
  const shown = annotations.slice(0, MOST_OF_A_KIND - 1);
  const [first] = annotations;
  if (!first) return [];
  return [...shown, { kind: first.kind, title: 'Spillway', message: `and ${annotations.length - shown.length} more` }];
}
