import type { ExchangeRef } from '../certificate.ts';
import { greatest, least } from './over-admission.ts';
import { type Decided, push, REJECTED, wasAdmitted } from './raw.ts';
import type { RawExchange, RawHistory } from './raw-history.ts';
import { keyOf } from './raw-profile.ts';
import { wasSentBefore } from './raw-sends.ts';

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
  /** By client_message_id: if it is unknown within what scope ids are unique, a service may treat any two as one message. */
  readonly #everywhere = new Map<string, RawExchange[]>();

  constructor(sent: readonly RawExchange[], history: RawHistory) {
    this.#history = history;
    for (const raw of sent) push(this.#attempts, keyOf(raw, history), raw);
    for (const raw of history.exchanges)
      if (raw.exchange.operation === 'sendMessage') push(this.#everywhere, raw.exchange.message?.id ?? '', raw);
    this.all = [...this.#attempts.values()].flatMap((attempts) => this.#charged(attempts));
  }

  #mayCharge({ exchange, doubted, decided }: RawExchange): boolean {
    if (doubted || !Number.isFinite(decided.from)) return true;
    // If the body is not the service's, the status may be an intermediary's.
    if (exchange.bodyProblem !== undefined) return true;
    if (exchange.outcome === 'refused') return false;
    return this.#admitted(exchange) || !REJECTED.has(exchange.status ?? 0);
  }

  #admitted(exchange: RawExchange['exchange']): boolean {
    return wasAdmitted(exchange, this.#history.words);
  }

  /**
   * One per content. One per record for records that are not believed, and for contents that another content preceded, even one
   * that was rejected: a service may keep only the last content.
   */
  #charged(attempts: readonly RawExchange[]): ChargedMessage[] {
    const charging = attempts.filter((one) => this.#mayCharge(one));
    const firstContent = firstSent(attempts)?.exchange.message?.digest;
    const byContent = new Map<RawExchange | string | undefined, RawExchange[]>();
    for (const raw of charging) {
      const isBelieved = !raw.doubted && Number.isFinite(raw.decided.from);
      const isFirst = raw.exchange.message?.digest === firstContent;
      const alone = !isBelieved || !isFirst || isAfterAnother(raw, charging);
      // Not by its number: records that are not believed may have the same.
      push(byContent, alone ? raw : raw.exchange.message?.digest, raw);
    }
    return [...byContent.values()].map((same) => this.#chargedOnce(same));
  }

  /** At the latest when an answer first accepted it. */
  #chargedOnce(same: readonly RawExchange[]): ChargedMessage {
    const accepted = same.filter(({ exchange, doubted }) => !doubted && this.#admitted(exchange));
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
      return named && this.#isSurelyNew(named, this.#everywhere.get(named.exchange.message?.id ?? '') ?? [])
        ? this.#charged(attempts)[0]
        : undefined;
    });
    return charged.every((one) => one !== undefined) ? charged : undefined;
  }

  /** When each message that is certainly new and accepted was charged. */
  allSurelyNew(): Decided[] {
    return [...this.#attempts.values()].flatMap((attempts) => {
      const isNew = attempts.some((one) =>
        this.#isSurelyNew(one, this.#everywhere.get(one.exchange.message?.id ?? '') ?? []),
      );
      return isNew ? this.#charged(attempts).slice(0, 1) : [];
    });
  }

  /**
   * @param sameId all attempts with its client_message_id, in any scope; attempts at what the profile considers another message
   * must come later, since the service may treat both as one
   */
  #isSurelyNew(named: RawExchange, sameId: readonly RawExchange[]): boolean {
    const { exchange, doubted } = named;
    if (doubted || !exchange.message || !this.#admitted(exchange)) return false;
    const key = keyOf(named, this.#history);
    const attempts = sameId.filter((one) => keyOf(one, this.#history) === key);
    const charging = attempts.filter((one) => this.#mayCharge(one));
    return (
      sameId.every((one) => attempts.includes(one) || one.decided.from > named.decided.to) &&
      attempts.every(
        (one) => one.exchange.token === exchange.token && one.exchange.conversation === exchange.conversation,
      ) &&
      charging.every(
        (one) => Number.isFinite(one.decided.from) && one.exchange.message?.digest === exchange.message?.digest,
      ) &&
      charging.some((one) => one.exchange.resend === undefined) &&
      attempts.some((one) => !wasSentBefore(one.exchange))
    );
  }
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

/** Whether another content may have been accepted under its id before it was decided. */
function isAfterAnother({ exchange, decided }: RawExchange, all: readonly RawExchange[]): boolean {
  const others = all.filter((other) => other.exchange.message?.digest !== exchange.message?.digest);
  return others.some((other) => other.decided.from < decided.to);
}
