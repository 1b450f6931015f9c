import { appendFileSync } from 'node:fs';
import {
  githubAnnotations,
  githubComparisonAnnotations,
  githubRoundsAnnotations,
  type JudgedRounds,
  type JudgedRun,
  renderComparisonMarkdown,
  renderMarkdown,
  renderRoundsMarkdown,
} from '../../report/index.ts';
import type { CompareOutcome } from '../../run/index.ts';
import { onGitHub, tell } from './print.ts';

/** Reports a run to GitHub Actions; see `tellGitHub`. */
export const tellGitHubOfRun = (run: JudgedRun, stream: NodeJS.WriteStream): void =>
  tellGitHub(githubAnnotations(run), renderMarkdown(run), stream);

/** Reports all rounds to GitHub Actions; see `tellGitHub`. */
export const tellGitHubOfRounds = (judged: JudgedRounds, stream: NodeJS.WriteStream): void =>
  tellGitHub(githubRoundsAnnotations(judged), renderRoundsMarkdown(judged), stream);

/** Reports a comparison of runs to GitHub Actions; see `tellGitHub`. */
export const tellGitHubOfComparison = ({ comparison }: CompareOutcome, stream: NodeJS.WriteStream): void =>
  tellGitHub(githubComparisonAnnotations(comparison), renderComparisonMarkdown(comparison), stream);

/**
 * Writes annotations and the step summary on GitHub Actions; does nothing elsewhere. A failure does not change the exit code.
 * @param annotations workflow commands, one per line
 * @param markdown for the step summary
 * @param stream for annotations; the runner reads both streams
 */
function tellGitHub(annotations: readonly string[], markdown: string, stream: NodeJS.WriteStream): void {
  if (onGitHub()) stream.write(annotations.map((line) => `${line}\n`).join(''));
  const page = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (page === '') return;
  try {
    appendFileSync(page, `${markdown}\n`);
  } catch (error) {
    tell(`the step summary cannot be written: ${(error as Error).message}`);
  }
}
