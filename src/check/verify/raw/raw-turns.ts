import { rememberedOf } from '../../../base/index.ts';
import type { Exchange } from '../../../history/index.ts';
import { push } from '../../push.ts';
import { greatest, least } from './extremes.ts';
import { wasAdmitted } from './raw.ts';
import type { RawExchange, RawHistory } from './raw-history.ts';
import { settingsOf } from './raw-profile.ts';
import { inOrderOfSending, isDoubtful, RawSends } from './raw-sends.ts';

/** Gathered once for all certificates: a history may have a million messages, and each of some dozens of proofs asks about its turns. */
export const rawTurnsOf: (history: RawHistory) => RawTurns = rememberedOf((history) => new RawTurns(history));

/** What the verifier of the concurrency limit takes from polls and stream events: when turns were in process. */
export class RawTurns {
  /** The messages whose turns they are. */
  readonly sent: RawSends;
  readonly #history: RawHistory;
  readonly #polls = new Map<string, RawExchange[]>();
  readonly #naming = new Map<string, RawExchange[]>();
  readonly #events = new Map<string, { event: string; status?: string; at: number; cameBy: number }[]>();
  readonly #finished = new Map<string, number>();
  readonly #contradicting = new Map<string, boolean>();
  /** Turns of which nothing is known. */
  readonly #doubted = new Set<string>();

