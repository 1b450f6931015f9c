import { inertJson } from '../report/index.ts';
import { onGitHub } from './print.ts';

/** Prints a document for machines, on one line of stdout; words of a service in it are none for a terminal, and the same once read. */
export function printJson(document: unknown): void {
  const json = inertJson(document, 0);
  process.stdout.write(onGitHub() ? json.replaceAll('##[', '\\u0023#[') : json);
}
