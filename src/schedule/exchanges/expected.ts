import type { TargetProfile } from '../../api/index.ts';
import type { Exchange, StreamRecord } from '../../history/index.ts';
import { checkExpectations, type Expect, type ExpectationResult } from '../../scenario/index.ts';
import { hasSuccessStatus, problemOf } from '../policies/decision.ts';
import type { Request } from './request.ts';

/**
 * The part of a step's expectations that applies to an exchange. A poll that finds the turn open (or in an unknown status), and
 * the handshake of a stream, are not the answer that the step waits for: only the status is checked.
 */
export function expectedOf(
  expect: Expect,
  { operation, status, turn }: Exchange,
  { turns }: TargetProfile,
): Expect | undefined {
  const goesOn = operation === 'readTurn' && turn?.status !== undefined && !hasEnded(turn.status, turns);
  const isHandshake = operation === 'openStream' && status === 101;
  if (expect.body === undefined || !(goesOn || isHandshake)) return expect;
  return expect.status === undefined ? undefined : { status: expect.status };
}

/** Like the follower, treats a status that the profile does not name as open. */
const hasEnded = (status: string, { completed, failed }: TargetProfile['turns']): boolean =>
  completed.includes(status) || failed.includes(status);

/** With the name of the step, at the end: sentences are cut where there is little room. */
const told = (result: ExpectationResult, name: string | undefined): ExpectationResult =>
  name === undefined ? result : { ...result, unmet: result.unmet.map((sentence) => `${sentence} (${name})`) };

/** Compares an answer with the expectations. Only the scenario can say that the step expects an error status. */
export function comparedWith(
  expect: Expect,
  exchange: Exchange,
  {
    profile,
    body,
    name,
  }: { readonly profile: TargetProfile; readonly body: unknown; readonly name: string | undefined },
): NonNullable<Exchange['expect']> {
  const result = told(checkExpectations(expect, exchange.status, body), name);
  const isError = exchange.outcome === 'answered' && !hasSuccessStatus(profile, exchange);
  return isError && problemOf(profile, exchange, expect) === undefined ? { ...result, namedStatus: true } : result;
}

/** Compares the event that ended the turn with what is expected of the body; without such an event, no expectation of the body is met. */
export function expectedOfEnd(
  { expect, named }: Request,
  { seq, sentAt, intendedAt, journey }: Exchange,
  final: unknown,
): Pick<StreamRecord, 'expect' | 'handshake'> {
  if (expect?.body === undefined) return {};
  const result = told(checkExpectations({ body: expect.body }, undefined, final), named);
  return { expect: result, handshake: { seq, sentAt, intendedAt, journey } };
}