  constructor(history: RawHistory) {
    this.#history = history;
    const inOrder = inOrderOfSending(history);
    this.sent = new RawSends(inOrder, history);
    for (const raw of inOrder) {
      const { operation, turn } = raw.exchange;
      if (turn && isDoubtful(raw)) this.#doubted.add(turn.id);
      if (turn && operation === 'readTurn') push(this.#polls, turn.id, raw);
      if (turn && operation === 'sendMessage') push(this.#naming, turn.id, raw);
    }
    for (const { turn, event, at, status } of history.streams)
      push(this.#events, turn, {
        event,
        at: history.timeline.at(at + 1),
        cameBy: at + 1,
        ...(status !== undefined && { status }),
      });
    for (const [turn, naming] of this.#naming) if (!this.#isOfOneMessage(turn, naming)) this.#doubted.add(turn);
  }

  /** Whether messages of one id named the turn, and none was first sent after its end had been seen. */
  #isOfOneMessage(turn: string, naming: readonly RawExchange[]): boolean {
    const messages = naming.filter(({ exchange }) => exchange.message !== undefined);
    const end = least(this.#ends(turn).flat());
    const isOlder = (raw: RawExchange) => this.sent.beginsAt(raw) <= end;
    return new Set(messages.map(({ exchange }) => exchange.message?.id)).size <= 1 && messages.every(isOlder);
  }

  firstNaming(turn: string): RawExchange | undefined {
    return this.#naming.get(turn)?.find(({ exchange }) => wasAdmitted(exchange, this.#history.words));
  }

  sawOpen(exchange: Exchange): boolean {
    const shown = this.#statusIn(exchange);
    return shown !== undefined && this.#history.words.turns.open.includes(shown);
  }

  /** The status that a good answer shows. */
  #statusIn({ turn, outcome, status, bodyProblem }: Exchange): string | undefined {
    const { readTurn } = this.#history.words.success;
    return outcome === 'answered' && bodyProblem === undefined && readTurn.includes(status ?? 0)
      ? turn?.status
      : undefined;
  }

  sawWorking(exchange: Exchange): boolean {
    return this.sawOpen(exchange) && this.#history.words.turns.processing.includes(exchange.turn?.status ?? '');
  }

  isDoubted(turn: string): boolean {
    return this.#doubted.has(turn);
  }

  /**
   * Whether a poll sent after the turn's end had been seen still showed it open, or a doubtful record names it. That a status may
   * be stale makes nothing more certain: the poll may be right.
   */
  contradicts(turn: string): boolean {
    const does = this.#contradicting.get(turn) ?? this.#contradicts(turn);
    this.#contradicting.set(turn, does);
    return does;
  }

  #contradicts(turn: string): boolean {
    if (this.isDoubted(turn)) return true;
    const polls = this.#polls.get(turn) ?? [];
    const open = polls.filter(({ exchange }) => this.#saysOpen(exchange)).map(({ exchange }) => exchange.sentAt);
    return greatest(open) > least(this.#ends(turn).flat());
  }

  #saysOpen({ outcome, turn }: Exchange): boolean {
    return outcome === 'answered' && turn?.status !== undefined && this.#history.words.turns.open.includes(turn.status);
  }

  /** Run times at which the turn was seen completed, and at which it was seen failed. */
  #ends(turn: string): readonly (readonly number[])[] {
    const { turns } = this.#history.words;
    return (['completed', 'failed'] as const).map((end) => this.#endsOf(turn, end, turns[end]));
  }

  #endsOf(turn: string, end: 'completed' | 'failed', words: readonly string[]): readonly number[] {
    const answers = [...(this.#polls.get(turn) ?? []), ...(this.#naming.get(turn) ?? [])].map(
      ({ exchange }) => exchange,
    );
    return [
      ...answers.flatMap(({ outcome, turn: seen, headersAt }) =>
        outcome === 'answered' && words.includes(seen?.status ?? '') && headersAt !== undefined ? [headersAt] : [],
      ),
      ...(this.#events.get(turn) ?? []).flatMap(({ event, cameBy }) => (event === end ? [cameBy - 1] : [])),
    ];
  }

  /**
   * Service time by which the turn had certainly finished; +∞ if nobody saw that. Of two different ends the later one counts,
   * because what failed may have been tried again.
   */
  finishedAt(turn: string | undefined): number {
    if (turn === undefined) return Number.POSITIVE_INFINITY;
    const at = this.#finished.get(turn) ?? this.#finish(turn);
    this.#finished.set(turn, at);
    return at;
  }

  #finish(turn: string): number {
    const ends = this.contradicts(turn) ? [] : this.#ends(turn).filter((seen) => seen.length > 0);
    return ends.length === 0 ? Number.POSITIVE_INFINITY : this.#history.timeline.at(greatest(ends.map(least)) + 1);
  }

  /** Service time of the first stream event that occurs only during processing; +∞ if there is none. */
  streamedFrom(turn: string): number {
    return least(this.#working(turn).map(({ at }) => at));
  }

  #working(turn: string) {
    const { open, processing } = this.#history.words.turns;
    return (this.#events.get(turn) ?? []).filter(
      ({ event, status = '' }) =>
        event === 'delta' || (event === 'status' && processing.includes(status) && open.includes(status)),
    );
  }

  /** Service time for which the status in a poll is certain: when it was sent, less the time for which a status may be stale. */
  asOf({ exchange, decided }: RawExchange): number {
    const { staleUs } = settingsOf(this.#history);
    const isKnown = Number.isFinite(staleUs) && Number.isFinite(decided.from);
    return isKnown ? this.#history.timeline.at(exchange.sentAt - staleUs) : Number.NEGATIVE_INFINITY;
  }

  /**
   * Whether a poll that was sent after it had been seen in process saw it neither certainly in process nor ended, or its stream told
   * such a status then: it may have waited again. Compared on the generator's clock, because on a service's clock that was set back
   * two instants may coincide.
   * @param seen polls that saw it in process
   */
  mayHaveWaitedAgain(turn: string, seen: readonly RawExchange[]): boolean {
    const answered = seen.map(({ exchange }) => (exchange.headersAt ?? exchange.receivedAt) + 1);
    const streamed = least(this.#working(turn).map(({ cameBy }) => cameBy));
    const begun = Math.min(least(answered), streamed);
    return (
      (this.#polls.get(turn) ?? []).some(
        ({ exchange }) => this.#mayBeOther('processing', this.#statusIn(exchange)) && exchange.sentAt >= begun,
      ) ||
      (this.#events.get(turn) ?? []).some(
        ({ event, status, cameBy }) => event === 'status' && this.#mayBeOther('processing', status) && cameBy >= begun,
      )
    );
  }

  /** Whether a turn with this status has not ended, and may be in another state than this. Of a status in no list, nothing is known. */
  #mayBeOther(state: 'queued' | 'processing', status: string | undefined): boolean {
    const { turns } = this.#history.words;
    if (status === undefined) return false;
    if (turns.open.includes(status)) return !turns[state].includes(status);
    return ![...turns.completed, ...turns.failed].includes(status);
  }

  #sawQueued(turn: string): RawExchange[] {
    const polls = this.#polls.get(turn) ?? [];
    const { queued } = this.#history.words.turns;
    return polls.filter(({ exchange }) => this.sawOpen(exchange) && queued.includes(exchange.turn?.status ?? ''));
  }

  /** Whether the last poll that saw it waiting was sent after it had been seen otherwise: it may have been in process before. */
  #mayHaveWorkedBefore(turn: string, waiting: readonly RawExchange[]): boolean {
    const answered = (this.#polls.get(turn) ?? []).flatMap(({ exchange }) =>
      this.#mayBeOther('queued', this.#statusIn(exchange)) ? [(exchange.headersAt ?? exchange.receivedAt) + 1] : [],
    );
    const { open, queued } = this.#history.words.turns;
    const accepted = (this.#naming.get(turn) ?? []).flatMap(({ exchange: { outcome, turn: seen, headersAt } }) => {
      const status = seen?.status ?? '';
      const mayWork = outcome === 'answered' && open.includes(status) && !queued.includes(status);
      return mayWork && headersAt !== undefined ? [headersAt + 1] : [];
    });
    const told = (this.#events.get(turn) ?? []).flatMap(({ event, status, cameBy }) =>
      event === 'status' && this.#mayBeOther('queued', status) ? [cameBy] : [],
    );
    return greatest(waiting.map(({ exchange }) => exchange.sentAt)) >= least([...answered, ...accepted, ...told]);
  }

  /** Service time until which it certainly waited; −∞ if it was not seen waiting, or may have been in process before. */
  waitedUntil(turn: string): number {
    if (this.contradicts(turn)) return Number.NEGATIVE_INFINITY;
    const worked = (this.#polls.get(turn) ?? []).filter(({ exchange }) => this.sawWorking(exchange));
    if (this.mayHaveWaitedAgain(turn, worked)) return Number.NEGATIVE_INFINITY;
    const waiting = this.#sawQueued(turn);
    if (this.#mayHaveWorkedBefore(turn, waiting)) return Number.NEGATIVE_INFINITY;
    return greatest(waiting.map((poll) => this.asOf(poll)));
  }
}
