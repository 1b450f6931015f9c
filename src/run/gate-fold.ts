import { type ConfigProblem, ConfigurationError } from '../base/index.ts';
import { MetricSeries, measure } from '../collect/index.ts';
import { type GatesDocument, gateQueries, type JudgedRun, judgeGates } from '../gates/index.ts';
import { type Header, type JournalRecord, type RoundOf, readJournalSync } from '../history/index.ts';
import { type Gate, printGate, type ReadGates, readGates } from '../metrics/index.ts';
import type { VerdictsDocument } from '../report/index.ts';
import { gatesNamed, knownTags } from '../scenario/index.ts';
import type { RunDifference } from './comparable.ts';
import { invalidBecause } from './exit-code.ts';
import { judgeJournal } from './judge-journal.ts';
import { locateRun } from './results-folder.ts';

/** What gates are judged, and over what, beside those in a journal's header and that journal. */
export interface GatesWanted {
  /** Gates of the command line; for a run they stand in its header already. */
  readonly gates?: readonly Gate[];
  /** Journals of earlier runs, whose samples are counted with the run's. */
  readonly pool?: readonly PooledRun[];
  /** Whether a round is all there is to judge: then it is judged like any run. Default: with others beside it in the pool. */
  readonly decides?: boolean;
}

/**
 * Gathers one run's metrics on the way through its journal, and judges its gates at the end. Of one round by itself only those
 * that ended it, and those of the command line: what decides is all rounds together, and one has too few samples for most.
 */
export interface GateFold {
  add(record: JournalRecord): void;
  judge(verdicts: VerdictsDocument): GatesDocument;
}

export function gateFold({ gates: more = [], pool = [], decides = pool.length > 0 }: GatesWanted = {}): GateFold {
  let wanted: ReadGates = { gates: more, unreadable: [] };
  let round: RoundOf | undefined;
  let run = emptyRun(wanted);
  return {
    add(record) {
      if (record.kind === 'header') {
        wanted = withMore(record, more);
        round = record.round;
        run = emptyRun(wanted);
      }
      run.add(record);
    },
    judge(verdicts) {
      const pooled = pool.map(({ journal }) => {
        const other = emptyRun(wanted);
        for (const record of readJournalSync(journal)) other.add(record);
        return other.judged(judgeJournal(journal));
      });
      const judged = judgeGates(wanted, [run.judged(verdicts), ...pooled]);
      return round === undefined || decides ? judged : ofRound(judged, round, more);
    },
  };
}

function ofRound(judged: GatesDocument, round: RoundOf, more: readonly Gate[]): GatesDocument {
  const asked = new Set(more.map(printGate));
  const gates = judged.gates.filter(
    ({ metric, expression, stoppedRun }) => stoppedRun || asked.has(`${metric}: ${expression}`),
  );
  return { ...judged, round, passed: gates.every(({ failsRun }) => !failsRun), gates };
}

/** The gates of a journal's header, and those of the command line. */
function withMore(header: Header, more: readonly Gate[]): ReadGates {
  const { gates, unreadable } = readGates(header.gates);
  return { gates: [...gates, ...more], unreadable };
}

function emptyRun({ gates }: ReadGates) {
  const series = new MetricSeries(gateQueries(gates.filter((gate) => gate.kind === 'metric')));
  let stoppedBy: string | undefined;
  return {
    add(record: JournalRecord) {
      series.add(record);
      if (record.kind === 'end') stoppedBy = record.gate;
    },
    judged: ({ limits }: VerdictsDocument): JudgedRun => ({
      series,
      limits,
      ...(stoppedBy !== undefined && { stoppedBy }),
    }),
  };
}

