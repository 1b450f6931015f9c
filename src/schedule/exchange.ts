import {
  type ApiCall,
  type ApiReply,
  type Credentials,
  operations,
  type StreamEnd,
  type StreamEvent,
} from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import { microsFromMillis } from '../base/index.ts';
import type { Exchange, MessageSent, StreamRecord } from '../history/index.ts';
import { checkExpectations, type Expect } from '../scenario/index.ts';
import { type Release, stamped, type Waits } from './caps.ts';
import { type ExchangeFrame, exchangeRecord } from './exchange-record.ts';
import type { JourneyState } from './journey-state.ts';

/** What a step wants sent, before token, slots and times. */
export interface Request {
  readonly operation: ApiCall['operation'];
  readonly parameters?: ApiCall['parameters'];
  readonly query?: NonNullable<ApiCall['query']>;
  readonly body?: unknown;
  readonly credentials: 'valid' | 'none' | 'invalid';
  readonly conversation?: string;
  readonly message?: MessageSent;
  readonly resend?: 'same' | 'other';
  readonly page?: { readonly limit: number; readonly offset: number };
  /** Holds a slot of the openTurns cap if the service accepts it. */
  readonly opensTurn?: boolean;
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
}

const nothing: Release = () => undefined;
const INTERRUPTED: NotSent = { kind: 'interrupted' };

/**
 * Sends one request once: token, slots in the order that cannot deadlock, the connection, then the socket; stamps every
 * wait and records the exchange. Never retries, never throws for what a service does.
 */
export async function exchangeOnce(journey: JourneyState, request: Request, timing: Timing): Promise<Attempt> {
  const access = await authorize(journey, request, timing);
  if (access.kind !== 'access') return access;
  const slots = await takeSlots(journey, request);
  if (!slots) return INTERRUPTED;
  const lease = await acquire(journey, slots, (signal) => journey.world.sender.acquire(signal));
  if (!lease) return INTERRUPTED;
  const { frame, call } = prepare(journey, request, access, timing, slots.waits);
  const reply = await lease.send(call, journey.stop.abort);
  const exchange = finish(journey, request, frame, reply);
  slots.inFlight();
  const holdsTurn = request.opensTurn && exchange.turn !== undefined;
  if (!holdsTurn) slots.openTurn();
  return { kind: 'sent', reply, exchange, turnFinished: holdsTurn ? slots.openTurn : nothing };
}

/** As `exchangeOnce`, for the handshake of a turn's stream, whose events are recorded as they come. */
export async function openStreamOnce(
  journey: JourneyState,
  request: Request,
  timing: Timing,
  stream: { readonly turn: string; readonly deadlineAt: Micros; readonly onEvent: (event: StreamEvent) => void },
): Promise<Attempt> {
  const access = await authorize(journey, request, timing);
  if (access.kind !== 'access') return access;
  const slots = await takeSlots(journey, request);
  if (!slots) return INTERRUPTED;
  const lease = await acquire(journey, slots, (signal) => journey.world.sender.acquireStream(signal));
  if (!lease) return INTERRUPTED;
  const { frame, call } = prepare(journey, request, access, timing, slots.waits);
  const { record } = journey.world;
  // Events may come in one segment with the handshake's answer; the journal keeps the order handshake, opened, events.
  const early: StreamRecord[] = [];
  let opened = false;
  const write = (event: StreamRecord) => void (opened ? record(event) : early.push(event));
  const result = await lease.open(call, {
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
      stream.onEvent(event);
    },
  });
  const exchange = finish(journey, request, { ...frame, turn: { id: stream.turn } }, result.reply);
  slots.inFlight();
  if (!result.ended) return { kind: 'sent', reply: result.reply, exchange, turnFinished: nothing };
  record({ kind: 'stream', turn: stream.turn, event: 'opened', at: result.reply.receivedAt });
  opened = true;
  for (const event of early) record(event);
  const streamEnd = result.ended.then((end) => {
    record({ kind: 'stream', turn: stream.turn, event: 'closed', at: end.at, reason: end.reason });
    return end;
  });
  return { kind: 'sent', reply: result.reply, exchange, turnFinished: nothing, streamEnd };
}

/** A free connection still costs a promise; below this, that is all it was. */
const CONNECTION_NOISE_US = 200;

/** Waits for a connection, last of all; gives the slots back when the run stops first. */
async function acquire<L>(
  journey: JourneyState,
  slots: TakenSlots,
  take: (signal: AbortSignal) => Promise<L | undefined>,
): Promise<L | undefined> {
  const { clock } = journey.world;
  const from = clock.now();
  const lease = await take(journey.stop.abort);
  const waited = (clock.now() - from) as Micros;
  if (lease === undefined) slots.releaseAll();
  else if (waited >= CONNECTION_NOISE_US) slots.waits.connection = waited;
  return lease;
}

interface Access {
  readonly kind: 'access';
  readonly credentials: Credentials;
  readonly token?: string;
}

