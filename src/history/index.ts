/**
 * history/ has the journal: its records, how they are written to disk (and what a crash can lose), how they are read back, and how
 * turns are derived from them. It must not know clients, metrics or the judge, which only use its records.
 */
export { readJournalSync } from './journal/journal-reader.ts';
export { followJournal } from './journal/journal-tail.ts';
export { type JournalWriter, openJournal } from './journal/journal-writer.ts';
export { NumberSet } from './journal/number-set.ts';
export type { JournalReport } from './journal/record-reader.ts';
export { Sequences } from './journal/sequences.ts';
export { LONGEST_SERVICE_US } from './lines/checks.ts';
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
export { capNames, dropReasons, HISTORY_FORMAT, HISTORY_VERSION, recordedAllSent } from './records.ts';
export { type ProfileWords, profileWords } from './turns/profile-words.ts';
export type { Acceptance } from './turns/turn-facts.ts';
export { type Turn, TurnLedger } from './turns/turns.ts';
export { UnansweredSends } from './turns/unanswered-sends.ts';
