import { rememberedOf } from '../../../base/index.ts';
import type { Certificate, OverAdmission, WrongfulRefusal } from '../../certificates/certificate.ts';
import type { Recounted } from '../counted.ts';
import { spanOf } from '../over-admission.ts';
import { greatest } from '../raw/extremes.ts';
import { type Decided, inScope, mayShare, stampsOfExchange, usersIn, wasAdmitted, wasRefused } from '../raw/raw.ts';
import { mayBeRefusedBy, surelyRefusedBy } from '../raw/raw-codes.ts';
import type { RawExchange, RawHistory } from '../raw/raw-history.ts';
import { settingsOf } from '../raw/raw-profile.ts';
import { type RawMessage, wasSentBefore } from '../raw/raw-sends.ts';
import { type RawTurns, rawTurnsOf } from '../raw/raw-turns.ts';
import { holdsCores, namedIn, needsEach } from './cores.ts';

/** Whether a certificate of the concurrency limit holds, counted one by one, without the sweeps of the readings. */
export function verifiesConcurrency(certificate: Certificate, history: RawHistory): boolean {
  if ('arcs' in certificate) return false;
  if (certificate.max !== history.header.limits.concurrency.max) return false;
  const turns = rawTurnsOf(history);
  if (certificate.because === 'wrongful-refusal') return holdsRefusal(certificate, history, turns);
  const named = namedIn(certificate, history);
  return named !== undefined && holdsCores(certificate, named, turns);
}

/** What a certificate of the concurrency limit has to print, given its reading, its bucket and the exchanges that it names. */
export function countedTurns(certificate: OverAdmission | WrongfulRefusal, history: RawHistory): Recounted | undefined {
  const turns = rawTurnsOf(history);
  const { max } = history.header.limits.concurrency;
  if (certificate.because === 'wrongful-refusal') {
    const beside = besideRefusal(certificate, history, turns);
    if (!beside) return undefined;
    const { because, refusal } = certificate;
    const lookBackUs = settingsOf(history).toleranceUs;
    const members = {
      because,
      refusal,
      lookBackUs,
      observed: beside.most,
      needed: max,
      exchanges: refsOf(beside.holders),
    };
    return { members, stamps: stampsOf([...beside.holders, beside.refused], history) };
  }
  const named = namedIn(certificate, history);
  if (!named || !needsEach(certificate, named, turns)) return undefined;
  const { because, exchanges } = certificate;
  const spanUs = spanOf(named.map(({ decided }) => decided));
  return {
    members: { because, spanUs, observed: max + 1, possible: max, exchanges },
    stamps: stampsOf(named, history),
  };
}

const refsOf = (all: readonly RawExchange[]) => all.map(({ ref }) => ref);
const stampsOf = (all: readonly RawExchange[], { header }: RawHistory) =>
  all.map(({ exchange }) => stampsOfExchange(exchange, header));

function holdsRefusal(certificate: WrongfulRefusal, history: RawHistory, turns: RawTurns): boolean {
  const beside = besideRefusal(certificate, history, turns);
  const listed = new Set(certificate.exchanges);
  return beside !== undefined && beside.most < certificate.max && beside.holders.every(({ ref }) => listed.has(ref));
}

/**
 * What may have held a slot while a refusal was decided, and the most at one instant; `undefined` if the refusal cannot be
 * judged. If other messages have the same identifier, it is unknown whether a message held a slot: then the certificate's own
 * list applies.
 */
function besideRefusal({ scope, refusal, reading, exchanges }: WrongfulRefusal, history: RawHistory, turns: RawTurns) {
  const { header, complete } = history;
  const refused = history.exchanges.find(({ ref }) => ref === refusal);
  if (!refused || refused.doubted || !header.exclusive || !header.flushed.concurrency || !complete) return undefined;
  if (!mayBeRefusedBy(refused.exchange, 'concurrency', history) || !inScope(refused.exchange, scope)) return undefined;
  const { from, to } = refused.decided;
  const tolerance = settingsOf(history).toleranceUs;
  const listed = new Set(exchanges);
  const others = scope.conversation === undefined ? [] : history.exchanges.map(({ exchange }) => exchange);
  const users = usersIn(scope, others);
  const holders = turns.sent.messages
    .filter(
      ({ raw }) =>
        raw !== refused &&
        raw.decided.from <= to &&
        (inScope(raw.exchange, scope) || mayShare(raw.exchange, scope, users)),
    )
    .map((message) => {
      const isTaken = listed.has(message.raw.ref) && turns.sent.sharesId(message.raw);
      return { raw: message.raw, ...heldWithin(message, reading, history, turns, isTaken) };
    })
    .filter((held) => held.from <= to && held.to + tolerance >= from);
  const instants = [from, ...holders.map((held) => held.from).filter((t) => t > from && t <= to)];
  const countAt = (t: number) => holders.filter((held) => held.from <= t && held.to + tolerance >= t).length;
  return { most: greatest(instants.map(countAt)), holders: holders.map(({ raw }) => raw), refused };
}

/** Whether all attempts at a message are counted in one bucket, whatever the scope of the limit. */
const areTogether = rememberedOf((attempts: readonly RawExchange[]): boolean => {
  const places = attempts.map(({ exchange: { application, user, token, conversation } }) =>
    JSON.stringify([application, user, token ?? null, conversation ?? null]),
  );
  return new Set(places).size === 1 && !attempts.slice(0, 1).some(({ exchange }) => wasSentBefore(exchange));
});

/**
 * The longest time for which the message may have held a slot; empty (+∞, −∞) if it held none.
 * @param isTaken whether it is assumed to have made its turn, even if another attempt names that turn
 */
function heldWithin(
  { raw, attempts }: RawMessage,
  reading: string,
  history: RawHistory,
  turns: RawTurns,
  isTaken: boolean,
): Decided {
  const { exchange, decided, doubted } = raw;
  if (!doubted && surelyRefusedBy(exchange, 'concurrency', history)) return { from: Infinity, to: -Infinity };
  if (doubted || !Number.isFinite(decided.from)) return { from: -Infinity, to: Infinity };
  if (wasRefused(exchange) || turns.sent.becameNoTurn(raw)) return decided;
  const turn = wasAdmitted(exchange, history.words) ? exchange.turn?.id : undefined;
  const told = turns.sent.sharedTurn(attempts, raw);
  const shared = told !== undefined && turns.isDoubted(told) ? undefined : told;
  const isTold = !isTaken && areTogether(attempts);
  if (isTold && shared !== undefined && attempts.find((one) => turns.sent.mayHold(one, raw)) !== raw) return decided;
  // The turn existed before this answer named it; if attempts may be counted in different buckets, it was counted elsewhere.
  if (isTold && turn !== undefined && !turns.isDoubted(turn) && turns.firstNaming(turn) !== raw) return decided;
  const end = turns.finishedAt(shared ?? turn);
  // Of an attempt that was answered with a turn that another had named, nobody knows what it held meanwhile.
  const isOwn = turn !== undefined && turns.firstNaming(turn) === raw;
  const waited = reading === 'processing-only' && isOwn ? turns.waitedUntil(turn) : -Infinity;
  return { from: Math.max(decided.from, waited), to: Math.max(decided.to, end) };
}
