import type { ApiReply, BodyForm } from '../../api/index.ts';
import { type Micros, microsFromMillis } from '../../base/index.ts';
import { type FollowSettings, followedFor } from '../../scenario/index.ts';
import { type Request, requestOf } from '../exchanges/request.ts';
import type { JourneyState, OpenTurn } from '../journeys/journey-state.ts';
import type { OperationStep } from './operation.ts';

/** What both ways of following a turn share. */

/** How following one turn in one way ended. `expected`: with an answer that shows no turn, but whose status the step expects. */
export type Followed = {
  readonly ended: 'completed' | 'failed' | 'deadline' | 'stopped' | 'given-up' | 'dropped' | 'expected';
  readonly because?: string | undefined;
  /** By which request; absent: readTurn. */
  readonly operation?: 'openStream';
  readonly body?: unknown;
  readonly bodyForm?: BodyForm | undefined;
};

/** A turn that is followed. */
export interface Following {
  readonly journey: JourneyState;
  readonly step: OperationStep;
  readonly settings: FollowSettings;
  readonly turn: OpenTurn;
  readonly startAt: Micros;
  /** Index among the turns that are followed side by side, from 0. */
  readonly member: number;
}

export function deadlineOf({ startAt, settings }: Following): Micros {
  return (startAt + microsFromMillis(followedFor(settings))) as Micros;
}

/** Receives the end of following a turn in one way, once. */
export interface FollowListener {
  ended(followed: Followed): void;
  /** A defect of this tool; the run ends with it. */
  failed(defect: unknown): void;
}

/** The request that reads a turn or opens its stream; it is sent even while the run ends, because it follows something that is open. */
export function turnRequest(operation: 'readTurn' | 'openStream', turn: OpenTurn, step: OperationStep): Request {
  const parameters = { turn_id: turn.id };
  const { conversation, id } = turn;
  return requestOf({ operation, parameters, conversation, turn: id, outlastsFinish: true }, step);
}

/**
 * Whether an error status is what the step waits for: it expects the status and no success, so asking again could only bring the
 * same. If the step expects a success as well, the error is merely tolerated.
 */
export function isExpectedFailure(reply: ApiReply, { expect }: Pick<OperationStep, 'expect'>): boolean {
  if (reply.kind !== 'answer' || isSuccess(reply.status)) return false;
  return ![expect?.status ?? []].flat().some(isSuccess);
}

/** Of a final answer, or of a handshake (101): there is no other below 200. */
const isSuccess = (status: number): boolean => status <= 299;
