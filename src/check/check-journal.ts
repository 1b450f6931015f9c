import { ConfigurationError } from '../base/index.ts';
import { type Header, type JournalRecord, type JournalReport, readJournalSync } from '../history/index.ts';
import { doubtAbout } from './doubt.ts';
import { EvidenceFold, type Wholeness } from './evidence-fold.ts';
import { findingFolds } from './findings/index.ts';
import { type JudgeOptions, judgeEvidence } from './judge.ts';
import type { Verdicts } from './verdict.ts';
import { verify } from './verify.ts';

/**
 * Judges records that are in memory.
 * @param records with a header among them; read twice where there is something to verify
 * @throws SpillwayError CERTIFICATE_INVALID when a proof does not hold against the records: a defect of this tool
 */
export function judge(records: readonly JournalRecord[], options: JudgeOptions = {}): Verdicts {
  return judgeAll(() => records, options);
}

/**
 * Judges a journal on disk.
 * @param path of a history.ndjson
 * @throws ConfigurationError when it cannot be read or is no history
 * @throws SpillwayError CERTIFICATE_INVALID as `judge`
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
  let fold: EvidenceFold | undefined;
  let header: Header | undefined;
  let finders: ReturnType<(typeof findingFolds)[number]>[] = [];
  const early: JournalRecord[] = [];
  for (const record of records()) {
    if (record.kind === 'header' && !fold) {
      header = record;
      fold = new EvidenceFold(record);
      finders = findingFolds.map((make) => make(record));
      for (const before of early) foldRecord(before, fold, finders);
    } else if (fold) foldRecord(record, fold, finders);
    else early.push(record);
  }
  if (!fold || !header) {
    const hint = 'give the history of a run that got as far as sending';
    throw new ConfigurationError([{ path: '', message: 'the history has no header', hint }]);
  }
  const evidence = fold.finish(wholeness());
  const findings = finders.flatMap((finder) => finder.finish(evidence));
  const verdicts = judgeEvidence(evidence, findings, options);
  verify(verdicts, header, records);
  return verdicts;
}

function foldRecord(
  record: JournalRecord,
  fold: EvidenceFold,
  finders: readonly ReturnType<(typeof findingFolds)[number]>[],
): void {
  fold.add(record);
  if (record.kind === 'exchange' && doubtAbout(record) !== undefined) return;
  for (const finder of finders) finder.add(record);
}

function wholenessOf(report: JournalReport): Wholeness {
  const { badLines, tornLastLine, missingSeq, skippedKinds } = report;
  const skipped: Record<string, number> = {
    ...(badLines > 0 && { 'unreadable lines': badLines }),
    ...(tornLastLine && { 'torn last line': 1 }),
    ...(missingSeq > 0 && { 'missing sequence numbers': missingSeq }),
    ...Object.fromEntries(Object.entries(skippedKinds).map(([kind, count]) => [`unknown kind ${kind}`, count])),
  };
  return { complete: report.complete && !tornLastLine && missingSeq === 0, skipped };
}
