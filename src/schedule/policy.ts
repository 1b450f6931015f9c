import { operations, type TargetProfile } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { Exchange } from '../history/index.ts';
import type { Expect, Policy } from '../scenario/index.ts';
import { type Attempt, type AttemptListener, exchangeOnce, type Sent, type Timing } from './exchange.ts';
import type { JourneyState } from './journey-state.ts';
import type { Request } from './request.ts';
import { retryInstant } from './retry.ts';

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

/** For a step that goes on with what the policy left. */
export const asSettled = (settled: Settled): Settled => settled;

/** How a step sends: `exchangeOnce`, but for streams. */
export type SendOnce = (journey: JourneyState, request: Request, timing: Timing, listener: AttemptListener) => void;

/** Who is told, once, where the policy left a request: in the turn in which the last answer is there. */
export interface SettleListener {
  settled(settled: Settled): void;
  /** A defect of ours; the run ends with it. */
  failed(defect: unknown): void;
}

/**
 * Sends, and retries as the policy says. A retry is a new exchange with `attempt` + 1, intended when its wait ends.
 * @param conclude makes of it what the promise resolves with
 */
export function sendWithPolicy<T>(
  journey: JourneyState,
  request: Request,
  intendedAt: Micros,
  policies: StepPolicies,
  conclude: (settled: Settled) => T,
  send: SendOnce = exchangeOnce,
): Promise<T> {
  return new Promise<T>((resolve, failed) => {
    const listener: SettleListener = { settled: (settled) => resolve(conclude(settled)), failed };
    new Tries(journey, request, policies, listener, send).go(1, intendedAt);
  });
}

/** As `sendWithPolicy`, for who needs no promise. */
export function tellWithPolicy(
  journey: JourneyState,
  request: Request,
  intendedAt: Micros,
  policies: StepPolicies,
  listener: SettleListener,
): void {
  new Tries(journey, request, policies, listener, exchangeOnce).go(1, intendedAt);
}

/** The attempts of one request, one after the other; listens to each of them. One object, because every request makes one. */
class Tries implements AttemptListener, Timing {
  intendedAt = 0 as Micros;
  attempt = 0;
  readonly #journey: JourneyState;
  readonly #request: Request;
  readonly #policies: StepPolicies;
  readonly #listener: SettleListener;
  readonly #send: SendOnce;

  constructor(
    journey: JourneyState,
    request: Request,
    policies: StepPolicies,
    listener: SettleListener,
    send: SendOnce,
  ) {
    this.#journey = journey;
    this.#request = request;
    this.#policies = policies;
    this.#listener = listener;
    this.#send = send;
  }

  go(attempt: number, at: Micros): void {
    this.attempt = attempt;
    this.intendedAt = at;
    this.#send(this.#journey, this.#request, this, this);
  }

  isRetried(exchange: Exchange): boolean {
    return this.#decideOn(exchange).kind === 'retry';
  }

  ended(tried: Attempt): void {
    const decision = this.#decide(tried);
    if (decision.kind === 'retry') void this.#retry(decision.at).catch((defect: unknown) => this.failed(defect));
    else this.#listener.settled(settledBy(decision, tried));
  }

  failed(defect: unknown): void {
    this.#listener.failed(defect);
  }

  #decide(tried: Attempt): Decision {
    if (tried.kind === 'interrupted') return tried;
    if (tried.kind === 'no-token')
      return decide(this.#journey, this.#policies, this.attempt, { refused: false, because: tried.because });
    // The run ended under it: not what the service did, so not a matter for the policy.
    return tried.exchange.failure === 'stopped' ? { kind: 'interrupted' } : this.#decideOn(tried.exchange);
  }

  #decideOn(exchange: Exchange): Decision {
    const problem = problemOf(this.#journey.world.profile, exchange, this.#request.expect);
    return decide(this.#journey, this.#policies, this.attempt, problem, exchange);
  }

  async #retry(at: Micros): Promise<void> {
    const { world, stop } = this.#journey;
    await world.clock.sleepUntil(at, stop.finish);
    if (stop.finish.aborted) this.#listener.settled({ kind: 'interrupted' });
    else this.go(this.attempt + 1, at);
  }
}

function settledBy(decision: Exclude<Decision, { kind: 'retry' }>, tried: Attempt): Settled {
  if (decision.kind === 'stop' || decision.kind === 'interrupted') return decision;
  return tried.kind === 'sent' ? { kind: decision.kind, sent: tried } : { kind: 'passed-over' };
}

type Decision =
  | { readonly kind: 'done' | 'passed-over' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'stop'; readonly because: string }
  | { readonly kind: 'retry'; readonly at: Micros };

interface Problem {
  readonly refused: boolean;
  readonly because: string;
}

const DONE: Decision = { kind: 'done' };

/** What the policy makes of an attempt. @param exchange absent when nothing was sent, for want of a token */
function decide(
  journey: JourneyState,
  { onRefused, onError }: StepPolicies,
  attempt: number,
  problem: Problem | undefined,
  exchange?: Exchange,
): Decision {
  if (problem === undefined) return DONE;
  const policy = problem.refused ? onRefused : onError;
  if (policy === 'continue') return { kind: 'passed-over' };
  if (policy === 'stop') return { kind: 'stop', because: problem.because };
  const at = retryInstant(journey, policy.retry, attempt, exchange);
  if (at !== undefined) return { kind: 'retry', at };
  return policy.retry.afterwards === 'continue'
    ? { kind: 'passed-over' }
    : { kind: 'stop', because: `${problem.because}, retries used up` };
}

/** What is wrong with an exchange; `undefined` when it succeeded, or met a status that the step expects. */
function problemOf(profile: TargetProfile, exchange: Exchange, expect?: Expect): Problem | undefined {
  const { status, outcome, operation } = exchange;
  if (status !== undefined && expect?.status !== undefined && [expect.status].flat().includes(status)) return undefined;
  if (outcome === 'refused') return { refused: true, because: `429 ${exchange.error?.code ?? ''}`.trim() };
  if (outcome !== 'answered') return { refused: false, because: exchange.failure ?? outcome };
  const successes = profile.success[operation];
  const isSuccess =
    status !== undefined && (successes ? successes.includes(status) : status === operations[operation].success);
  if (!isSuccess) return { refused: false, because: `status ${status} ${exchange.error?.code ?? ''}`.trim() };
  return exchange.bodyProblem === undefined ? undefined : { refused: false, because: exchange.bodyProblem };
}
