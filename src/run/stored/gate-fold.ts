import { ConfigurationError } from '../../base/index.ts';
import { MetricSeries } from '../../collect/index.ts';
import { type GatesDocument, gateQueries, gateShown, judgeGates, type RunToJudge } from '../../gates/index.ts';
import { type Header, type JournalRecord, type RoundOf, readJournalSync } from '../../history/index.ts';
import {
  type Gate,
  printGate,
  printWindowedGate,
  type ReadGates,
  readGates,
  uniqueGates,
} from '../../metrics/index.ts';
import type { VerdictsDocument } from '../../report/index.ts';
import { gatesNamed, knownTags } from '../../scenario/index.ts';
import { judgeJournal } from './judge-journal.ts';
import type { PooledRun } from './pool.ts';

/** Gates and journals that are judged in addition to the run's own journal and the gates in its header. */
export interface GatesWanted {
  /** Gates of the command line. For a new run they are in its header already. */
  readonly gates?: readonly Gate[];
  /** Journals of earlier runs, whose samples are added to those of the run. */
  readonly pool?: readonly PooledRun[] | undefined;
  /** Whether every gate is judged even if the journal is one of several rounds. Default: only if runs are pooled with it. */
  readonly allGates?: boolean;
}

/**
 * Collects the metrics of one run while its journal is read, and judges its gates at the end. For a single round of several, it
 * judges only a gate that stopped the round and the gates of the command line. The other gates are judged over all rounds
 * together, because one round has too few samples for most of them.
 */
interface GateFold {
  add(record: JournalRecord): void;
  judge(verdicts: VerdictsDocument): GatesDocument;
}

export function gateFold({ gates: more = [], pool = [], allGates = pool.length > 0 }: GatesWanted): GateFold {
  let wanted: ReadGates = { gates: uniqueGates(more), unreadable: [] };
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
      return round === undefined || allGates ? judged : gatesOfRound(judged, round, more);
    },
  };
}

function gatesOfRound(judged: GatesDocument, round: RoundOf, more: readonly Gate[]): GatesDocument {
  const fromCommandLine = new Set(more.map(printWindowedGate));
  const gates = judged.gates.filter((gate) => gate.stoppedRun || fromCommandLine.has(gateShown(gate)));
  return { ...judged, round, passed: gates.every(({ failsRun }) => !failsRun), gates };
}

function withMore(header: Header, more: readonly Gate[]): ReadGates {
  const { gates, unreadable } = readGates(header.gates);
  return { gates: uniqueGates([...gates, ...more]), unreadable };
}

function emptyRun({ gates }: ReadGates) {
  const series = new MetricSeries(gateQueries(gates.filter((gate) => gate.kind === 'metric')));
  let stoppedBy: string | undefined;
  return {
    add(record: JournalRecord) {
      series.add(record);
      if (record.kind === 'end') stoppedBy = record.gate;
    },
    judged: ({ limits }: VerdictsDocument): RunToJudge => ({
      series,
      limits,
      ...(stoppedBy !== undefined && { stoppedBy }),
    }),
  };
}

/**
 * Checks that gates name only journeys, applications and stages of the run's scenario: a gate on an unknown one has no samples
 * and could never fail.
 * @throws ConfigurationError with every unknown name
 */
export function checkLabels(gates: readonly Gate[], { journeys, applications, stages = [] }: Header): void {
  const names = stages.map(({ name }) => name);
  const { problems } = gatesNamed(gates.map(printGate), knownTags(journeys, applications, names));
  if (problems.length > 0) throw new ConfigurationError(problems);
}
