import type { ApiReply } from '../../api/index.ts';
import { type Micros, microsFromMillis } from '../../base/index.ts';
import { longestInterval } from '../../scenario/index.ts';
import type { Request } from '../exchanges/request.ts';
import type { JourneyState } from '../journeys/journey-state.ts';
import { policiesOf, type StepPolicies } from '../policies/decision.ts';
import { type Settled, type SettleListener, startWithPolicy } from '../policies/policy.ts';
import type { PollListener, PollSeen } from '../world.ts';
import {
  deadlineOf,
  type Followed,
  type Following,
  type FollowListener,
  isExpectedFailure,
  turnRequest,
} from './following.ts';

/** Reads the turn again and again, as the settings say, until it has ended. */
export function pollTurn(following: Following, followListener: FollowListener): void {
  const { journey, settings, startAt } = following;
  const { world, stop } = journey;
  const polled = new PolledTurn(following, followListener);
  world.followByPolling({
    clock: world.clock,
    startAt,
    intervalUs: microsFromMillis(settings.interval),
    backoff: settings.backoff,
    maxIntervalUs: microsFromMillis(longestInterval(settings)),
    deadlineAt: deadlineOf(following),
    signal: stop.abort,
    poll: (intendedAt, listener) => polled.poll(intendedAt, listener),
    ended: (end) => polled.ended(end),
    failed: followListener.failed,
  });
}

/** A turn that is polled: listens to every poll and remembers the last answer. A single object, as most requests are polls. */
class PolledTurn implements SettleListener {
  readonly failed: SettleListener['failed'];
  readonly #journey: JourneyState;
  readonly #request: Request;
  readonly #policies: StepPolicies;
  readonly #followListener: FollowListener;
  #listener: PollListener | undefined;
  #because: string | undefined;
  /** How it ended, if no poll showed the end. */
  #ended: 'stopped' | 'expected' | undefined;
  #reply: ApiReply | undefined;

  constructor(following: Following, followListener: FollowListener) {
    const { journey, step, turn, member } = following;
    this.failed = followListener.failed;
    this.#journey = journey;
    this.#request = turnRequest('readTurn', turn, step);
    this.#policies = { deadlineAt: deadlineOf(following), member, ...policiesOf(journey, step) };
    this.#followListener = followListener;
  }

  poll(intendedAt: Micros, listener: PollListener): void {
    this.#listener = listener;
    startWithPolicy(this.#journey, this.#request, intendedAt, this.#policies, this);
  }

  settled(settled: Settled): void {
    this.#listener?.seen(this.#seenOf(settled));
  }

  #seenOf(settled: Settled): PollSeen {
    if (settled.kind === 'stop') this.#because = settled.because;
    if (settled.kind === 'interrupted') this.#ended = 'stopped';
    if (settled.kind === 'interrupted' || settled.kind === 'stop') return { state: 'unknown', verdict: 'stop' };
    if (settled.kind === 'passed-over') return { state: 'unknown', verdict: 'continue' };
    this.#reply = settled.sent.reply;
    if (isExpectedFailure(settled.sent.reply, this.#request)) {
      this.#ended = 'expected';
      return { state: 'unknown', verdict: 'stop' };
    }
    return { state: stateOf(this.#journey, settled.sent.exchange.turn?.status) };
  }

  ended(ended: Followed['ended']): void {
    const answer = this.#reply?.kind === 'answer' ? this.#reply : undefined;
    this.#followListener.ended({
      ended: this.#ended ?? ended,
      because: this.#because,
      body: answer?.body,
      bodyForm: answer?.bodyForm,
    });
  }
}

/** An unknown status means neither: the turn counts as open, and the journal keeps the word. */
function stateOf(journey: JourneyState, status: string | undefined): 'open' | 'completed' | 'failed' {
  const { turns } = journey.world.profile;
  if (status !== undefined && turns.completed.includes(status)) return 'completed';
  if (status !== undefined && turns.failed.includes(status)) return 'failed';
  return 'open';
}
