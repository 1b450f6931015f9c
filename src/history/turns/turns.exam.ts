import { expect } from 'vitest';
import { us } from '../../testing/history/sample-records.ts';
import type { JournalRecord, StreamRecord } from '../records.ts';
import { profileWords } from './profile-words.ts';
import { type Turn, TurnLedger } from './turns.ts';

/** @param staleFor ms */
export const wordsWith = (staleFor: unknown) => profileWords({ turns: { staleFor } }).turns;
const words = profileWords(undefined).turns;
export function turnsOf(records: readonly JournalRecord[], by = words): Turn[] {
  const ledger = new TurnLedger(by);
  for (const record of records) ledger.add(record);
  return ledger.turns();
}
export const only = (records: readonly JournalRecord[], by = words) => {
  const turns = turnsOf(records, by);
  expect(turns).toHaveLength(1);
  return turns[0];
};
export const stream = (event: StreamRecord['event'], at: number): StreamRecord => ({
  kind: 'stream',
  turn: 't',
  event,
  at: us(at),
});
