import { ConfigurationError } from '../base/index.ts';
import { MetricSeries } from '../collect/index.ts';
import { type GatesDocument, gateQueries, type JudgedRun, judgeGates } from '../gates/index.ts';
import { type Header, type JournalRecord, type RoundOf, readJournalSync } from '../history/index.ts';
import { type Gate, printGate, type ReadGates, readGates } from '../metrics/index.ts';
import type { VerdictsDocument } from '../report/index.ts';
import { gatesNamed, knownTags } from '../scenario/index.ts';
import { judgeJournal } from './judge-journal.ts';
import type { PooledRun } from './pool.ts';

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

/** Refuses gates on a journey, an application or a stage that the scenario did not have: they would hold whatever happened. */
export function checkLabels(gates: readonly Gate[], { journeys, applications, stages = [] }: Header): void {
  const names = stages.map(({ name }) => name);
  const { problems } = gatesNamed(gates.map(printGate), knownTags(journeys, applications, names));
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** A journal's first line. @throws ConfigurationError when it is no journal */
export function headerOf(journal: string): Header {
  for (const record of readJournalSync(journal)) if (record.kind === 'header') return record;
  const message = 'is empty, or ends within its first line';
  throw new ConfigurationError([{ file: journal, path: '', message, hint: 'run the scenario again' }]);
}
