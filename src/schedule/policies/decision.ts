import {
  type ApiReply,
  isRefusal,
  readErrorEnvelope,
  readNamedError,
  type TargetProfile,
  usualSuccesses,
} from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import type { Expect, Policy } from '../../scenario/index.ts';
import type { NotSent } from '../exchanges/attempt.ts';
import type { JourneyState } from '../journeys/journey-state.ts';
import { type Advice, retryInstant } from './retry.ts';

/** Policies for a step: its own, or the journey's, or the scenario's. */
export interface StepPolicies {
  readonly onRefused: Policy;
  readonly onError: Policy;
  /** No retry at or after this instant; a retry that would be later is skipped when the instant has come. Absent: no deadline. */
  readonly deadlineAt?: Micros;
  /** Index among requests that a step sends side by side: each has its own random backoff. Absent: the step sends one. */
  readonly member?: number;
}

export function policiesOf(
  journey: JourneyState,
  step: { readonly onRefused?: Policy | undefined; readonly onError?: Policy | undefined },
): StepPolicies {
  const { scenario } = journey.world.loaded;
  return {
    onRefused: step.onRefused ?? journey.journey.onRefused ?? scenario.onRefused,
    onError: step.onError ?? journey.journey.onError ?? scenario.onError,
  };
}

export type Decision =
  | { readonly kind: 'done' | 'passed-over' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'stop'; readonly because: string }
  | Waiting;

/** Wait for a retry, or for the deadline before which none is possible. */
export type Waiting =
  | { readonly kind: 'retry'; readonly at: Micros }
  | { readonly kind: 'expired'; readonly at: Micros };

export interface Problem {
  readonly refused: boolean;
  readonly because: string;
}

const DONE: Decision = { kind: 'done' };

/** What the policy decides after an attempt. @param attempt from 1, including attempts that could not be sent */
export function decide(
  journey: JourneyState,
  { onRefused, onError, deadlineAt, member }: StepPolicies,
  attempt: number,
  problem: Problem | undefined,
  advice: Advice | undefined,
): Decision {
  if (problem === undefined) return DONE;
  const policy = problem.refused ? onRefused : onError;
  if (policy === 'continue') return { kind: 'passed-over' };
  if (policy === 'stop') return { kind: 'stop', because: problem.because };
  const at = retryInstant(journey, policy.retry, { attempt, member }, advice);
  if (typeof at === 'string')
    return policy.retry.afterwards === 'continue'
      ? { kind: 'passed-over' }
      : { kind: 'stop', because: `${problem.because}, ${at}` };
  return deadlineAt !== undefined && at >= deadlineAt ? { kind: 'expired', at: deadlineAt } : { kind: 'retry', at };
}

/** What is wrong with an exchange; `undefined` if it succeeded, or has an error status that the step expects. */
export function problemOf(profile: TargetProfile, exchange: Exchange, expect?: Expect): Problem | undefined {
  const { status, outcome } = exchange;
  // Most steps expect nothing, and a list made for each exchange would cost half a microsecond.
  const isNamed = expect?.status !== undefined && [expect.status].flat().some((one) => one === status);
  if (isNamed && !hasSuccessStatus(profile, exchange)) return undefined;
  if (outcome === 'refused') return { refused: true, because: `${status} ${exchange.error?.code ?? ''}`.trim() };
  if (outcome !== 'answered') return { refused: false, because: exchange.failure ?? outcome };
  if (!hasSuccessStatus(profile, exchange))
    return { refused: false, because: `status ${status} ${exchange.error?.code ?? ''}`.trim() };
  return exchange.bodyProblem === undefined ? undefined : { refused: false, because: exchange.bodyProblem };
}

/** Whether the status is one of success, whatever the body. */
export function hasSuccessStatus(profile: TargetProfile, { status, operation }: Exchange): boolean {
  return status !== undefined && (profile.success[operation] ?? usualSuccesses[operation]).includes(status);
}

/** What is wrong if a user has no token: a refused token request is a refusal like any other. */
export const tokenProblem = (
  profile: TargetProfile,
  { because, reply }: Extract<NotSent, { kind: 'no-token' }>,
): Problem => ({
  refused: reply?.kind === 'answer' && isRefusal(profile, { ...reply, error: readNamedError(reply.body)?.error }),
  because,
});

/** What the answer to a token request says. @param reply absent: none was asked for */
export const tokenAdvice = (reply: ApiReply | undefined): Advice | undefined =>
  reply && {
    operation: 'issueToken',
    ...(reply.kind === 'answer' && {
      status: reply.status,
      retryAfter: reply.headers['retry-after'],
      date: reply.headers.date,
      error: readErrorEnvelope(reply.body)?.error,
    }),
    receivedAt: reply.receivedAt,
  };
