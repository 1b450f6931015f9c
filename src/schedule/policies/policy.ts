import type { Micros } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import type { Attempt, AttemptListener, Sent, Timing } from '../exchanges/attempt.ts';
import { exchangeOnce } from '../exchanges/exchange.ts';
import type { Request } from '../exchanges/request.ts';
import { type JourneyState, waitSignal } from '../journeys/journey-state.ts';
import {
  type Decision,
  decide,
  type Problem,
  problemOf,
  type StepPolicies,
  tokenAdvice,
  tokenProblem,
  type Waiting,
} from './decision.ts';
import type { Advice } from './retry.ts';

/** Result of a step under its policy. `done`: success, or what the step expected. `passed-over`: failed, but the journey goes on. */
export type Settled =
  | { readonly kind: 'done'; readonly sent: Sent }
  | { readonly kind: 'passed-over'; readonly sent?: Sent }
  | { readonly kind: 'stop'; readonly because: string }
  | { readonly kind: 'interrupted' };

/** How a step sends: `exchangeOnce`, except for streams. */
export type SendOnce = (journey: JourneyState, request: Request, timing: Timing, listener: AttemptListener) => void;

/** Receives the result of a request under its policy, once, in the same turn of the event loop as the last answer. */
export interface SettleListener {
  settled(settled: Settled): void;
  /** A defect of this tool; the run ends with it. */
  failed(defect: unknown): void;
}

/** Sends, and retries according to the policy. A retry is a new exchange with `attempt` + 1, intended when its wait ends. */
export function sendWithPolicy(
  journey: JourneyState,
  request: Request,
  intendedAt: Micros,
  policies: StepPolicies,
  send: SendOnce = exchangeOnce,
): Promise<Settled> {
  return new Promise((settled, failed) =>
    new Attempts(journey, request, policies, { settled, failed }, send).go(intendedAt),
  );
}

/** Like `sendWithPolicy`, without a promise. */
export function startWithPolicy(
  journey: JourneyState,
  request: Request,
  intendedAt: Micros,
  policies: StepPolicies,
  listener: SettleListener,
): void {
  new Attempts(journey, request, policies, listener, exchangeOnce).go(intendedAt);
}

/** The successive attempts at one request; listens to each of them. A single object, because every request makes one. */
class Attempts implements AttemptListener, Timing {
  intendedAt = 0 as Micros;
  attempt = 1;
  unsent = 0;
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

  go(at: Micros): void {
    this.intendedAt = at;
    this.#send(this.#journey, this.#request, this, this);
  }

  isRetried(exchange: Exchange): boolean {
    return this.#decideOn(exchange).kind === 'retry';
  }

  ended(tried: Attempt): void {
    const decision = this.#decide(tried);
    // A turn that came with an error status will not be followed, so its slot is given back.
    if (tried.kind === 'sent' && decision.kind !== 'done') tried.turnFinished();
    if (decision.kind === 'retry' || decision.kind === 'expired')
      void this.#wait(decision, tried).catch((defect: unknown) => this.failed(defect));
    else this.#listener.settled(settledBy(decision, tried));
  }

  failed(defect: unknown): void {
    this.#listener.failed(defect);
  }

  #decide(tried: Attempt): Decision {
    if (tried.kind === 'interrupted') return tried;
    if (tried.kind === 'no-token')
      return this.#decideBy(tokenProblem(this.#journey.world.profile, tried), tokenAdvice(tried.reply));
    // The end of the run, not the service, cut the exchange off, so the policy does not apply.
    return tried.exchange.failure === 'stopped' ? { kind: 'interrupted' } : this.#decideOn(tried.exchange);
  }

  #decideOn(exchange: Exchange): Decision {
    return this.#decideBy(problemOf(this.#journey.world.profile, exchange, this.#request.expect), exchange);
  }

  #decideBy(problem: Problem | undefined, advice: Advice | undefined): Decision {
    return decide(this.#journey, this.#policies, this.attempt + this.unsent, problem, advice);
  }

  async #wait({ kind, at }: Waiting, tried: Attempt): Promise<void> {
    const signal = waitSignal(this.#journey.stop, this.#request);
    await this.#journey.world.clock.sleepUntil(at, signal);
    if (signal.aborted) return this.#listener.settled({ kind: 'interrupted' });
    if (kind === 'expired') return this.#listener.settled(settledBy({ kind: 'passed-over' }, tried));
    if (tried.kind === 'sent') this.attempt += 1;
    else this.unsent += 1;
    this.go(at);
  }
}

function settledBy(decision: Exclude<Decision, Waiting>, tried: Attempt): Settled {
  if (decision.kind === 'stop' || decision.kind === 'interrupted') return decision;
  return tried.kind === 'sent' ? { kind: decision.kind, sent: tried } : { kind: 'passed-over' };
}
