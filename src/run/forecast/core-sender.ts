import type { ApiCall, StreamEnd, StreamEvent, TargetProfile, TurnEvent } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { StreamAnswer } from '../../sandbox/index.ts';
import type { Lease, OpenedStream, Sender, StreamLease } from '../../schedule/index.ts';
import { type CoreSenderOptions, exchangeWithCore } from './core-exchange.ts';

/**
 * A Sender that asks the sandbox's core directly: no sockets, and no waiting except on the clock. With a virtual clock a day of
 * traffic takes a moment; plans are priced with it.
 */
export function coreSender(options: CoreSenderOptions): Sender {
  const lease: Lease = {
    send: (call, signal, done) => void exchangeWithCore(options, call, signal).then(({ reply }) => done(reply)),
    release: () => undefined,
  };
  const streamLease: StreamLease = {
    open: (call, stream) => openStream(options, call, stream),
    release: () => undefined,
  };
  const unlessAborted = <L>(signal: AbortSignal, given: L) => Promise.resolve(signal.aborted ? undefined : given);
  return {
    tryAcquire: () => lease,
    acquire: (signal) => unlessAborted(signal, lease),
    acquireStream: (signal) => unlessAborted(signal, streamLease),
  };
}

type Listening = Parameters<StreamLease['open']>[1];

async function openStream(options: CoreSenderOptions, call: ApiCall, listening: Listening): Promise<OpenedStream> {
  const { reply, stream } = await exchangeWithCore(options, call, listening.signal);
  return stream === undefined ? { reply } : { reply, ended: tell(options, stream, listening) };
}

/** Emits a stream's events at their instants, until the service ends the turn or a fault cuts the stream. */
async function tell(options: CoreSenderOptions, answer: StreamAnswer, stream: Listening): Promise<StreamEnd> {
  const { clock } = options;
  for (const [index, { at, event }] of answer.events.entries()) {
    if (index === answer.delivery?.cutAfter) break;
    await clock.sleepUntil(Math.min(options.runAt(at), stream.deadlineAt) as Micros, stream.signal);
    if (stream.signal.aborted) return { at: clock.now(), reason: 'stopped' };
    if (clock.now() >= stream.deadlineAt) return { at: clock.now(), reason: 'deadline' };
    const received = streamEvent(options.profile, event, clock.now());
    stream.onEvent(received);
    if (received.event === 'completed' || received.event === 'failed')
      return { at: clock.now(), reason: received.event };
  }
  return { at: clock.now(), reason: 'dropped' };
}

function streamEvent({ stream }: Pick<TargetProfile, 'stream'>, event: TurnEvent, at: Micros): StreamEvent {
  const data: Readonly<Record<string, unknown>> = { ...event };
  const kinds = ['status', 'delta', 'completed', 'failed'] as const;
  return {
    event: kinds.find((kind) => stream?.events[kind].includes(String(data.type))) ?? 'unknown',
    at,
    data,
    ...(typeof data.sequence === 'number' ? { sequence: data.sequence } : {}),
    ...(typeof data.status === 'string' ? { status: data.status } : {}),
  };
}
