import { type ApiReply, operations, type TargetProfile } from '../api/index.ts';
import { type Micros, microsFromMillis, seededRandom } from '../base/index.ts';
import type { Exchange } from '../history/index.ts';
import type { Expect, Policy } from '../scenario/index.ts';
import { type Attempt, exchangeOnce, type Request, type Sent, type Timing } from './exchange.ts';
import type { JourneyState } from './journey-state.ts';

/** Policies that hold for a step: its own, else the journey's, else the scenario's. */
export interface StepPolicies {
  readonly onRefused: Policy;
  readonly onError: Policy;
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

/** Where the policy leaves a step. `done`: success, or what the step expected. `passed-over`: it failed, and the journey goes on. */
export type Settled =
  | { readonly kind: 'done'; readonly sent: Sent }
  | { readonly kind: 'passed-over'; readonly sent?: Sent }
  | { readonly kind: 'stop'; readonly because: string }
  | { readonly kind: 'interrupted' };

/** Sends, and retries as the policy says. A retry is a new exchange with `attempt` + 1, intended when its wait ends. */
export async function sendWithPolicy(
  journey: JourneyState,
  request: Request,
  intendedAt: Micros,
  policies: StepPolicies,
  send: (timing: Timing) => Promise<Attempt> = (timing) => exchangeOnce(journey, request, timing),
): Promise<Settled> {
  let timing: Timing = { intendedAt, attempt: 1 };
  for (;;) {
    const attempt = await send(timing);
    if (attempt.kind === 'interrupted') return { kind: 'interrupted' };
    const problem =
      attempt.kind === 'sent'
        ? problemOf(journey.world.profile, attempt.exchange, request.expect)
        : { refused: false, because: attempt.because };
    if (problem === undefined && attempt.kind === 'sent') return { kind: 'done', sent: attempt };
    const because = problem?.because ?? 'no answer';
    const policy = problem?.refused ? policies.onRefused : policies.onError;
    const sent = attempt.kind === 'sent' ? { sent: attempt } : {};
    if (policy === 'continue') return { kind: 'passed-over', ...sent };
    if (policy === 'stop') return { kind: 'stop', because };
    const retryAt = retryInstant(journey, policy.retry, timing, attempt);
    if (retryAt === undefined)
      return policy.retry.afterwards === 'continue'
        ? { kind: 'passed-over', ...sent }
        : { kind: 'stop', because: `${because}, retries used up` };
    await journey.world.clock.sleepUntil(retryAt, journey.stop.finish);
    if (journey.stop.finish.aborted) return { kind: 'interrupted' };
    timing = { intendedAt: retryAt, attempt: timing.attempt + 1 };
  }
}

/** What is wrong with an exchange; `undefined` when it succeeded, or met a status that the step expects. */
export function problemOf(
  profile: TargetProfile,
  exchange: Exchange,
  expect?: Expect,
): { readonly refused: boolean; readonly because: string } | undefined {
  const { status, outcome, operation } = exchange;
  if (status !== undefined && expect?.status !== undefined && [expect.status].flat().includes(status)) return undefined;
  if (outcome === 'refused') return { refused: true, because: `429 ${exchange.error?.code ?? ''}`.trim() };
  if (outcome !== 'answered') return { refused: false, because: exchange.failure ?? outcome };
  const successes = profile.success[operation] ?? [operations[operation].success];
  if (status === undefined || !successes.includes(status))
    return { refused: false, because: `status ${status} ${exchange.error?.code ?? ''}`.trim() };
  return exchange.bodyProblem === undefined ? undefined : { refused: false, because: exchange.bodyProblem };
}

type Retry = Extract<Policy, object>['retry'];

/** When to try again; `undefined` when the retries are used up or the advice is too far away to wait for. */
function retryInstant(journey: JourneyState, retry: Retry, timing: Timing, attempt: Attempt): Micros | undefined {
  if (timing.attempt > retry.max) return undefined;
  const { clock, serviceRate, loaded } = journey.world;
  const advised =
    retry.obeyRetryAfter && attempt.kind === 'sent' && attempt.reply.kind === 'answer'
      ? retryAfterUs(attempt.reply)
      : undefined;
  if (advised !== undefined) {
    // Advice counts seconds of the service's clock, from the moment at which the answer was received.
    const waitUs = advised / serviceRate;
    return waitUs > microsFromMillis(retry.retryAfterCeiling)
      ? undefined
      : (((attempt.kind === 'sent' ? attempt.reply.receivedAt : clock.now()) + Math.ceil(waitUs)) as Micros);
  }
  const { first, factor, ceiling, jitter } = retry.backoff;
  const full = Math.min(first * factor ** (timing.attempt - 1), ceiling);
  const share =
    jitter === 0
      ? 1
      : 1 -
        jitter *
          seededRandom(loaded.scenario.seed, 'backoff', journey.arrival.index, journey.step, timing.attempt).next();
  return (clock.now() + microsFromMillis(full * share)) as Micros;
}

/**
 * Retry-After as microseconds of the service's clock: delay-seconds, or an HTTP-date against the answer's own Date
 * (RFC 9110 section 10.2.3). `undefined` when absent or unreadable.
 */
export function retryAfterUs(reply: Extract<ApiReply, { kind: 'answer' }>): number | undefined {
  const text = reply.headers['retry-after']?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000_000;
  const until = Date.parse(text);
  const from = Date.parse(reply.headers.date ?? '');
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : Math.max(0, until - from) * 1_000;
}
