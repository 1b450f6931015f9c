import type { ConfigProblem } from '../../base/index.ts';
import type { Recording } from '../load-models/index.ts';

export type Unit = 's' | 'ms' | 'us';

/** Where a replay gets its times from. */
export interface RecordingSource {
  /** A CSV file, a journal, or the folder of a run. */
  readonly file: string;
  readonly column: string;
  /** Of bare numbers. Absent: told by the column's name (`intended_us`), otherwise seconds. */
  readonly unit?: Unit | undefined;
}

export type RecordingResult =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export function refused(file: string, message: string, hint: string): RecordingResult {
  return { ok: false, problems: [{ file, path: '', message, hint }] };
}

/** Sorts times, relative to the first. @param what has none, if there is none */
export function found(times: readonly number[], file: string, what: string, hint: string): RecordingResult {
  if (times.length === 0) return refused(file, `has no ${what}`, hint);
  const sorted = Float64Array.from(times).sort();
  const first = sorted[0] ?? 0;
  return { ok: true, recording: { offsetsUs: sorted.map((time) => Math.round(time - first)) } };
}
