import { rememberedOf } from '../../../base/index.ts';
import type { Exchange } from '../../../history/index.ts';
import { push } from '../../push.ts';
import { least } from './extremes.ts';
import { REJECTED, wasAdmitted, wasRefused } from './raw.ts';
import type { RawExchange, RawHistory } from './raw-history.ts';
import { keyOf, settingsOf } from './raw-profile.ts';

/** A message sent, with all attempts at it (same client_message_id) in order of sending, including itself. */
export interface RawMessage {
  readonly raw: RawExchange;
  readonly attempts: readonly RawExchange[];
}

/** What the verifier of the concurrency limit takes from attempts at messages: which may have made a turn. */
export class RawSends {
  readonly messages: readonly RawMessage[];
  readonly #history: RawHistory;
  readonly #attempts = new Map<string, RawExchange[]>();
  /** By client_message_id: the keys of the messages that have it. */
  readonly #keys = new Map<string, Set<string>>();

  constructor(inOrder: readonly RawExchange[], history: RawHistory) {
    this.#history = history;
    const sent = inOrder.filter(({ exchange }) => exchange.operation === 'sendMessage');
    for (const raw of sent) {
      const [key, id] = [keyOf(raw, history), raw.exchange.message?.id ?? ''];
      push(this.#attempts, key, raw);
      this.#keys.set(id, (this.#keys.get(id) ?? new Set()).add(key));
    }
    this.messages = sent.map((raw) => ({ raw, attempts: this.#attemptsLike(raw) }));
  }

  #attemptsLike(raw: RawExchange): readonly RawExchange[] {
    return this.#attempts.get(keyOf(raw, this.#history)) ?? [raw];
  }

  /** Whether the answer certainly made a turn that no attempt counted in another bucket can have made. */
  readonly ownTurn = rememberedOf((raw: RawExchange): boolean => {
    const { exchange } = raw;
    if (raw.doubted || !wasAdmitted(exchange, this.#history.words) || !exchange.turn || !exchange.message) return false;
    const attempts = this.#attemptsLike(raw);
    const [first = raw] = attempts;
    if (wasSentBefore(first.exchange)) return false;
    return attempts.every(
      (one) =>
        one.exchange.token === exchange.token &&
        one.exchange.conversation === exchange.conversation &&
        (!wasAdmitted(one.exchange, this.#history.words) || one.exchange.turn?.id === exchange.turn?.id),
    );
  });

  /** Whether no other attempt can have made the turn before this one: it is the first, or the service refused all before it. */
  isFirstTaken(raw: RawExchange): boolean {
    const attempts = this.#attemptsLike(raw);
    const before = attempts.slice(0, attempts.indexOf(raw));
    if (before.length === 0) return !wasSentBefore(raw.exchange);
    const isNumbered = ({ exchange: { attempt, resend } }: RawExchange, i: number) =>
      attempt === i + 1 && resend === undefined;
    const isSame = (one: RawExchange) => one.exchange.message?.digest === raw.exchange.message?.digest;
    const isRefused = (one: RawExchange) => !isDoubtful(one) && wasRefused(one.exchange) && isSame(one);
    return [...before, raw].every(isNumbered) && before.every(isRefused) && !this.sharesId(raw);
  }

  /** Run time at which the message was first sent; −∞ if that was before the history. */
  beginsAt(raw: RawExchange): number {
    const attempts = this.#attemptsLike(raw);
    const isKnown = attempts.some(({ exchange }) => !wasSentBefore(exchange));
    return isKnown ? least(attempts.map(({ exchange }) => exchange.sentAt)) : Number.NEGATIVE_INFINITY;
  }

  /** Whether another message has the same client_message_id: a service may treat both as one. */
  sharesId({ exchange: { message } }: RawExchange): boolean {
    return message !== undefined && (this.#keys.get(message.id)?.size ?? 0) > 1;
  }

  becameNoTurn({ exchange, doubted }: RawExchange): boolean {
    const { words } = this.#history;
    const isTheirs = exchange.bodyProblem === undefined;
    return !doubted && isTheirs && !wasAdmitted(exchange, words) && REJECTED.has(exchange.status ?? 0);
  }

  /** Whether `one` can have taken the slot that attempts with the content of `raw` share. */
  mayHold(one: RawExchange, raw: RawExchange): boolean {
    if (isDoubtful(one) || wasRefused(one.exchange) || this.becameNoTurn(one)) return false;
    return one.exchange.message?.digest === raw.exchange.message?.digest;
  }

  /** The turn that all attempts with this content share, if the profile promises that; `undefined` if unknown. */
  sharedTurn(attempts: readonly RawExchange[], raw: RawExchange): string | undefined {
    return isDoubtful(raw) || this.sharesId(raw) ? undefined : this.#turnOfAll(attempts);
  }

  readonly #turnOfAll = rememberedOf((attempts: readonly RawExchange[]): string | undefined => {
    const contents = new Set(attempts.map(({ exchange }) => exchange.message?.digest));
    if (!settingsOf(this.#history).sameTurn || contents.size !== 1) return undefined;
    const answered = attempts.filter((one) => !isDoubtful(one) && wasAdmitted(one.exchange, this.#history.words));
    const turns = new Set(answered.map(({ exchange }) => exchange.turn?.id));
    return turns.size === 1 ? [...turns][0] : undefined;
  });
}

/** Of two sent at the same instant, the one with the lower number was first, whichever was answered first. */
export const inOrderOfSending = ({ exchanges }: RawHistory): readonly RawExchange[] =>
  [...exchanges].sort((a, b) => a.decided.from - b.decided.from || a.exchange.seq - b.exchange.seq);

/** Whether the record says that it is not the first attempt at its message. */
export const wasSentBefore = ({ resend, attempt }: Pick<Exchange, 'resend' | 'attempt'>): boolean =>
  resend !== undefined || attempt > 1;

export const isDoubtful = ({ doubted, decided }: RawExchange) => doubted || !Number.isFinite(decided.from);
