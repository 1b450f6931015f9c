import { inertJson } from '../base/index.ts';
import { onGitHub } from './print.ts';

/** Prints a document as one line of JSON on stdout. Characters that a terminal or GitHub Actions would interpret are escaped; parsing restores them. */
export function printJson(document: unknown): void {
  const json = inertJson(document, 0);
  process.stdout.write(onGitHub() ? json.replaceAll('##[', '\\u0023#[') : json);
}
