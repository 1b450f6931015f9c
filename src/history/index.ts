/**
 * history/ has the journal: its records, how they are written to disk (and what a crash can lose), how they are read back, and how
 * turns are derived from them. It must not know clients, metrics or the judge, which only use its records.
 */
export { readJournalSync } from './journal-reader.ts';
export { followJournal } from './journal-tail.ts';
export { type JournalWriter, openJournal } from './journal-writer.ts';
export { NumberSet } from './number-set.ts';
export { type ProfileWords, profileWords } from './profile-words.ts';
export type { JournalReport } from './record-reader.ts';
export type {
  CapName,
  ClockRecord,
  DropRecord,
  EndRecord,
  Exchange,
  GeneratorLimits,
  Header,
  HealthRecord,
  HistorySeen,
  JournalRecord,
  JourneyRecord,
  MessageSent,
  RoundOf,
  SentRecord,
  StageRecord,
  StreamRecord,
  ToldOtherwise,
  TurnSeen,
} from './records.ts';
export { HISTORY_FORMAT, HISTORY_VERSION, recordedAllSent } from './records.ts';
export { Sequences } from './sequences.ts';
export type { Acceptance } from './turn-facts.ts';
export { type Turn, TurnLedger } from './turns.ts';
export { UnansweredSends } from './unanswered-sends.ts';
