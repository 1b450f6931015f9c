import type { Header } from '../../history/index.ts';
import type { ExchangeRef, WrongfulRefusal } from '../certificates/certificate.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Promises } from '../evidence/promises.ts';
import type { Finding, FindingData } from '../finding.ts';
import type { DeclaredReadings } from '../reading.ts';
import type { Advice } from './gather/advice.ts';
import type { Answers } from './gather/answers.ts';
import type { Send } from './gather/messages.ts';
import type { ConversationPages } from './gather/pages.ts';
import type { StreamFault } from './gather/streams.ts';
import type { TurnBook } from './gather/turns.ts';
import type { Traffic } from './traffic.ts';

/** Everything that is known when findings are searched. Nothing in it rests on a doubtful record. */
export interface Look {
  readonly header: Header;
  readonly declared: DeclaredReadings;
  readonly promises: Promises;
  readonly evidence: Evidence;
  readonly traffic: Traffic;
  /** Whether nothing was sent that these records do not show: no record is missing or doubtful. */
  readonly isWhole: boolean;
  /** Messages sent, by client_message_id, each list in order of sending. */
  readonly sends: ReadonlyMap<string, readonly Send[]>;
  readonly turns: TurnBook;
  readonly streams: readonly StreamFault[];
  /** What was read of conversations, by number (`Places`). */
  readonly conversations: ReadonlyMap<number, ConversationPages>;
  readonly advice: Advice;
  readonly answers: Answers;
}

/** One instance of a kind of finding. */
export interface Found<D extends FindingData = FindingData> {
  readonly basis: Finding['basis'];
  /** Run time, µs, when it became visible; findings are sorted by it. */
  readonly at: number;
  readonly exchanges: readonly ExchangeRef[];
  readonly data: D;
  readonly certificates?: readonly WrongfulRefusal[];
}

/** An observation that these rows of the evidence show, from the last of them on. */
export const observed = <D extends FindingData>(
  { sentAt, refOf }: Evidence,
  rows: readonly [...number[], last: number],
  data: D,
): Found<D> => ({
  basis: 'observation',
  at: sentAt[rows[rows.length - 1] as number] as number,
  exchanges: rows.map(refOf),
  data,
});

export interface FindingKind {
  /** Its meaning, in one sentence for readers of a report. */
  readonly says: string;
  readonly find: (look: Look) => Iterable<Found & { readonly claim: () => string }>;
}

/**
 * Connects a kind's search with its sentence, which is made from the data alone.
 * @param find in any order; the registry sorts and limits the number
 */
export function kindOf<D extends FindingData>(
  says: string,
  find: (look: Look) => Iterable<Found<D>>,
  claim: (data: D) => string,
): FindingKind {
  return {
    says,
    *find(look) {
      for (const found of find(look)) yield { ...found, claim: () => claim(found.data) };
    },
  };
}
