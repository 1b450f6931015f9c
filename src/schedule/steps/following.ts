import type { ApiReply, BodyForm } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { OpenTurn } from '../journey-state.ts';
import { type Request, requestOf } from '../request.ts';
import type { OperationStep } from './operation.ts';

/*
 * What the two ways of following a turn share.
 */

/** How following one turn one way ended. `expected`: with an answer that shows no turn, whose status the step expects. */
export type Followed = {
  readonly ended: 'completed' | 'failed' | 'deadline' | 'stopped' | 'given-up' | 'dropped' | 'expected';
  readonly because?: string | undefined;
  readonly body?: unknown;
  readonly bodyForm?: BodyForm | undefined;
};

/** From when on a turn is followed, and from when on no more; and beside which others. */
export interface FollowTimes {
  readonly startAt: Micros;
  readonly deadlineAt: Micros;
  /** Which of the turns that are followed side by side, from 0. */
  readonly member: number;
}

/** Reads a turn, or opens its stream; also while the run ends: it sees the end of what is open. */
export function turnRequest(operation: 'readTurn' | 'openStream', turn: OpenTurn, step: OperationStep): Request {
  const parameters = { turn_id: turn.id };
  const { conversation, id } = turn;
  return requestOf({ operation, parameters, conversation, turn: id, outlastsFinish: true }, step);
}

/**
 * Whether an answer that a step is content with is no success, and the step wants none: asking again could only bring another one
 * like it. Where it names a success as well, the failure is merely put up with.
 */
export function isExpectedFailure(reply: ApiReply, { expect }: Pick<OperationStep, 'expect'>): boolean {
  if (reply.kind !== 'answer' || isSuccess(reply.status)) return false;
  return ![expect?.status ?? []].flat().some(isSuccess);
}

const isSuccess = (status: number): boolean => status === 101 || (status >= 200 && status <= 299);
