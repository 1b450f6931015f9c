import type { OverAdmission } from '../../certificates/certificate.ts';
import { push } from '../../push.ts';
import { type Decided, inScope } from '../raw/raw.ts';
import type { RawExchange, RawHistory } from '../raw/raw-history.ts';
import type { RawTurns } from '../raw/raw-turns.ts';
import { countBelow, countUpTo } from '../raw/rising.ts';

/** The exchanges that a certificate names; `undefined` unless all of them are in the history, once, and believed. */
export function namedIn({ exchanges }: OverAdmission, history: RawHistory): readonly RawExchange[] | undefined {
  const refs = new Set(exchanges);
  const named = history.exchanges.filter(({ ref }) => refs.has(ref));
  return named.length === exchanges.length && !named.some(({ doubted }) => doubted) ? named : undefined;
}

interface Core extends Decided {
  readonly turn: string;
}

/** A named message, the named polls of its turn, and what they show of its slot. */
interface Shown {
  readonly message: RawExchange;
  readonly polls: readonly RawExchange[];
  readonly core: Core | undefined;
}

/** Whether these messages and polls alone show that more turns than the limit held a slot. */
export function holdsCores(certificate: OverAdmission, named: readonly RawExchange[], turns: RawTurns): boolean {
  const all = allShown(certificate, named, turns);
  return all !== undefined && areTooMany(certificate, all, turns);
}

/** Whether they would not show it without any one of them. */
export function needsEach(certificate: OverAdmission, named: readonly RawExchange[], turns: RawTurns): boolean {
  const all = allShown(certificate, named, turns) ?? [];
  if (all.reduce((count, { polls }) => count + 1 + polls.length, 0) !== named.length) return false;
  const areEnough = (some: readonly Shown[]) => areTooMany(certificate, some, turns);
  // Only what one of them shows differs: a certificate names as many as there are slots.
  return all.every(({ message, polls }, i) => {
    const without = (poll: number) => shownOf(message, polls.toSpliced(poll, 1), certificate.reading, turns);
    return !areEnough(all.toSpliced(i, 1)) && !polls.some((_, k) => areEnough(all.toSpliced(i, 1, without(k))));
  });
}

/** `undefined` if one of them is neither a message that counts nor a poll. */
function allShown(
  { reading, scope }: OverAdmission,
  named: readonly RawExchange[],
  turns: RawTurns,
): readonly Shown[] | undefined {
  const messages = named.filter(({ exchange }) => exchange.operation === 'sendMessage' && inScope(exchange, scope));
  const polls = named.filter(({ exchange }) => exchange.operation === 'readTurn');
  if (messages.length + polls.length !== named.length) return undefined;
  const pollsOf = new Map<string | undefined, RawExchange[]>();
  for (const poll of polls) push(pollsOf, poll.exchange.turn?.id, poll);
  return messages.map((message) => shownOf(message, pollsOf.get(message.exchange.turn?.id) ?? [], reading, turns));
}

const shownOf = (message: RawExchange, polls: readonly RawExchange[], reading: string, turns: RawTurns): Shown => ({
  message,
  polls,
  core: turns.sent.ownTurn(message) ? coreOf(message, polls, reading, turns) : undefined,
});

function areTooMany({ max, reading }: OverAdmission, all: readonly Shown[], turns: RawTurns): boolean {
  const cores = all.flatMap(({ core }) => core ?? []);
  if (new Set(cores.map(({ turn }) => turn)).size !== cores.length) return false;
  const held = new Held(cores);
  if (cores.some(({ from }) => held.from(from) > max)) return true;
  const isOneTooMany = ({ message }: Shown) =>
    held.isFullWithin(message.decided, max) && turns.sent.ownTurn(message) && turns.sent.isFirstTaken(message);
  return reading === 'accepted-to-finished' && all.some(isOneTooMany);
}

/** Counts the cores at an instant. */
class Held {
  readonly #begins: Float64Array;
  readonly #ends: Float64Array;

  constructor(cores: readonly Core[]) {
    const some = cores.filter(({ from, to }) => from < to);
    this.#begins = Float64Array.from(some, ({ from }) => from).sort();
    this.#ends = Float64Array.from(some, ({ to }) => to).sort();
  }

  /** Those that hold from this instant on. */
  from(instant: number): number {
    return countUpTo(this.#begins, instant) - countUpTo(this.#ends, instant);
  }

  /** Whether as many hold before and after every instant, wherever cores begin or end. */
  isFullWithin({ from, to }: Decided, max: number): boolean {
    const isFull = (t: number) => countBelow(this.#begins, t) - countUpTo(this.#ends, t) >= max;
    const within = (corners: Float64Array) => corners.subarray(countBelow(corners, from), countUpTo(corners, to));
    return isFull(from) && isFull(to) && [this.#begins, this.#ends].every((corners) => within(corners).every(isFull));
  }
}

/**
 * The range in which the turn certainly held a slot, by the named polls alone.
 * @param polls those of its turn
 */
function coreOf(
  message: RawExchange,
  polls: readonly RawExchange[],
  reading: string,
  turns: RawTurns,
): Core | undefined {
  const turn = message.exchange.turn?.id;
  if (turn === undefined || turns.contradicts(turn)) return undefined;
  const own = polls.filter(({ exchange }) => turns.sawOpen(exchange));
  const working = own.filter(({ exchange }) => turns.sawWorking(exchange));
  // Only the time in process proves it for every reading.
  const byWork = reading === 'processing-only' || reading === 'every';
  const seen = byWork ? working : own;
  const to = Math.max(...seen.map((poll) => turns.asOf(poll)));
  if (!byWork) return { turn, from: message.decided.to, to };
  if (turns.mayHaveWaitedAgain(turn, working)) return undefined;
  const begun = Math.min(...working.map(({ decided }) => decided.to), turns.streamedFrom(turn));
  return { turn, from: Math.max(message.decided.to, begun), to };
}
