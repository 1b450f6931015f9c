import type { Micros } from '../../base/index.ts';
import { type LimitVerdict, renderCertificate } from '../../check/index.ts';
import { type GateResult, gateShown } from '../../gates/index.ts';
import { exchangeName, formatCount, plural } from '../formatters.ts';
import { isOverBudget, lackSentence, NEVER_CHECKED } from '../incomplete.ts';
import type { JudgedRun } from './output.ts';

/** Result of a test case. */
export type Result =
  | { readonly state: 'passed' }
  /** `lines` are the text of the element. */
  | {
      readonly state: 'failed' | 'error' | 'skipped';
      readonly message: string;
      readonly type: string;
      readonly lines: readonly string[];
    };

export interface TestCase {
  readonly name: string;
  readonly result: Result;
  /** Default 0: most cases are judged, not executed. */
  readonly durationUs?: Micros;
}

/** A group of test cases. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  /** Start of the run; default that of the whole. */
  readonly startedAt?: string;
}

export const passed: Result = { state: 'passed' };

const severity = { passed: 0, skipped: 1, failed: 2, error: 3 } as const;

/** One case per name, because CI servers take cases of the same name for one, GitLab the first: the most severe of them. */
export function gateCases(gates: readonly GateResult[]): readonly TestCase[] {
  const byName = new Map<string, TestCase>();
  for (const one of gates.map(gateCase)) {
    const other = byName.get(one.name);
    if (!other || severity[one.result.state] > severity[other.result.state]) byName.set(one.name, one);
  }
  return [...byName.values()];
}

function gateCase(gate: GateResult): TestCase {
  const { state, because, failsRun } = gate;
  const name = gateShown(gate);
  if (state === 'pass') return { name, result: passed };
  return { name, result: { state: failsRun ? 'failed' : 'skipped', message: because, type: state, lines: [because] } };
}

function limitCase(limit: LimitVerdict, accepted: readonly string[], clockRate: number | undefined): TestCase {
  const name = `limit ${limit.limit} is kept`;
  switch (limit.verdict) {
    case 'consistent':
      return { name, result: passed };
    case 'undecided':
      return {
        name,
        result: {
          state: 'skipped',
          message: `undecided, missing: ${limit.missing.join('; ')}`,
          type: 'undecided',
          lines: limit.missing,
        },
      };
    case 'violated': {
      const details = {
        message: limit.certificate.claim,
        type: limit.because,
        lines: renderCertificate(limit.certificate, clockRate),
      };
      return { name, result: { state: accepted.includes(limit.limit) ? 'skipped' : 'failed', ...details } };
    }
  }
}

/** Proven findings. */
function findingCases({ verdicts: { proven, limits, findings } }: JudgedRun): readonly TestCase[] {
  const others = proven.filter(({ violation }) => limits.every(({ limit }) => limit !== violation));
  return others.map(({ violation, claim }) => {
    const shown = findings
      .filter(({ kind }) => kind === violation)
      .map((finding) => `${finding.claim} (exchanges ${finding.exchanges.join(' ')})`);
    return {
      name: violation,
      result: { state: 'failed', message: claim, type: violation, lines: shown.length > 0 ? shown : [claim] },
    };
  });
}

/** One case per listed unmet expectation, and one for all that were met. */
function expectationCases({ summary: { expectations } }: JudgedRun): readonly TestCase[] {
  const { checked, unmet, neverChecked, examples } = expectations;
  if (neverChecked) return [{ name: 'expectations were checked', result: failedBy(NEVER_CHECKED, 'expectation') }];
  if (checked === 0) return [];
  const sentences = [...new Set(examples.map(({ operation, sentence }) => `${operation}: ${sentence}`))];
  const failed = sentences.map((name): TestCase => {
    const seqs = examples.filter(({ operation, sentence }) => `${operation}: ${sentence}` === name).map(exchangeName);
    return { name, result: failedBy(`not met by exchange ${seqs.join(', ')}`, 'expectation') };
  });
  const omitted =
    unmet > examples.length
      ? [
          {
            name: `${formatCount(unmet - examples.length)} more not met`,
            result: failedBy('only ten are listed; requests.csv counts all except those of streams', 'expectation'),
          },
        ]
      : [];
  return [
    ...failed,
    ...omitted,
    ...(checked > unmet ? [{ name: `${plural(checked - unmet, 'expectation')} met`, result: passed }] : []),
  ];
}

export const failedBy = (message: string, type: string): Result => ({
  state: 'failed',
  message,
  type,
  lines: [message],
});

/** Whether the run is complete and valid. It takes the time of the run, because servers add up the times of cases. */
const runCase = (judged: JudgedRun): TestCase => ({
  name: 'the history is complete and the run is valid',
  result: runResult(judged),
  durationUs: judged.summary.run.durationUs,
});

function runResult({ summary: { run } }: JudgedRun): Result {
  const { invalid } = run;
  const message = invalid ?? (run.complete ? undefined : lackSentence(run));
  if (message === undefined) return passed;
  if (invalid === undefined && isOverBudget(run)) return failedBy(message, 'budget');
  // A run that ended by its own deadline or gate is valid, but not the whole plan, so the case is skipped.
  return {
    state: invalid === undefined ? 'skipped' : 'error',
    message,
    type: run.incompleteBecause ?? 'invalid',
    lines: [message],
  };
}

/** The test suites of a run; empty ones are omitted. */
export function suitesOf(run: JudgedRun): readonly Suite[] {
  const { clockRate, startedAt } = run.summary.run;
  const accepted = run.verdicts.accepted.map(({ violation }) => violation);
  const suites: readonly Suite[] = [
    { name: 'run', cases: [runCase(run)] },
    { name: 'gates', cases: gateCases(run.gates.gates) },
    { name: 'limits', cases: run.verdicts.limits.map((limit) => limitCase(limit, accepted, clockRate)) },
    { name: 'findings', cases: findingCases(run) },
    { name: 'expectations', cases: expectationCases(run) },
  ];
  return suites.filter(({ cases }) => cases.length > 0).map((suite) => ({ ...suite, startedAt }));
}