/** Finds what to authenticate with; issues a token, as an exchange of its own, when the user has none. */
async function authorize(journey: JourneyState, request: Request, timing: Timing): Promise<Access | NotSent> {
  const { world, user } = journey;
  if (request.credentials === 'none') return { kind: 'access', credentials: { kind: 'none' } };
  if (operations[request.operation].auth === 'basic') {
    if (request.credentials === 'invalid')
      return { kind: 'access', credentials: { kind: 'basic', clientId: 'spillway', clientSecret: 'not-a-secret' } };
    const basic = world.participants.credentials.get(user.application);
    return { kind: 'access', credentials: basic ?? { kind: 'none' } };
  }
  if (request.credentials === 'invalid')
    return { kind: 'access', credentials: { kind: 'bearer', token: 'spillway-not-a-token' }, token: 'invalid' };
  const who = { application: user.application, user: user.label };
  const issued = await world.tokens.tokenFor(who, async () => {
    const attempt = await exchangeOnce(journey, issueTokenRequest(journey), {
      intendedAt: timing.intendedAt,
      attempt: 1,
    });
    return attempt.kind === 'sent' ? attempt.reply : undefined;
  });
  if (issued.kind === 'token') return { kind: 'access', credentials: issued.credentials, token: issued.label };
  return journey.stop.abort.aborted ? INTERRUPTED : { kind: 'no-token', because: issued.because };
}

/** The body of an implicit or explicit issueToken for the journey's user. */
export function issueTokenRequest(
  journey: JourneyState,
  overrides: { locale?: string; timezone?: string } = {},
): Request {
  const { externalId, locale, timezone } = journey.user;
  const body = {
    external_user_id: externalId,
    ...(locale === undefined ? {} : { locale }),
    ...(timezone === undefined ? {} : { timezone }),
    ...overrides,
  };
  return { operation: 'issueToken', body, credentials: 'valid' };
}

interface TakenSlots {
  readonly waits: Waits;
  readonly inFlight: Release;
  readonly openTurn: Release;
  readonly releaseAll: Release;
}

async function takeSlots(journey: JourneyState, request: Request): Promise<TakenSlots | undefined> {
  const { caps, world, stop } = journey;
  const { clock } = world;
  const waits: Waits = {};
  const openTurn = request.opensTurn
    ? await stamped(clock, waits, 'openTurns', caps.openTurns, () => caps.openTurns.take(stop.abort))
    : nothing;
  if (!openTurn) return undefined;
  const counts = world.profile.limits.rate.counts.includes(request.operation);
  const mayGo =
    !counts ||
    (await stamped(clock, waits, 'requestsPerMinute', caps.requestsPerMinute, () =>
      caps.requestsPerMinute.take(stop.abort),
    ));
  const inFlight = mayGo
    ? await stamped(clock, waits, 'inFlight', caps.inFlight, () => caps.inFlight.take(stop.abort))
    : undefined;
  if (!inFlight) {
    openTurn();
    return undefined;
  }
  const releaseAll = () => {
    inFlight();
    openTurn();
  };
  return { waits, inFlight, openTurn, releaseAll };
}

/** Numbers the exchange and announces it, last thing before the socket. */
function prepare(
  journey: JourneyState,
  request: Request,
  access: Access,
  timing: Timing,
  waits: Waits,
): { frame: ExchangeFrame; call: ApiCall } {
  const { world, arrival, user } = journey;
  const seq = journey.nextSeq();
  const frame: ExchangeFrame = {
    seq,
    operation: request.operation,
    application: user.application,
    user: user.label,
    ...(access.token === undefined ? {} : { token: access.token }),
    ...(request.conversation === undefined ? {} : { conversation: request.conversation }),
    arrival: arrival.index,
    journey: arrival.journey,
    step: journey.step,
    attempt: timing.attempt,
    intendedAt: timing.intendedAt,
    ...(Object.keys(waits).length === 0 ? {} : { capWaitUs: waits }),
    ...(request.message === undefined ? {} : { message: request.message }),
    ...(request.resend === undefined ? {} : { resend: request.resend }),
    ...(request.page === undefined ? {} : { page: request.page }),
  };
  const call: ApiCall = {
    operation: request.operation,
    credentials: access.credentials,
    parameters: request.parameters ?? {},
    ...(request.query === undefined ? {} : { query: request.query }),
    ...(request.body === undefined ? {} : { body: request.body }),
    deadlineUs: microsFromMillis(world.profile.client.deadline),
  };
  world.record({ kind: 'sent', seq, operation: request.operation, at: world.clock.now() });
  return { frame, call };
}

/** Records the exchange and tells the token keeper what the service made of the token. */
function finish(journey: JourneyState, request: Request, frame: ExchangeFrame, reply: ApiReply): Exchange {
  const { world } = journey;
  const plain = exchangeRecord(frame, reply, world.digestKey);
  const expect =
    request.expect && checkExpectations(request.expect, plain.status, reply.kind === 'answer' ? reply.body : undefined);
  const exchange: Exchange = expect === undefined ? plain : { ...plain, expect };
  world.record(exchange);
  if (exchange.token !== undefined && request.credentials === 'valid') {
    if (exchange.status === 401) world.tokens.mark401(exchange.token);
    else if (exchange.status !== undefined) world.tokens.markWorked(exchange.token);
  }
  return exchange;
}
