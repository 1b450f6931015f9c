import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError, utf8Of, whyNotRead } from '../../base/index.ts';
import { type RecordingResult, type RecordingSource, refused } from './recorded-times.ts';
import { recordingOfCsv } from './recording-of-csv.ts';
import { recordingOfJournal } from './recording-of-journal.ts';

/** A CSV is read into memory. */
const LARGEST_CSV_BYTES = 256 * 1024 * 1024;

/** Reads the times of a replay, sorted and relative to the first. */
export function readRecording({ file, column, unit }: RecordingSource): RecordingResult {
  try {
    const isFolder = statSync(file).isDirectory();
    const journal = isFolder ? join(file, 'history.ndjson') : file;
    if (isFolder && !existsSync(journal))
      return refused(file, 'is a folder without a history.ndjson', 'name the folder of a run');
    if (isFolder || file.endsWith('.ndjson')) return recordingOfJournal(journal, file);
    if (!file.toLowerCase().endsWith('.csv'))
      return refused(file, 'is not a recording', 'give a .csv, a history.ndjson, or the folder of a run');
    if (statSync(file).size > LARGEST_CSV_BYTES) return refused(file, 'is larger than 256 MB', 'replay a part of it');
    return recordingOfCsv(utf8Of(readFileSync(file), file), { file, column, unit });
  } catch (error) {
    if (error instanceof ConfigurationError) return { ok: false, problems: error.problems };
    const { message, hint } = whyNotRead(error, 'check the path');
    return refused(file, message, hint);
  }
}
