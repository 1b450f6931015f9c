import { join } from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';
import { junitXml } from './junit.ts';
import { summaryMarkdown } from './markdown.ts';
import { openMetrics } from './openmetrics.ts';
import type { JudgedRun, Output } from './output.ts';
import type { JudgedRounds } from './rounds.ts';
import { roundsJUnit } from './rounds-junit.ts';
import { renderRoundsMarkdown } from './rounds-markdown.ts';

/** All files that are made from a judged run, in the order of the README. To add one, add a file and a line here. */
export const outputs = {
  markdown: summaryMarkdown,
  junit: junitXml,
  openMetrics,
} as const satisfies Readonly<Record<string, Output>>;

/** Writes these files into the run's folder, each atomically. @throws the disk's error */
export async function writeOutputs(runFolder: string, run: JudgedRun): Promise<void> {
  for (const output of Object.values(outputs))
    await writeFileAtomically(join(runFolder, output.file), [await output.render(run)]);
}

/** Writes the results of all rounds into their folder, each file atomically. @throws the disk's error */
export async function writeRoundsOutputs(folder: string, judged: JudgedRounds): Promise<void> {
  await writeFileAtomically(join(folder, summaryMarkdown.file), [renderRoundsMarkdown(judged)]);
  await writeFileAtomically(join(folder, junitXml.file), [roundsJUnit(judged)]);
}