/** Refuses gates on a journey or an application that the scenario did not have: they would hold whatever happened. */
export function checkLabels(gates: readonly Gate[], { journeys, applications }: Header): void {
  const { problems } = gatesNamed(gates.map(printGate), knownTags(journeys, applications));
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** A journal's first line. @throws ConfigurationError when it is no journal */
export function headerOf(journal: string): Header {
  for (const record of readJournalSync(journal)) if (record.kind === 'header') return record;
  throw new ConfigurationError([{ file: journal, path: '', message: 'is empty', hint: 'run the scenario again' }]);
}

/** An earlier run that is judged together with another. */
export interface PooledRun {
  readonly journal: string;
  readonly header: Header;
  /** Why its numbers are not to be used, which is allowed; absent when they are. A sentence with the run's name, without a full stop. */
  readonly allowed?: string;
}

/** What may be wrong with a pooled run all the same; the words are those of `compare`. */
export type PoolFlaw = Extract<RunDifference, 'plan' | 'incomplete' | 'invalid'> | 'target';

/** Runs to be judged together with another, as they are named. */
export interface PoolWanted {
  /** Folders, `latest`, or journal files. */
  readonly runs: readonly string[];
  /** Default: nothing. */
  readonly allow?: readonly PoolFlaw[];
}

/** What runs must have in common to be judged as one. */
export interface Poolable {
  readonly runId?: string;
  readonly scenario: string;
  readonly limits: Header['limits'];
  /** Digest of the plan; absent in older journals. */
  readonly plan?: string;
  /** Base address of the service; absent of the embedded sandbox. */
  readonly target?: string;
}

/** @param header of the run's journal */
export const poolableOf = ({ runId, scenario, limits, plan, profile }: Header): Poolable => {
  const target = (profile as { baseUrl?: unknown } | null)?.baseUrl;
  return {
    runId,
    scenario,
    limits,
    ...(plan !== undefined && { plan }),
    ...(typeof target === 'string' && { target: target.replace(/\/+$/, '') }),
  };
};

/**
 * Finds runs to be judged together with another.
 * @throws ConfigurationError naming every run that is none, or was of another scenario or limits, or stands twice, or whose
 *   numbers are not to be used and nobody allows it
 */
export function openPool({ runs, allow = [] }: PoolWanted, present: Header | Poolable): readonly PooledRun[] {
  const other = 'kind' in present ? poolableOf(present) : present;
  const problems: ConfigProblem[] = [];
  const found = runs.flatMap((run) => {
    try {
      const { journal } = locateRun(run);
      return [{ run, journal, header: headerOf(journal) }];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  const seen = new Set(other.runId === undefined ? [] : [other.runId]);
  const fit = found.flatMap(({ run, journal, header }): PooledRun[] => {
    const message = unlike(header, other) ?? (seen.has(header.runId) ? 'is judged already' : undefined);
    seen.add(header.runId);
    if (message !== undefined) {
      problems.push({ path: `--pool ${run}`, message, hint: 'pool other runs of the same scenario and limits' });
      return [];
    }
    const flaws = [...differencesOf(poolableOf(header), other), ...flawsOf(journal)];
    for (const { kind, because, wanted } of flaws) {
      const hint = `pool runs ${wanted}, or say --allow ${kind}`;
      if (!allow.includes(kind)) problems.push({ path: `--pool ${run}`, message: because, hint });
    }
    if (flaws.length === 0) return [{ journal, header }];
    return [{ journal, header, allowed: `${run}: ${flaws.map(({ because }) => because).join('; ')}` }];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  return fit;
}

interface Flaw {
  readonly kind: PoolFlaw;
  readonly because: string;
  /** What runs to pool instead: completes "pool runs …". */
  readonly wanted: string;
}

/** Samples of another plan, or of another service, are draws of something else: no bound holds of both together. */
function differencesOf({ plan, target }: Poolable, other: Poolable): readonly Flaw[] {
  const isOther = plan !== undefined && other.plan !== undefined && plan !== other.plan;
  const name = (address = 'the embedded sandbox') => address;
  return [
    ...(isOther
      ? [
          {
            kind: 'plan',
            because: 'ran another plan: journeys, load, caps or data differ',
            wanted: 'of one plan',
          } as const,
        ]
      : []),
    ...(target !== other.target
      ? [
          {
            kind: 'target',
            because: `ran against ${name(target)}, not ${name(other.target)}`,
            wanted: 'against one service',
          } as const,
        ]
      : []),
  ];
}

/** Why `check` of the run would say that it was invalid. */
function flawsOf(journal: string): readonly Flaw[] {
  const measurements = measure();
  for (const record of readJournalSync(journal)) measurements.add(record);
  const summary = measurements.summary();
  const invalid = invalidBecause(summary, 'whole or not');
  const because = invalid ?? invalidBecause(summary);
  if (because === undefined) return [];
  const kind = invalid === undefined ? 'incomplete' : 'invalid';
  return [{ kind, because: `the run was invalid: ${because}`, wanted: 'whose numbers may be used' }];
}

function unlike({ scenario, limits }: Header, other: Poolable): string | undefined {
  if (scenario !== other.scenario) return `is a run of the scenario ${scenario}, not of ${other.scenario}`;
  const numbers = ({ rate, concurrency, daily }: Header['limits']) =>
    JSON.stringify([rate.max, rate.windowUs, concurrency.max, daily.max]);
  return numbers(limits) === numbers(other.limits) ? undefined : 'had other limits';
}
