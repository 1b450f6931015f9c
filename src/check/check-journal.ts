import { ConfigurationError } from '../base/index.ts';
import {
  type Header,
  type JournalRecord,
  type JournalReport,
  type ProfileWords,
  profileWords,
  readJournalSync,
} from '../history/index.ts';
import { doubtAbout } from './evidence/doubt.ts';
import { EvidenceFold, type Wholeness } from './evidence/evidence-fold.ts';
import { MisledConnections } from './evidence/misled.ts';
import { LookGatherer, listFindings } from './findings/index.ts';
import { type JudgeOptions, judgeEvidence } from './judge.ts';
import type { DeclaredReadings } from './reading.ts';
import type { Verdicts } from './verdict.ts';
import { RawLedger } from './verify/raw/ledger.ts';
import { verify } from './verify.ts';

/**
 * Judges records that are in memory.
 * @param records must contain a header; read twice if there is something to verify
 * @throws SpillwayError CERTIFICATE_INVALID if a proof does not hold against the records: a defect of this tool
 */
export function judge(records: readonly JournalRecord[], options: JudgeOptions = {}): Verdicts {
  return judgeAll(() => records, options);
}

/**
 * Judges a journal on disk.
 * @param path of a history.ndjson
 * @throws ConfigurationError if it cannot be read or is not a history
 * @throws SpillwayError CERTIFICATE_INVALID like `judge`
 */
export function checkJournal(path: string, options: JudgeOptions = {}): Verdicts {
  let report: (() => JournalReport) | undefined;
  const read = () => {
    const reading = readJournalSync(path);
    report ??= reading.report;
    return reading;
  };
  return judgeAll(read, options, () => report && wholenessOf(report()));
}

function judgeAll(
  records: () => Iterable<JournalRecord>,
  options: JudgeOptions,
  wholeness: () => Wholeness | undefined = () => undefined,
): Verdicts {
  const misled = new MisledConnections();
  const fold = foldOf(records(), (record) => misled.note(record));
  // Which connections are misled is known only when their answers have been read.
  const believed = misled.exist ? () => misled.marked(records()) : records;
  const { evidence, ledger, findings } = (misled.exist ? foldOf(believed()) : fold).finish(
    wholeness(),
    options.declared,
  );
  const verdicts = judgeEvidence(evidence, findings, options);
  verify(verdicts, { evidence, ledger }, believed);
  return verdicts;
}

function foldOf(records: Iterable<JournalRecord>, look?: (record: JournalRecord) => void): HistoryFold {
  const fold = new HistoryFold();
  for (const record of records) {
    look?.(record);
    fold.add(record);
  }
  return fold;
}

interface Folds {
  readonly words: ProfileWords;
  readonly evidence: EvidenceFold;
  readonly ledger: RawLedger;
  readonly look: LookGatherer;
}

/** Passes each record once to the evidence, to the verifier's ledger and to the searches for findings. */
class HistoryFold {
  /** Records before the header, which is needed to interpret them. */
  readonly #early: JournalRecord[] = [];
  #folds: Folds | undefined;

  add(record: JournalRecord): void {
    if (this.#folds) foldRecord(record, this.#folds);
    else if (record.kind === 'header') this.#begin(record);
    else this.#early.push(record);
  }

  #begin(header: Header): void {
    const words = profileWords(header.profile);
    const evidence = new EvidenceFold(header);
    const folds = {
      words,
      evidence,
      ledger: new RawLedger(words),
      look: new LookGatherer(header, evidence.rows),
    };
    this.#folds = folds;
    for (const record of this.#early) foldRecord(record, folds);
  }

  /**
   * To be called once. Releases what the findings were gathered from: judging the limits does not need it, and the garbage
   * collector would traverse it again and again.
   * @throws ConfigurationError if there was no header
   */
  finish(wholeness: Wholeness | undefined, declared: DeclaredReadings = {}) {
    const folds = this.#folds;
    this.#folds = undefined;
    if (!folds) {
      const hint = 'give the history of a run that got as far as sending';
      throw new ConfigurationError([{ path: '', message: 'the history has no header', hint }]);
    }
    const evidence = folds.evidence.finish(wholeness);
    const findings = listFindings(folds.look.finish(evidence, declared));
    return { evidence, ledger: folds.ledger, findings };
  }
}

function foldRecord(record: JournalRecord, { words, evidence, ledger, look }: Folds): void {
  switch (record.kind) {
    case 'exchange': {
      const doubt = doubtAbout(record, words);
      const row = evidence.addExchange(record, doubt);
      ledger.addExchange(record, doubt);
      if (doubt === undefined) look.addExchange(record, row);
      return;
    }
    case 'stream':
      look.addStream(record, evidence.addStream(record));
      return;
    default:
      evidence.add(record);
      ledger.add(record);
  }
}

function wholenessOf(report: JournalReport): Wholeness {
  const { badLines, tornLastLine, missingSeq, skippedKinds, mayLackClock } = report;
  const skipped: Record<string, number> = {
    ...(badLines > 0 && { 'unreadable lines': badLines }),
    ...(tornLastLine && { 'torn last line': 1 }),
    ...(missingSeq > 0 && { 'missing sequence numbers': missingSeq }),
    ...Object.fromEntries(Object.entries(skippedKinds).map(([kind, count]) => [`unknown kind ${kind}`, count])),
  };
  return { complete: report.whole && !tornLastLine && missingSeq === 0, skipped, mayLackClock };
}
