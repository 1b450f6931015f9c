import { formatCount, plural } from '../../../base/index.ts';
import { limitBit } from '../../evidence/attribution.ts';
import { Answer, type Evidence } from '../../evidence/evidence.ts';
import { unexplainedOf } from '../../judging/unexplained.ts';
import { dailyCase } from '../../limits/daily.ts';
import { inScopeOf } from '../../limits/scope.ts';
import { holdersOf } from '../advice/obeying.ts';
import { limitTold, policyName } from '../fields/limit-told.ts';
import { each } from '../gather/advice.ts';
import { type Found, kindOf, type Look, observed } from '../kind.ts';
import { plainWord } from '../plain-word.ts';

type Data =
  | { shows: 'refusal'; refused: string | number; messages: number; resends: number; max: number }
  | { shows: 'fields'; policy: string; first: string | number; second: string | number; from: number; to: number };

/**
 * The specification says that a resend costs no quota. If the daily quota refused a new message although new messages alone do
 * not reach it, this reports the likely cause: resends make up the difference. That the refusal is wrong has to be proven by the
 * limit's verdict; the cause is only likely, because a quota that is too small by as many looks the same. Header fields are no
 * proof either: they are the service's own statement.
 */
export const replayCharged = kindOf<Data>(
  'Messages sent again seem to have been charged to the daily quota.',
  function* (look) {
    const { header, evidence } = look;
    if (!header.exclusive || !evidence.complete) return;
    const isResend = resendsOf(evidence);
    if (!isResend) return;
    yield* byRefusals(look, isResend);
    yield* byFields(look, isResend);
  },
  (data) =>
    data.shows === 'refusal'
      ? `the message of request ${data.refused} was refused by the daily quota of ${formatCount(data.max)} after at most ${plural(data.messages, 'new message')}; together with ${plural(data.resends, 'resend')}, which should cost nothing, they reach the quota`
      : `the answers to requests ${data.first} and ${data.second}, which sent accepted messages again with nothing in between, say that ${formatCount(data.from)} and then ${formatCount(data.to)} are left of the policy ${data.policy}`,
);

/** Whether an attempt certainly repeats a message that had been accepted before it was sent; `undefined` if none does. */
function resendsOf(evidence: Evidence): ((row: number) => boolean) | undefined {
  const { message, answer, otherContent, from, to, size } = evidence;
  const accepted = new Map<number, number>();
  const isAccepted = (row: number) => message[row] !== 0 && answer[row] === Answer.admitted && otherContent[row] === 0;
  for (let row = 0; row < size; row++) {
    if (!isAccepted(row)) continue;
    const number = message[row] as number;
    accepted.set(number, Math.min(accepted.get(number) ?? Number.POSITIVE_INFINITY, to[row] as number));
  }
  const isResend = (row: number) =>
    isAccepted(row) && (accepted.get(message[row] as number) ?? Number.POSITIVE_INFINITY) < (from[row] as number);
  for (let row = 0; row < size; row++) if (isResend(row)) return isResend;
  return undefined;
}

function* byRefusals({ evidence, header, declared }: Look, isResend: (row: number) => boolean): Generator<Found<Data>> {
  const { refusedBy, size } = evidence;
  if (!refusedBy.some((set) => set === limitBit.daily)) return;
  const { max } = header.limits.daily;
  const unexplained = unexplainedOf(dailyCase(evidence, declared.daily), evidence);
  const refused = unexplained.rows().find((row) => refusedBy[row] === limitBit.daily);
  const certificates = refused === undefined ? [] : unexplained.prove(refused);
  const [proof] = certificates;
  if (refused === undefined || !proof) return;
  const since = (evidence.from[refused] as number) - proof.lookBackUs;
  const resends: number[] = [];
  for (let row = 0; row < size; row++) {
    const isBefore = (evidence.to[row] as number) < (evidence.from[refused] as number);
    const isIn = isBefore && (evidence.from[row] as number) >= since && inScopeOf(evidence, row, proof.scope);
    if (isIn && isResend(row)) resends.push(row);
  }
  // A service that counts them would not have accepted more.
  if (resends.length === 0 || proof.observed + resends.length !== max) return;
  const request = evidence.refOf(refused);
  yield {
    basis: 'observation',
    at: evidence.sentAt[refused] as number,
    exchanges: [...new Set([...resends.map(evidence.refOf), request])],
    data: { shows: 'refusal', refused: request, messages: proof.observed, resends: resends.length, max },
    certificates,
  };
}

/** Both are resends, so it does not matter whether a service reports the remaining number before or after a request. */
function* byFields(
  { evidence, advice, traffic, header }: Look,
  isResend: (row: number) => boolean,
): Generator<Found<Data>> {
  const holders = holdersOf(evidence);
  const last = new Map<string, { readonly row: number; readonly left: number }>();
  for (const { row, told } of each(advice.tellings)) {
    const { remaining } = told;
    if (remaining === undefined || limitTold(told, header) !== 'daily') continue;
    const key = `${holders.of(row)} ${told.policy}`;
    const before = last.get(key);
    last.set(key, { row, left: remaining });
    if (!before || remaining >= before.left || !isResend(row) || !isResend(before.row)) continue;
    const apart = (evidence.to[before.row] as number) <= (evidence.from[row] as number);
    const sent = traffic.within(evidence.from[before.row] as number, evidence.to[row] as number) - 1;
    if (!apart || sent !== 1) continue;
    const [first, second] = [evidence.refOf(before.row), evidence.refOf(row)];
    const policy = plainWord(policyName(told.policy));
    const data = { shows: 'fields', policy, first, second, from: before.left, to: remaining } as const;
    yield observed(evidence, [before.row, row], data);
  }
}
