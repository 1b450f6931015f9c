import {
  type ApiCall,
  type ApiReply,
  type Credentials,
  operations,
  type StreamEnd,
  type StreamEvent,
  type TargetProfile,
} from '../api/index.ts';
import type { Clock, Micros } from '../base/index.ts';
import type { Answer, Core, SandboxRequest } from '../sandbox/index.ts';
import type { Lease, OpenedStream, Sender, StreamLease } from '../schedule/index.ts';

/** How a run in virtual time reaches the sandbox's core. */
export interface CoreSenderOptions {
  readonly core: Core;
  readonly clock: Clock;
  /** Service time at a run time. */
  readonly serviceAt: (at: Micros) => Micros;
  /** The run time at which the service's clock shows this. */
  readonly runAt: (service: Micros) => Micros;
  /** From sending to the decision, and from the decision to the answer; drawn per call where it varies. */
  readonly delayUs: () => readonly [Micros, Micros];
  readonly profile: Pick<TargetProfile, 'stream'>;
}

/**
 * A Sender that asks the sandbox's core directly: no sockets, no waiting but the clock's. With a virtual clock a day of
 * traffic takes a moment; it is how plans are priced.
 */
export function coreSender(options: CoreSenderOptions): Sender {
  const lease: Lease = { send: (call, signal) => send(options, call, signal), release: () => undefined };
  const streamLease: StreamLease = {
    open: (call, stream) => openStream(options, call, stream),
    release: () => undefined,
  };
  const unlessAborted = <L>(signal: AbortSignal, given: L) => Promise.resolve(signal.aborted ? undefined : given);
  return {
    acquire: (signal) => unlessAborted(signal, lease),
    acquireStream: (signal) => unlessAborted(signal, streamLease),
  };
}

const NO_BYTES = { sent: 0, received: 0 };

async function send(options: CoreSenderOptions, call: ApiCall, signal?: AbortSignal): Promise<ApiReply> {
  const { clock, delayUs } = options;
  const sentAt = clock.now();
  const [there, back] = delayUs();
  const answer = await decide(options, call, (sentAt + there) as Micros, signal);
  if (!answer) return { kind: 'censored', failure: 'stopped', sentAt, receivedAt: clock.now(), bytes: NO_BYTES };
  await clock.sleepUntil((sentAt + there + back) as Micros, signal);
  return replyOf(answer, sentAt, clock.now());
}

async function decide(
  options: CoreSenderOptions,
  call: ApiCall,
  at: Micros,
  signal?: AbortSignal,
): Promise<Answer | undefined> {
  await options.clock.sleepUntil(at, signal);
  return signal?.aborted ? undefined : options.core.answer(requestOf(call), options.serviceAt(at));
}

function replyOf(answer: Answer, sentAt: Micros, at: Micros): ApiReply {
  const body = answer.kind === 'json' ? { body: answer.body } : {};
  return {
    kind: 'answer',
    status: answer.status,
    headers: answer.headers,
    sentAt,
    headersAt: at,
    receivedAt: at,
    bytes: NO_BYTES,
    ...body,
  };
}

function requestOf(call: ApiCall): SandboxRequest {
  const authorization = authorizationOf(call.credentials);
  return {
    route: { operation: call.operation, parameters: call.parameters },
    ...(call.query === undefined
      ? {}
      : { query: Object.fromEntries(Object.entries(call.query).map(([name, value]) => [name, String(value)])) }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(call.body === undefined
      ? { body: { kind: 'absent' } }
      : { contentType: 'application/json', body: { kind: 'json', value: call.body } }),
    webSocket: operations[call.operation].success === 101,
  };
}

function authorizationOf(credentials: Credentials): string | undefined {
  if (credentials.kind === 'none') return undefined;
  if (credentials.kind === 'bearer') return `Bearer ${credentials.token}`;
  return `Basic ${Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64')}`;
}

async function openStream(
  options: CoreSenderOptions,
  call: ApiCall,
  stream: { readonly onEvent: (event: StreamEvent) => void; readonly deadlineAt: Micros; readonly signal: AbortSignal },
): Promise<OpenedStream> {
  const { clock, delayUs } = options;
  const sentAt = clock.now();
  const [there, back] = delayUs();
  const answer = await decide(options, call, (sentAt + there) as Micros, stream.signal);
  if (!answer)
    return { reply: { kind: 'censored', failure: 'stopped', sentAt, receivedAt: clock.now(), bytes: NO_BYTES } };
  await clock.sleepUntil((sentAt + there + back) as Micros, stream.signal);
  const reply = replyOf(answer, sentAt, clock.now());
  return answer.kind === 'stream' ? { reply, ended: tell(options, answer.events, stream) } : { reply };
}

type Events = Extract<Answer, { kind: 'stream' }>['events'];

async function tell(
  options: CoreSenderOptions,
  events: Events,
  stream: { readonly onEvent: (event: StreamEvent) => void; readonly deadlineAt: Micros; readonly signal: AbortSignal },
): Promise<StreamEnd> {
  const { clock } = options;
  for (const { at, event } of events) {
    const due = Math.min(options.runAt(at), stream.deadlineAt) as Micros;
    await clock.sleepUntil(due, stream.signal);
    if (stream.signal.aborted) return { at: clock.now(), reason: 'stopped' };
    if (clock.now() >= stream.deadlineAt) return { at: clock.now(), reason: 'deadline' };
    const told = streamEvent(options.profile, event as Readonly<Record<string, unknown>>, clock.now());
    stream.onEvent(told);
    if (told.event === 'completed' || told.event === 'failed') return { at: clock.now(), reason: told.event };
  }
  return { at: clock.now(), reason: 'dropped' };
}

function streamEvent(
  profile: Pick<TargetProfile, 'stream'>,
  data: Readonly<Record<string, unknown>>,
  at: Micros,
): StreamEvent {
  const names = profile.stream?.events;
  const kinds = ['status', 'delta', 'completed', 'failed'] as const;
  const event = kinds.find((kind) => names?.[kind].includes(String(data.type))) ?? 'unknown';
  return {
    event,
    at,
    data,
    ...(typeof data.sequence === 'number' ? { sequence: data.sequence } : {}),
    ...(typeof data.status === 'string' ? { status: data.status } : {}),
  };
}
