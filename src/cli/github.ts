import { appendFileSync } from 'node:fs';
import { githubAnnotations, type JudgedRun, renderMarkdown } from '../report/index.ts';
import { onGitHub } from './print.ts';

/**
 * Tells GitHub Actions of a run, where it is there: annotations, and a page of the step's summary. Does nothing elsewhere, and
 * fails nothing: the run is what it is.
 * @param stream where annotations go; the runner reads both streams
 */
export function tellGitHub(run: JudgedRun, stream: NodeJS.WriteStream): void {
  if (onGitHub())
    stream.write(
      githubAnnotations(run)
        .map((line) => `${line}\n`)
        .join(''),
    );
  const page = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (page === '') return;
  try {
    appendFileSync(page, `${renderMarkdown(run)}\n`);
  } catch (error) {
    process.stderr.write(`spillway: the step's summary cannot be written: ${(error as Error).message}\n`);
  }
}
