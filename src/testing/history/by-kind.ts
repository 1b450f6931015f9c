import type { DropRecord, Exchange, JournalRecord, JourneyRecord, StreamRecord } from '../../history/index.ts';

/** Records, and those that tests ask for by their kind. */
export interface RecordsByKind {
  readonly records: readonly JournalRecord[];
  readonly exchanges: readonly Exchange[];
  readonly streams: readonly StreamRecord[];
  readonly drops: readonly DropRecord[];
  readonly journeys: readonly JourneyRecord[];
}

export const byKind = (records: readonly JournalRecord[]): RecordsByKind => ({
  records,
  exchanges: ofKind(records, 'exchange'),
  streams: ofKind(records, 'stream'),
  drops: ofKind(records, 'drop'),
  journeys: ofKind(records, 'journey'),
});

export const ofKind = <K extends JournalRecord['kind']>(records: readonly JournalRecord[], kind: K) =>
  records.filter((record): record is Extract<JournalRecord, { kind: K }> => record.kind === kind);
