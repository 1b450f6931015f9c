import type { ApiCall, ApiReply, StreamEnd, StreamEvent } from '../api/index.ts';
import { type Micros, microsFromMillis } from '../base/index.ts';
import type { Exchange, MessageSent, StreamRecord } from '../history/index.ts';
import { checkExpectations, type Expect } from '../scenario/index.ts';
import { type Issue, issueTokenRequest } from './access.ts';
import type { Release } from './caps.ts';
import { type Entered, enter, enterAtOnce } from './enter.ts';
import { type ExchangeFrame, exchangeRecord } from './exchange-record.ts';
import { expectedOf, expectedOfEnd } from './expected.ts';
import type { JourneyState } from './journey-state.ts';

/** What a step wants sent, before token, slots and times. */
export interface Request {
  readonly operation: ApiCall['operation'];
  readonly parameters?: ApiCall['parameters'];
  readonly query?: NonNullable<ApiCall['query']>;
  readonly body?: unknown;
  readonly credentials: 'valid' | 'none' | 'invalid';
  readonly conversation?: string;
  /** Turn that is read or streamed: known before the answer, and also where none comes. */
  readonly turn?: string;
  readonly message?: MessageSent;
  readonly resend?: 'same' | 'other';
  readonly page?: { readonly limit: number; readonly offset: number };
  /** Holds a slot of the openTurns cap if the service accepts it. */
  readonly opensTurn?: boolean;
  /** Is sent also after a gentle stop, even if it has to wait for its slots: it sees the end of what is open. */
  readonly outlastsFinish?: boolean;
  readonly expect?: Expect;
}

/** Why nothing was sent, and so nothing recorded: the run stopped while it waited, or the user has no token. */
export type NotSent = { readonly kind: 'interrupted' } | { readonly kind: 'no-token'; readonly because: string };

/** One attempt and what became of it. */
export interface Sent {
  readonly kind: 'sent';
  readonly reply: ApiReply;
  readonly exchange: Exchange;
  /** Gives the open turn's slot back; a no-op where none was taken. */
  readonly turnFinished: Release;
  readonly streamEnd?: Promise<StreamEnd>;
}

export type Attempt = Sent | NotSent;

/** When an attempt is intended, and which one it is. */
export interface Timing {
  readonly intendedAt: Micros;
  readonly attempt: number;
  /** Whether the step's policy will try again after this: an attempt that is retried is not held against expectations. Absent: never. */
  readonly isRetried?: (exchange: Exchange) => boolean;
}

const nothing: Release = () => undefined;

/**
 * Sends one request once: token, slots in the order that cannot deadlock, the connection, then the socket; stamps every
 * wait and records the exchange. Never retries, never throws for what a service does.
 */
export async function exchangeOnce(journey: JourneyState, request: Request, timing: Timing): Promise<Attempt> {
  const entered =
    enterAtOnce(journey, request) ??
    (await enter(journey, request, issuing(journey, request, timing), (sender, signal) => sender.acquire(signal)));
  if (entered.kind !== 'entered') return entered;
  const frame = frameOf(journey, request, entered, timing);
  const reply = await entered.lease.send(callOf(journey, request, entered, frame), journey.stop.abort);
  const exchange = finish(journey, request, frame, reply, timing);
  entered.inFlight();
  const holdsTurn = request.opensTurn && exchange.turn !== undefined;
  if (!holdsTurn) entered.openTurn();
  return { kind: 'sent', reply, exchange, turnFinished: holdsTurn ? entered.openTurn : nothing };
}

