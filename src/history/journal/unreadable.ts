import { statSync } from 'node:fs';
import { ConfigurationError, isRecord, listed, whyNotRead } from '../../base/index.ts';
import { headerFaults, type NoRecord } from '../lines/decode.ts';
import { HISTORY_FORMAT, HISTORY_VERSION, type JournalRecord } from '../records.ts';

/* Errors of files that cannot be read as a history. */

/** Translates an error of opening or reading a file; other errors are returned unchanged. */
export function unreadableFile(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ConfigurationError || code === undefined) return error;
  const { message, hint } = whyNotRead(error, 'give the path of a history.ndjson');
  return unreadable(path, message, hint);
}

/** A pipe or a device may never end, or never be opened. @throws ConfigurationError if it is one; the system's error if there is nothing */
export function requireNoDevice(path: string): void {
  const stats = statSync(path);
  if (stats.isFile() || stats.isDirectory()) return;
  throw unreadable(path, 'cannot be read: it is a pipe or a device', 'a journal is read more than once: name a file');
}

/** @throws ConfigurationError if the first line is no header that this version can read */
export function requireHeader(path: string, text: string, decoded: JournalRecord | NoRecord): void {
  if (decoded === 'blank') return;
  const first = looselyParsed(text);
  if (first?.kind !== 'header' || first.format !== HISTORY_FORMAT) {
    throw unreadable(
      path,
      'is not a history: its first line is no spillway-history header',
      'give the path of a history.ndjson',
    );
  }
  if (first.version !== HISTORY_VERSION) {
    throw unreadable(
      path,
      `is a history of version ${JSON.stringify(first.version)}, and this tool reads version ${HISTORY_VERSION}`,
      'read it with the release that wrote it',
    );
  }
  if (decoded === 'bad') {
    const { missing, wrong } = headerFaults(first);
    const faults = listed(
      missing.length > 0 && `lacks ${missing.join(', ')}`,
      wrong.length > 0 && `has values that are not allowed: ${wrong.join(', ')}`,
    );
    throw unreadable(
      path,
      `is not a usable history: its header ${faults.join(', and ')}`,
      'run the scenario again, or give each the value that results/README.md describes',
    );
  }
}

export const ofTwoRuns = (path: string): ConfigurationError =>
  unreadable(path, 'holds the lines of two runs', 'put each run in a file of its own: each begins with its header');

const unreadable = (path: string, message: string, hint: string): ConfigurationError =>
  new ConfigurationError([{ file: path, path: '', message, hint }]);

/** The members that identify a line, even if it lacks others. */
export function looselyParsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
