import type { ApiCall, ApiReply } from '../../api/index.ts';
import { microsFromMillis } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import type { Waits } from '../caps/caps.ts';
import type { JourneyState } from '../journeys/journey-state.ts';
import type { Timing } from './attempt.ts';
import type { Entered } from './enter.ts';
import { type ExchangeFrame, exchangeRecord, takeOtherRefusal } from './exchange-record.ts';
import { comparedWith, expectedOf } from './expected.ts';
import type { Request } from './request.ts';

/** What is known of the exchange before it is sent; its number is assigned when it is sent. */
export function frameOf(
  { arrival, user, step, heldUs }: JourneyState,
  request: Request,
  { access, waits }: Pick<Entered<unknown>, 'access' | 'waits'>,
  { attempt, intendedAt }: Timing,
): ExchangeFrame {
  // A delay by `noCatchUp` before the journey began is part of the wait of every request intended at its arrival.
  const held = intendedAt === arrival.intendedAt ? heldUs : undefined;
  return {
    seq: UNNUMBERED,
    operation: request.operation,
    application: user.application,
    user: user.label,
    token: access.token,
    conversation: request.conversation,
    arrival: arrival.index,
    journey: arrival.journey,
    step,
    attempt,
    intendedAt,
    capWaitUs: held === undefined ? someOf(waits) : { ...waits, pace: held },
    message: request.message,
    resend: request.resend,
    turn: request.turn === undefined ? undefined : { id: request.turn },
    page: request.page,
    rating: request.operation === 'rateAnswer' ? (request.body as { readonly rating: string }).rating : undefined,
  };
}

function someOf(waits: Waits): Waits | undefined {
  for (const _ in waits) return waits;
  return undefined;
}

const UNNUMBERED = -1;

/** Makes the call. When it is sent, the exchange gets its number and its `sent` record, immediately before the socket write. */
export function callOf(
  journey: JourneyState,
  { operation, parameters, query, body, bodyText }: Request,
  { access, rateSlot }: Pick<Entered<unknown>, 'access' | 'rateSlot'>,
  frame: ExchangeFrame,
): ApiCall {
  const { world } = journey;
  return {
    operation,
    credentials: access.credentials,
    parameters: parameters ?? NO_PARAMETERS,
    query,
    body,
    bodyText,
    deadlineUs: microsFromMillis(world.profile.client.deadline),
    onSending: () => {
      rateSlot.sent();
      frame.seq = journey.nextSeq();
      if (world.announces?.() === false) return;
      world.record({ kind: 'sent', seq: frame.seq, operation, at: world.clock.now() });
    },
  };
}

const NO_PARAMETERS = {};

/** Records the exchange and reports to the token keeper whether the token worked. */
export function finish(
  journey: JourneyState,
  request: Request,
  frame: ExchangeFrame,
  reply: ApiReply,
  timing: Timing,
): Exchange {
  const { world } = journey;
  const exchange = exchangeRecord(frame, reply, world.digestKey);
  const { otherBodies, otherStatuses } = world.profile.errorCodes;
  if (otherBodies !== undefined || otherStatuses !== undefined) takeOtherRefusal(exchange, world.profile);
  // A request that the run's end cut off has no answer that could contradict expectations.
  if (request.expect && exchange.failure !== 'stopped' && !timing.isRetried?.(exchange)) {
    const expected = expectedOf(request.expect, exchange, world.profile);
    const body = reply.kind === 'answer' ? reply.body : undefined;
    if (expected)
      exchange.expect = comparedWith(expected, exchange, { profile: world.profile, body, name: request.named });
  }
  journey.hasSent = true;
  world.record(exchange);
  if (exchange.token !== undefined && request.credentials === 'valid') {
    if (exchange.status === 401) world.tokens.mark401(journey.user, exchange.token);
    else if (exchange.status !== undefined) world.tokens.markWorked(journey.user, exchange.token);
  }
  return exchange;
}
