import { appendFileSync } from 'node:fs';
import {
  githubAnnotations,
  githubRoundsAnnotations,
  type JudgedRounds,
  type JudgedRun,
  renderMarkdown,
  renderRoundsMarkdown,
} from '../report/index.ts';
import { onGitHub } from './print.ts';

/** Tells GitHub Actions of a run; as `tellGitHub`. */
export const tellGitHubOfRun = (run: JudgedRun, stream: NodeJS.WriteStream): void =>
  tellGitHub(githubAnnotations(run), renderMarkdown(run), stream);

/** Tells GitHub Actions of all rounds; as `tellGitHub`. */
export const tellGitHubOfRounds = (judged: JudgedRounds, stream: NodeJS.WriteStream): void =>
  tellGitHub(githubRoundsAnnotations(judged), renderRoundsMarkdown(judged), stream);

/**
 * Tells GitHub Actions of something, where it is there: annotations, and a page of the step's summary. Does nothing elsewhere, and
 * fails nothing: the run is what it is.
 * @param annotations workflow commands, a line each
 * @param markdown the page
 * @param stream where annotations go; the runner reads both streams
 */
function tellGitHub(annotations: readonly string[], markdown: string, stream: NodeJS.WriteStream): void {
  if (onGitHub()) stream.write(annotations.map((line) => `${line}\n`).join(''));
  const page = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (page === '') return;
  try {
    appendFileSync(page, `${markdown}\n`);
  } catch (error) {
    process.stderr.write(`spillway: the step's summary cannot be written: ${(error as Error).message}\n`);
  }
}
