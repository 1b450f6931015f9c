import type { Header } from '../../history/index.ts';
import type { ExchangeRef, WrongfulRefusal } from '../certificate.ts';
import type { Evidence } from '../evidence.ts';
import type { Finding, FindingData } from '../finding.ts';
import type { DeclaredReadings } from '../reading.ts';
import type { Advice } from './gather/advice.ts';
import type { Answers } from './gather/answers.ts';
import type { Send } from './gather/messages.ts';
import type { ConversationPages } from './gather/pages.ts';
import type { StreamFault } from './gather/streams.ts';
import type { TurnBook } from './gather/turns.ts';
import type { Promises } from './promises.ts';
import type { Traffic } from './traffic.ts';

/** All that is known when findings are sought. Nothing in it rests on a doubtful record. */
export interface Look {
  readonly header: Header;
  readonly declared: DeclaredReadings;
  readonly promises: Promises;
  readonly evidence: Evidence;
  readonly traffic: Traffic;
  /** Messages sent, by client_message_id, each list in order of sending. */
  readonly sends: ReadonlyMap<string, readonly Send[]>;
  readonly turns: TurnBook;
  readonly streams: readonly StreamFault[];
  /** What was read of them, by number (`Places`). */
  readonly conversations: ReadonlyMap<number, ConversationPages>;
  readonly advice: Advice;
  readonly answers: Answers;
}

/** One instance of a kind of finding. */
export interface Found<D extends FindingData = FindingData> {
  readonly basis: Finding['basis'];
  /** Run time, µs: when it showed; findings are listed in this order. */
  readonly at: number;
  readonly exchanges: readonly ExchangeRef[];
  readonly data: D;
  readonly certificates?: readonly WrongfulRefusal[];
}

/** One kind of finding. */
export interface FindingKind {
  /** What it means, in a sentence for people who meet it in a report. */
  readonly says: string;
  readonly find: (look: Look) => Iterable<Found & { readonly claim: () => string }>;
}

/**
 * Ties a kind's search to its sentence, which is rendered from the data alone.
 * @param find in any order; the registry sorts and bounds
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
