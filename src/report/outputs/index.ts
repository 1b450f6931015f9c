import { join } from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';
import { junitXml } from './junit.ts';
import { summaryMarkdown } from './markdown.ts';
import { openMetrics } from './openmetrics.ts';
import type { JudgedRun, Output } from './output.ts';
import type { JudgedRounds } from './rounds.ts';
import { roundsJUnit } from './rounds-junit.ts';
import { renderRoundsMarkdown } from './rounds-markdown.ts';

/** Every file that is made of a judged run, in the order of the README. A new one is a file and a line here. */
export const outputs = {
  markdown: summaryMarkdown,
  junit: junitXml,
  openMetrics,
} as const satisfies Readonly<Record<string, Output>>;

/** Writes them into the run's folder, each whole or not at all. @throws the disk's error */
export async function writeOutputs(runFolder: string, run: JudgedRun): Promise<void> {
  for (const output of Object.values(outputs))
    await writeFileAtomically(join(runFolder, output.file), [await output.render(run)]);
}

/** Writes the files of a folder of rounds that say what came of all of them, each whole or not at all. @throws the disk's error */
export async function writeRoundsOutputs(folder: string, judged: JudgedRounds): Promise<void> {
  await writeFileAtomically(join(folder, summaryMarkdown.file), [renderRoundsMarkdown(judged)]);
  await writeFileAtomically(join(folder, junitXml.file), [roundsJUnit(judged)]);
}
