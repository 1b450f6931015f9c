import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { judge, weigh } from '../check/index.ts';
import type { GateResult } from '../gates/index.ts';
import type { JournalRecord } from '../history/index.ts';
import { exportText } from '../report/export-all.ts';
import { exporters } from '../report/exporters/index.ts';
import type { Judged } from '../report/index.ts';
import { invalidBecause } from '../run/validity.ts';
import { temporaryFolder } from './cli.ts';
import { runVirtualScenario } from './virtual.ts';

type Input = Parameters<typeof runVirtualScenario>[0];
type Overrides = Parameters<typeof runVirtualScenario>[1];

/** The records of a run in virtual time, including the end record. */
export async function wholeRun(input: Input, overrides?: Overrides): Promise<readonly JournalRecord[]> {
  const { records, exchanges, drops, streams, journeys, durationUs } = await runVirtualScenario(input, overrides);
  const end: JournalRecord = {
    kind: 'end',
    at: durationUs,
    arrivals: journeys.length + drops.length,
    exchanges: exchanges.length,
    streams: streams.filter(({ event }) => event === 'opened').length,
    drops: drops.length,
    complete: true,
  };
  return [...records, end];
}

/** Judges records, with the given gates. */
export function judgedOf(records: readonly JournalRecord[], gates: readonly GateResult[] = []): Judged {
  const verdicts = judge(records);
  const header = records.find((record) => record.kind === 'header');
  return {
    document: { ...verdicts, ...weigh(verdicts, header?.kind === 'header' ? header.profile : undefined) },
    invalidBecause,
    gates: () => gates,
  };
}

/** Writes the report of records to a temporary file. @returns its URL */
export function reportOf(records: readonly JournalRecord[], gates?: readonly GateResult[]): string {
  const file = join(temporaryFolder(), 'report.html');
  writeFileSync(file, exportText(exporters.report, records, judgedOf(records, gates)));
  return pathToFileURL(file).href;
}
