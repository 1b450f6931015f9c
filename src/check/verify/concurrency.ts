import type { Certificate, OverAdmission, WrongfulRefusal } from '../certificate.ts';
import type { RawExchange, RawHistory } from './certificate.ts';
import { type Decided, inScope, mayBeRefusedBy, mayShare, surelyRefusedBy, wasAdmitted, wasRefused } from './raw.ts';
import { type RawMessage, RawTurns, settingsOf, wasSentBefore } from './raw-turns.ts';

/** Whether a certificate of the concurrency limit holds: counted one by one, with none of the readings' sweeps. */
export function verifiesConcurrency(certificate: Certificate, history: RawHistory): boolean {
  if ('arcs' in certificate) return false;
  if (certificate.max !== history.header.limits.concurrency.max) return false;
  const turns = new RawTurns(history);
  return certificate.because === 'over-admission'
    ? holdsCores(certificate, history, turns)
    : holdsRefusal(certificate, history, turns);
}

interface Core extends Decided {
  readonly turn: string;
}

function holdsCores(certificate: OverAdmission, history: RawHistory, turns: RawTurns): boolean {
  const { max, reading, scope, exchanges } = certificate;
  const named = history.exchanges.filter(({ ref }) => exchanges.includes(ref));
  if (named.length !== exchanges.length || named.some(({ doubted }) => doubted)) return false;
  const polls = named.filter(({ exchange }) => exchange.operation === 'readTurn');
  const messages = named.filter(({ exchange }) => exchange.operation === 'sendMessage' && inScope(exchange, scope));
  if (messages.length + polls.length !== named.length) return false;
  const cores = messages.flatMap((message) => {
    const core = turns.ownTurn(message) && coreOf(message, polls, reading, turns);
    return core ? [core] : [];
  });
  if (new Set(cores.map(({ turn }) => turn)).size !== cores.length) return false;
  const together = ({ from }: Core) => cores.filter((core) => core.from <= from && core.to > from).length > max;
  if (cores.some(together)) return true;
  return reading === 'accepted-to-finished' && messages.some((message) => isCrowdedOut(message, cores, max, turns));
}

/** A message whose turn can have been accepted at no instant without being one too many. */
function isCrowdedOut(message: RawExchange, cores: readonly Core[], max: number, turns: RawTurns): boolean {
  const { from, to } = message.decided;
  if (!turns.ownTurn(message) || !turns.isFirstAttempt(message)) return false;
  const corners = [from, to, ...cores.flatMap((core) => [core.from, core.to])].filter((t) => t >= from && t <= to);
  return corners.every((t) => cores.filter((core) => core.from < t && t < core.to).length >= max);
}

/** Between which instants the turn surely held a slot, by the polls named alone. */
function coreOf(
  message: RawExchange,
  polls: readonly RawExchange[],
  reading: string,
  turns: RawTurns,
): Core | undefined {
  const turn = message.exchange.turn?.id;
  if (turn === undefined || turns.contradicts(turn)) return undefined;
  const own = polls.filter(({ exchange }) => exchange.turn?.id === turn && turns.sawOpen(exchange));
  const working = own.filter(({ exchange }) => turns.sawWorking(exchange));
  // What proves it of every reading is the work alone.
  const byWork = reading === 'processing-only' || reading === 'every';
  const seen = byWork ? working : own;
  const to = Math.max(...seen.map((poll) => turns.asOf(poll)));
  if (!byWork) return { turn, from: message.decided.to, to };
  if (turns.mayHaveWaitedAgain(turn, working)) return undefined;
  const begun = Math.min(...working.map(({ decided }) => decided.to), turns.streamedFrom(turn));
  return { turn, from: Math.max(message.decided.to, begun), to };
}

function holdsRefusal(certificate: WrongfulRefusal, history: RawHistory, turns: RawTurns): boolean {
  const { header, complete, exchanges, words } = history;
  const { scope, refusal, max } = certificate;
  const refused = exchanges.find(({ ref }) => ref === refusal);
  if (!refused || refused.doubted || !header.exclusive || !header.flushed.concurrency || !complete) return false;
  if (!mayBeRefusedBy(refused.exchange, 'concurrency', words) || !inScope(refused.exchange, scope)) return false;
  const { from, to } = refused.decided;
  const tolerance = settingsOf(history).toleranceUs;
  const holders = turns.messages
    .filter(({ raw }) => raw !== refused && (inScope(raw.exchange, scope) || mayShare(raw.exchange, scope)))
    .map((message) => ({ ref: message.raw.ref, ...heldWithin(message, certificate.reading, history, turns) }))
    .filter((held) => held.from <= to && held.to + tolerance >= from);
  const instants = [from, ...holders.map((held) => held.from).filter((t) => t > from && t <= to)];
  const countAt = (t: number) => holders.filter((held) => held.from <= t && held.to + tolerance >= t).length;
  const listed = new Set(certificate.exchanges);
  return Math.max(...instants.map(countAt)) < max && holders.every(({ ref }) => listed.has(ref));
}

/** Whether all attempts at a message are counted in one bucket, whatever a limit is counted by. */
function areTogether(attempts: readonly RawExchange[]): boolean {
  const places = attempts.map(({ exchange: { application, user, token, conversation } }) =>
    JSON.stringify([application, user, token ?? null, conversation ?? null]),
  );
  return new Set(places).size === 1 && !attempts.slice(0, 1).some(({ exchange }) => wasSentBefore(exchange));
}

/** The longest time in which the message may have held a slot; empty (+∞, −∞) when it held none. */
function heldWithin({ raw, attempts }: RawMessage, reading: string, { words }: RawHistory, turns: RawTurns): Decided {
  const { exchange, decided, doubted } = raw;
  if (!doubted && surelyRefusedBy(exchange, 'concurrency', words)) return { from: Infinity, to: -Infinity };
  if (doubted || !Number.isFinite(decided.from)) return { from: -Infinity, to: Infinity };
  if (wasRefused(exchange) || turns.becameNoTurn(raw)) return decided;
  const turn = wasAdmitted(exchange, words) ? exchange.turn?.id : undefined;
  const shared = turns.sharedTurn(attempts, raw);
  const isTold = areTogether(attempts);
  if (isTold && shared !== undefined && attempts.find((one) => turns.mayHold(one, raw)) !== raw) return decided;
  // The turn was there before this answer named it; counted elsewhere, where attempts are not all counted together.
  if (isTold && turn !== undefined && turns.firstNaming(turn) !== raw) return decided;
  const end = turns.finishedAt(shared ?? turn);
  const waited = reading === 'processing-only' && turn !== undefined ? turns.waitedUntil(turn) : -Infinity;
  return { from: Math.max(decided.from, waited), to: Math.max(decided.to, end) };
}
