import type { Micros } from '../../base/index.ts';
import type { JournalRecord } from '../records.ts';
import type { ProfileWords } from './profile-words.ts';
import { type Acceptance, addFacts, emptyFacts, type FinishSeen, factsOf, type TurnFacts } from './turn-facts.ts';
import { UnansweredSends } from './unanswered-sends.ts';

/** A closed interval of run time. */
export interface Interval {
  readonly from: Micros;
  readonly to: Micros;
}

/**
 * A turn, as far as the records show it. It was accepted within [acceptedAfter ?? acceptance.sentAt, acceptance.headersAt] and
 * finished within `finished.between`; so it was certainly in process throughout `certain`, and never outside `possible`.
 */
export interface Turn {
  readonly id: string;
  /** Absent if no record has the answer that accepted it. */
  readonly acceptance?: Acceptance;
  /**
   * When an earlier, unanswered attempt at its message was sent that may have been accepted: then `acceptance` is only the first
   * answer, and the turn's duration is unknown. Absent if there is none.
   */
  readonly acceptedAfter?: Micros;
  readonly state: 'completed' | 'failed' | 'unfinished';
  /** The first observation of its end; absent while unfinished. */
  readonly finished?: {
    readonly by: FinishSeen['by'];
    /** When the client learnt it: headers of the poll or of the 202, or the stream's event. */
    readonly observedAt: Micros;
    /**
     * The service finished it after this (and before the first observation): the sending of the last poll that saw it open, less
     * `staleUs`; if none did, the sending of the message. Absent if not even that is recorded.
     */
    readonly after?: Micros;
    readonly before: Micros;
  };
  /** From the headers of the acceptance to the sending of the last poll that saw it open, less `staleUs`; absent if empty. */
  readonly certain?: Interval;
  /**
   * `from` is absent if the acceptance is. `to` is absent if its end was never observed, or if a later poll saw it open: it may
   * still be in process. Of two different ends it is the later one: what failed may have been tried again.
   */
  readonly possible: { readonly from?: Micros; readonly to?: Micros };
  /** First observation by each way of following. */
  readonly seenByPollAt?: Micros;
  readonly seenByStreamAt?: Micros;
  /** First event of the stream except its opening and closing; first part of the answer. */
  readonly firstEventAt?: Micros;
  readonly firstDeltaAt?: Micros;
  /** Exchanges of readTurn, with any outcome. */
  readonly polls: number;
  /** Stream records except openings and closings. */
  readonly streamEvents: number;
  /** metadata.latency_ms, from the first poll that had it. */
  readonly latencyMs?: number;
  /**
   * Whether a poll that was sent more than `staleUs` after the observed end saw the turn open: the service contradicts itself. After a
   * shorter time the poll may be stale.
   */
  readonly regressed: boolean;
}

/**
 * Collects what records say of turns. The order of the records does not matter, and two parts can be merged. Keeps a small object
 * per turn, none per exchange.
 */
export class TurnLedger {
  readonly #words: ProfileWords['turns'];
  readonly #turns = new Map<string, TurnFacts>();
  readonly #unanswered = new UnansweredSends();

  constructor(words: ProfileWords['turns']) {
    this.#words = words;
  }

  add(record: JournalRecord): void {
    const facts = factsOf(record, this.#words);
    if (facts) this.#fold(facts.turn, facts.facts);
    else this.#unanswered.add(record);
  }

  merge(other: TurnLedger): void {
    for (const [id, facts] of other.#turns) this.#fold(id, facts);
    this.#unanswered.merge(other.#unanswered);
  }

  /** In order of acceptance, turns without one last; equal instants in the order of the identifiers. */
  turns(): Turn[] {
    const last = Number.POSITIVE_INFINITY;
    return [...this.#turns]
      .map(([id, facts]) => turnOf(id, facts, this.#unanswered.before(facts.acceptance), this.#words.staleUs))
      .sort((a, b) => compare(a.acceptance?.sentAt ?? last, b.acceptance?.sentAt ?? last) || (a.id < b.id ? -1 : 1));
  }

  #fold(id: string, facts: Partial<TurnFacts>): void {
    let known = this.#turns.get(id);
    if (!known) {
      known = emptyFacts();
      this.#turns.set(id, known);
    }
    addFacts(known, facts);
  }
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);

/** Derives a turn's intervals from its facts. @param acceptedAfter see `Turn` @param staleUs see `ProfileWords.turns` */
function turnOf(id: string, facts: TurnFacts, acceptedAfter: Micros | undefined, staleUs: number): Turn {
  const first = firstFinish(facts);
  // A poll may show a status that is up to staleUs old, so the turn was certainly open only until then.
  const open = facts.lastOpenSentAt === undefined ? undefined : ((facts.lastOpenSentAt - staleUs) as Micros);
  const regressed = first !== undefined && open !== undefined && open > first.at;
  // A poll within the allowance may be stale or right. As in the judge, the allowance must not make anything more certain.
  const isInDoubt = first !== undefined && (facts.lastOpenSentAt ?? Number.NEGATIVE_INFINITY) > first.at;
  const { acceptance } = facts;
  const from = acceptedAfter ?? acceptance?.sentAt;
  // An instant that the allowance moves to before the message was sent carries no information.
  const saysNothing = staleUs > 0 && open !== undefined && open < (from ?? 0);
  const lastOpen = isInDoubt || saysNothing ? undefined : open;
  const after = lastOpen ?? from;
  const certainTo = acceptance && lastOpen !== undefined && lastOpen > acceptance.headersAt ? lastOpen : undefined;
  return {
    id,
    state: first?.state ?? 'unfinished',
    polls: facts.polls,
    streamEvents: facts.streamEvents,
    regressed,
    possible: { ...(from !== undefined && { from }), ...(first && !isInDoubt && { to: lastEnd(facts) ?? first.at }) },
    ...(acceptance && { acceptance }),
    ...(acceptedAfter !== undefined && { acceptedAfter }),
    ...(first && {
      finished: { by: first.by, observedAt: first.at, before: first.at, ...(after !== undefined && { after }) },
    }),
    ...(acceptance && certainTo !== undefined && { certain: { from: acceptance.headersAt, to: certainTo } }),
    ...(facts.finishedByPoll && { seenByPollAt: facts.finishedByPoll.at }),
    ...(facts.finishedByStream && { seenByStreamAt: facts.finishedByStream.at }),
    ...(facts.firstEventAt !== undefined && { firstEventAt: facts.firstEventAt }),
    ...(facts.firstDeltaAt !== undefined && { firstDeltaAt: facts.firstDeltaAt }),
    ...(facts.latency && { latencyMs: facts.latency.ms }),
  };
}

/** When the later of two different ends was first seen; `undefined` if there is one. */
function lastEnd({ completedAt, failedAt }: TurnFacts): Micros | undefined {
  if (completedAt === undefined || failedAt === undefined) return undefined;
  return completedAt > failedAt ? completedAt : failedAt;
}

/** The earliest observation of the end; with equal times that of the stream, which is exact. */
function firstFinish(facts: TurnFacts): FinishSeen | undefined {
  const seen = [facts.finishedByStream, facts.finishedByPoll, facts.finishedByMessage].filter(
    (one) => one !== undefined,
  );
  return seen.reduce<FinishSeen | undefined>((first, one) => (first && first.at <= one.at ? first : one), undefined);
}
