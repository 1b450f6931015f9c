import type { TargetProfile } from '../api/index.ts';
import type { Exchange, StreamRecord } from '../history/index.ts';
import { checkExpectations, type Expect } from '../scenario/index.ts';
import { problemOf } from './decision.ts';

/**
 * The part of a step's expectations that an exchange is held against. A poll that finds the turn open (or in a
 * status that the profile does not know), and the handshake of a stream, are not the answer that the step waits for: of them,
 * the status alone.
 */
export function expectedOf(
  expect: Expect | undefined,
  { operation, status, turn }: Exchange,
  { turns }: TargetProfile,
): Expect | undefined {
  const goesOn = operation === 'readTurn' && turn?.status !== undefined && !hasEnded(turn.status, turns);
  const isHandshake = operation === 'openStream' && status === 101;
  if (expect?.body === undefined || !(goesOn || isHandshake)) return expect;
  return expect.status === undefined ? undefined : { status: expect.status };
}

/** As the follower takes it: a status that the profile does not know is no end. */
const hasEnded = (status: string, { completed, failed }: TargetProfile['turns']): boolean =>
  completed.includes(status) || failed.includes(status);

/** Holds an answer against what is expected of it. That the step names a status which is none of success, only the scenario says. */
export function heldAgainst(
  expect: Expect,
  exchange: Exchange,
  { profile, body }: { readonly profile: TargetProfile; readonly body: unknown },
): NonNullable<Exchange['expect']> {
  const result = checkExpectations(expect, exchange.status, body);
  const isNamed = problemOf(profile, exchange) !== undefined && problemOf(profile, exchange, expect) === undefined;
  return isNamed && exchange.outcome === 'answered' ? { ...result, namedStatus: true } : result;
}

/** What is expected of the body, held against the event that ended the turn; where none came, nothing of it is met. */
export function expectedOfEnd(
  expect: Expect | undefined,
  { seq, sentAt, intendedAt, journey }: Exchange,
  final: unknown,
): Pick<StreamRecord, 'expect' | 'handshake'> {
  if (expect?.body === undefined) return {};
  const result = checkExpectations({ body: expect.body }, undefined, final);
  return { expect: result, handshake: { seq, sentAt, intendedAt, journey } };
}