/** As `exchangeOnce`, for the handshake of a turn's stream, whose events are recorded as they come. */
export async function openStreamOnce(
  journey: JourneyState,
  request: Request,
  timing: Timing,
  stream: { readonly turn: string; readonly deadlineAt: Micros; readonly onEvent: (event: StreamEvent) => void },
): Promise<Attempt> {
  const entered = await enter(journey, request, issuing(journey, request, timing), (sender, signal) =>
    sender.acquireStream(signal),
  );
  if (entered.kind !== 'entered') return entered;
  const frame = frameOf(journey, request, entered, timing);
  const call = callOf(journey, request, entered, frame);
  const { record } = journey.world;
  // Events may come in one segment with the handshake's answer; the journal keeps the order handshake, opened, events.
  const early: StreamRecord[] = [];
  let opened = false;
  let final: unknown;
  const write = (event: StreamRecord) => void (opened ? record(event) : early.push(event));
  const result = await entered.lease.open(call, {
    deadlineAt: stream.deadlineAt,
    signal: journey.stop.abort,
    onEvent: (event) => {
      const { sequence, status } = event;
      write({
        kind: 'stream',
        turn: stream.turn,
        event: event.event,
        at: event.at,
        ...(sequence === undefined ? {} : { sequence }),
        ...(status === undefined ? {} : { status }),
      });
      if (event.event === 'completed' || event.event === 'failed') final = event.data;
      stream.onEvent(event);
    },
  });
  const exchange = finish(journey, request, frame, result.reply, timing);
  entered.inFlight();
  if (!result.ended) return { kind: 'sent', reply: result.reply, exchange, turnFinished: nothing };
  record({ kind: 'stream', turn: stream.turn, event: 'opened', at: result.reply.receivedAt });
  opened = true;
  for (const event of early) record(event);
  const streamEnd = result.ended.then((end) => {
    const closed = { kind: 'stream', turn: stream.turn, event: 'closed', at: end.at, reason: end.reason } as const;
    record({ ...closed, ...(end.reason === 'stopped' ? {} : expectedOfEnd(request.expect, exchange, final)) });
    return end;
  });
  return { kind: 'sent', reply: result.reply, exchange, turnFinished: nothing, streamEnd };
}

/** The issuing call of a user without a token: an exchange of its own, before this one. */
const issuing =
  (journey: JourneyState, { outlastsFinish = false }: Request, { intendedAt }: Timing): Issue =>
  async () => {
    const request = { ...issueTokenRequest(journey), outlastsFinish };
    const attempt = await exchangeOnce(journey, request, { intendedAt, attempt: 1 });
    return attempt.kind === 'sent' ? attempt.reply : undefined;
  };

/** What is known of the exchange beforehand; its number is given when it is sent. */
function frameOf(
  { arrival, user, step, heldUs }: JourneyState,
  request: Request,
  { access, waits }: Pick<Entered<unknown>, 'access' | 'waits'>,
  { attempt, intendedAt }: Timing,
): ExchangeFrame {
  const frame: ExchangeFrame = {
    seq: UNNUMBERED,
    operation: request.operation,
    application: user.application,
    user: user.label,
    arrival: arrival.index,
    journey: arrival.journey,
    step,
    attempt,
    intendedAt,
  };
  // What a ceiling held back before the journey began is part of the wait of whatever was intended at its arrival.
  const held = intendedAt === arrival.intendedAt ? heldUs : undefined;
  if (access.token !== undefined) frame.token = access.token;
  if (request.conversation !== undefined) frame.conversation = request.conversation;
  for (const _ in waits) frame.capWaitUs = waits;
  if (held !== undefined) frame.capWaitUs = { ...waits, pace: held };
  if (request.message !== undefined) frame.message = request.message;
  if (request.resend !== undefined) frame.resend = request.resend;
  if (request.page !== undefined) frame.page = request.page;
  if (request.turn !== undefined) frame.turn = { id: request.turn };
  return frame;
}

const UNNUMBERED = -1;

/** Makes the call, which numbers the exchange and announces it last thing before the socket. */
function callOf(
  journey: JourneyState,
  { operation, parameters, query, body }: Request,
  { access }: Pick<Entered<unknown>, 'access'>,
  frame: ExchangeFrame,
): ApiCall {
  const { world } = journey;
  return {
    operation,
    credentials: access.credentials,
    parameters: parameters ?? NO_PARAMETERS,
    ...(query && { query }),
    ...(body === undefined ? undefined : { body }),
    deadlineUs: microsFromMillis(world.profile.client.deadline),
    onSending: () => {
      frame.seq = journey.nextSeq();
      world.record({ kind: 'sent', seq: frame.seq, operation, at: world.clock.now() });
    },
  };
}

const NO_PARAMETERS = {};

/** Records the exchange and tells the token keeper what the service made of the token. */
function finish(
  journey: JourneyState,
  request: Request,
  frame: ExchangeFrame,
  reply: ApiReply,
  { isRetried }: Timing,
): Exchange {
  const { world } = journey;
  const exchange = exchangeRecord(frame, reply, world.digestKey);
  if (request.expect && !isRetried?.(exchange)) {
    const expected = expectedOf(request.expect, exchange, world.profile);
    const body = reply.kind === 'answer' ? reply.body : undefined;
    if (expected) exchange.expect = checkExpectations(expected, exchange.status, body);
  }
  journey.hasSent = true;
  world.record(exchange);
  if (exchange.token !== undefined && request.credentials === 'valid') {
    if (exchange.status === 401) world.tokens.mark401(exchange.token);
    else if (exchange.status !== undefined) world.tokens.markWorked(exchange.token);
  }
  return exchange;
}
