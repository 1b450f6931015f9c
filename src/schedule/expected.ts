import type { TargetProfile } from '../api/index.ts';
import type { Exchange, StreamRecord } from '../history/index.ts';
import { checkExpectations, type Expect } from '../scenario/index.ts';

/**
 * The part of a step's expectations that an exchange is held against. A poll that finds the turn open, and the handshake of a
 * stream, are not the answer that the step waits for: of them, the status alone.
 */
export function expectedOf(
  expect: Expect | undefined,
  { operation, status, turn }: Exchange,
  { turns }: TargetProfile,
): Expect | undefined {
  const isOpen = operation === 'readTurn' && turn?.status !== undefined && turns.open.includes(turn.status);
  const isHandshake = operation === 'openStream' && status === 101;
  if (expect?.body === undefined || !(isOpen || isHandshake)) return expect;
  return expect.status === undefined ? undefined : { status: expect.status };
}

/** What is expected of the body, held against the event that ended the turn; where none came, nothing of it is met. */
export function expectedOfEnd(
  expect: Expect | undefined,
  { seq, sentAt, intendedAt }: Exchange,
  final: unknown,
): Pick<StreamRecord, 'expect' | 'handshake'> {
  if (expect?.body === undefined) return {};
  const result = checkExpectations({ body: expect.body }, undefined, final);
  return { expect: result, handshake: { seq, sentAt, intendedAt } };
}
