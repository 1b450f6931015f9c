import { rememberedOf } from '../../../base/index.ts';
import type { ExchangeRef } from '../../certificates/certificate.ts';
import { push } from '../../push.ts';
import { greatest, least } from './extremes.ts';
import { type Decided, REJECTED, wasAdmitted } from './raw.ts';
import type { RawExchange, RawHistory } from './raw-history.ts';
import { keyOf } from './raw-profile.ts';
import { wasSentBefore } from './raw-sends.ts';
import { rawTurnsOf } from './raw-turns.ts';

/** A message that may have been charged, once, within [from, to]. */
export interface ChargedMessage extends Decided {
  readonly refs: readonly ExchangeRef[];
  /**
   * The attempts that may represent it: the one whose answer accepted it first, or otherwise the first one; several if they were
   * at the same instant.
   */
  readonly names: readonly RawExchange[];
}

/** What the verifier of the day quota takes from the messages sent to one bucket. */
export class RawMessages {
  readonly all: readonly ChargedMessage[];
  readonly #history: RawHistory;
  readonly #attempts = new Map<string, RawExchange[]>();

  constructor(sent: readonly RawExchange[], history: RawHistory) {
    this.#history = history;
    for (const raw of sent) push(this.#attempts, keyOf(raw, history), raw);
    this.all = [...this.#attempts.values()].flatMap((attempts) => this.#charged(attempts));
  }

  /**
   * One per content. One per record for records that are not believed, and for contents that another content preceded, even one
   * that was rejected: a service may keep only the last content.
   */
  #charged(attempts: readonly RawExchange[]): ChargedMessage[] {
    const charging = attempts.filter((one) => mayCharge(one, this.#history));
    const firstContent = firstSent(attempts)?.exchange.message?.digest;
    const others = charging.filter(({ exchange }) => exchange.message?.digest !== firstContent);
    // When another content may first have been accepted under the id, wherever.
    const elsewhere = attempts[0] ? takenElsewhere(attempts[0], this.#history) : Number.POSITIVE_INFINITY;
    const otherFrom = least([elsewhere, ...others.map(({ decided }) => decided.from)]);
    const byContent = new Map<RawExchange | string | undefined, RawExchange[]>();
    for (const raw of charging) {
      const isBelieved = !raw.doubted && Number.isFinite(raw.decided.from);
      const isFirst = raw.exchange.message?.digest === firstContent;
      const alone = !isBelieved || !isFirst || otherFrom < raw.decided.to;
      // Not by its number: records that are not believed may have the same.
      push(byContent, alone ? raw : raw.exchange.message?.digest, raw);
    }
    return [...byContent.values()].map((same) => this.#chargedOnce(same));
  }

  /** At the latest when an answer first accepted it. */
  #chargedOnce(same: readonly RawExchange[]): ChargedMessage {
    const accepted = same.filter(({ exchange, doubted }) => !doubted && wasAdmitted(exchange, this.#history.words));
    const latest = least(accepted.map(({ decided }) => decided.to));
    const from = least(same.map(({ decided }) => decided.from));
    const isName = ({ decided }: RawExchange) => (accepted.length > 0 ? decided.to === latest : decided.from === from);
    return {
      refs: same.map(({ ref }) => ref),
      names: (accepted.length > 0 ? accepted : same).filter(isName),
      from,
      to: Math.min(latest, greatest(same.map(({ decided }) => decided.to))),
    };
  }

  /** Each of the named messages; `undefined` unless all are certainly new, accepted and distinct. */
  surelyNew(refs: readonly ExchangeRef[]): ChargedMessage[] | undefined {
    const wanted = new Set(refs);
    const found = [...this.#attempts].filter(([, attempts]) => attempts.some(({ ref }) => wanted.has(ref)));
    if (found.length !== refs.length || wanted.size !== refs.length) return undefined;
    const charged = found.map(([, attempts]) => {
      const named = attempts.find(({ ref }) => wanted.has(ref));
      return named && this.#isSurelyNew(named) ? this.#charged(attempts)[0] : undefined;
    });
    return charged.every((one) => one !== undefined) ? charged : undefined;
  }

  /** When each message that is certainly new and accepted was charged. */
  allSurelyNew(): Decided[] {
    return [...this.#attempts.values()].flatMap((attempts) => {
      const isNew = attempts.some((one) => this.#isSurelyNew(one));
      return isNew ? this.#charged(attempts).slice(0, 1) : [];
    });
  }

  /** Attempts at what the profile considers another message must come later, since the service may treat both as one. */
  #isSurelyNew(named: RawExchange): boolean {
    const { exchange, doubted, decided } = named;
    if (doubted || !exchange.message || !wasAdmitted(exchange, this.#history.words)) return false;
    const { attempts, sameId, key } = attemptsAt(named, this.#history);
    const isLater = (one: RawExchange) => one.decided.from > decided.to || keyOf(one, this.#history) === key;
    return this.#isOneNew(attempts) && (sameId.length === attempts.length || sameId.every(isLater));
  }

  /** Whether all attempts at a message, wherever they were counted, are one message that is no older than the history. */
  readonly #isOneNew = rememberedOf((attempts: readonly RawExchange[]) => {
    const charging = attempts.filter((one) => mayCharge(one, this.#history));
    const [first] = charging;
    const turns = rawTurnsOf(this.#history);
    return (
      charging.every(({ exchange: { turn } }) => turn === undefined || !turns.isDoubted(turn.id)) &&
      attempts.every(
        ({ exchange: { token, conversation } }) =>
          token === first?.exchange.token && conversation === first?.exchange.conversation,
      ) &&
      charging.every(
        ({ decided, exchange: { message } }) =>
          Number.isFinite(decided.from) && message?.digest === first?.exchange.message?.digest,
      ) &&
      charging.some((one) => one.exchange.resend === undefined) &&
      attempts.some((one) => !wasSentBefore(one.exchange))
    );
  });
}

function mayCharge({ exchange, doubted, decided }: RawExchange, { words }: RawHistory): boolean {
  if (doubted || !Number.isFinite(decided.from)) return true;
  // If the body is not the service's, the status may be an intermediary's.
  if (exchange.bodyProblem !== undefined) return true;
  if (exchange.outcome === 'refused') return false;
  return wasAdmitted(exchange, words) || !REJECTED.has(exchange.status ?? 0);
}

/** All messages of a history, gathered once for all certificates. */
const everywhere = rememberedOf((history: RawHistory) => {
  const byKey = new Map<string, RawExchange[]>();
  const byId = new Map<string, RawExchange[]>();
  for (const raw of history.exchanges) {
    if (raw.exchange.operation !== 'sendMessage') continue;
    push(byKey, keyOf(raw, history), raw);
    push(byId, raw.exchange.message?.id ?? '', raw);
  }
  return { byKey, byId };
});

/**
 * The attempts at the same message, and those with the same client_message_id in any scope: if it is unknown within what scope ids
 * are unique, a service may treat any two as one message.
 */
function attemptsAt(raw: RawExchange, history: RawHistory) {
  const { byKey, byId } = everywhere(history);
  const key = keyOf(raw, history);
  return { key, attempts: byKey.get(key) ?? [], sameId: byId.get(raw.exchange.message?.id ?? '') ?? [] };
}

/** By client_message_id, when each message that has it may first have been charged, the earliest first. */
const firstCharges = rememberedOf((history: RawHistory) => {
  const byId = [...everywhere(history).byId].map(([id, all]) => {
    const firsts = new Map<string, number>();
    for (const raw of all) {
      if (!raw.exchange.message || !mayCharge(raw, history)) continue;
      const key = keyOf(raw, history);
      firsts.set(key, Math.min(firsts.get(key) ?? Number.POSITIVE_INFINITY, raw.decided.from));
    }
    const rising = [...firsts].map(([key, from]) => ({ key, from })).sort((a, b) => a.from - b.from);
    return [id, rising] as const;
  });
  return new Map(byId);
});

/** When something may first have been charged under the id that is, according to the profile, another message; ∞ if nothing. */
function takenElsewhere(raw: RawExchange, history: RawHistory): number {
  const key = keyOf(raw, history);
  const other = firstCharges(history)
    .get(raw.exchange.message?.id ?? '')
    ?.find((one) => one.key !== key);
  return other?.from ?? Number.POSITIVE_INFINITY;
}

/** The attempt that was sent first; of two at the same instant, the one with the lower number. */
function firstSent(attempts: readonly RawExchange[]): RawExchange | undefined {
  const when = ({ doubted, decided, exchange }: RawExchange) =>
    doubted || !Number.isFinite(decided.from) ? Number.NEGATIVE_INFINITY : exchange.sentAt;
  const isBefore = (a: RawExchange, b: RawExchange) =>
    when(a) < when(b) || (when(a) === when(b) && a.exchange.seq < b.exchange.seq);
  return attempts.reduce<RawExchange | undefined>(
    (one, other) => (one && !isBefore(other, one) ? one : other),
    undefined,
  );
}
