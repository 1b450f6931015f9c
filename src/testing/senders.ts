import type { ApiCall, ApiReply, StreamEnd, StreamEvent } from '../api/index.ts';
import { type Clock, type Micros, WaitQueue } from '../base/index.ts';
import type { Lease, OpenedStream, Sender, StreamLease } from '../schedule/index.ts';

/*
 * Wrappers of the sender of virtual runs (`wrap`).
 */

type Wrap = (sender: Sender, clock: Clock) => Sender;
export type Answer = Extract<ApiReply, { kind: 'answer' }>;

const never = new AbortController().signal;

/** Changes every lease. Leases are never available synchronously. */
const leasing = (sender: Sender, changed: (lease: Lease) => Lease): Sender => ({
  ...sender,
  tryAcquire: () => undefined,
  acquire: async (signal) => {
    const lease = await sender.acquire(signal);
    return lease && changed(lease);
  },
});

/** A failure in place of an answer. */
interface Broken {
  readonly failure: string;
  readonly receivedAt?: Micros;
}

/** Changes the answers of the sandbox, or lets the call fail. */
export const answering =
  (change: (call: ApiCall, answer: Answer) => Partial<Answer> | Broken): Wrap =>
  (sender) =>
    leasing(sender, (lease) => ({
      release: () => lease.release(),
      send: (call, signal, onReply) =>
        lease.send(call, signal, (reply) =>
          onReply(reply.kind === 'answer' ? changed(reply, change(call, reply)) : reply),
        ),
    }));

function changed(answer: Answer, change: Partial<Answer> | Broken): ApiReply {
  if (!('failure' in change)) return { ...answer, ...change };
  const { sentAt, receivedAt, bytes } = answer;
  return { kind: 'failed', sentAt, receivedAt, bytes, ...change };
}

/** What is answered with another status from an instant on, as often as said. */
export function failing(
  operation: string,
  status: number,
  { times = 1_000, headers = {} as Record<string, string> } = {},
) {
  let left = times;
  return answering((call) =>
    call.operation === operation && left-- > 0 ? { status, headers, body: { error: { code: 'busy' } } } : {},
  );
}

/** Delays the answers on their way back. */
export const answeringLate =
  (lateUs: (call: ApiCall) => number): Wrap =>
  (sender, clock) =>
    leasing(sender, (lease) => ({
      release: () => lease.release(),
      send: (call, signal, onReply) =>
        lease.send(call, signal, (reply) => {
          const at = (reply.receivedAt + lateUs(call)) as Micros;
          void clock.sleepUntil(at, never).then(() => onReply({ ...reply, receivedAt: at } as ApiReply));
        }),
    }));

/** Limits the number of connections. */
export const connectedBy =
  (connections: number): Wrap =>
  (sender) => {
    const waiting = new WaitQueue();
    let free = connections;
    const giveBack = () => {
      if (!waiting.grant()) free += 1;
    };
    const held = (lease: Lease): Lease => ({
      release: () => {
        lease.release();
        giveBack();
      },
      send: (call, signal, onReply) =>
        lease.send(call, signal, (reply) => {
          giveBack();
          onReply(reply);
        }),
    });
    return {
      ...sender,
      tryAcquire: () => undefined,
      acquire: async (signal) => {
        if (free > 0) free -= 1;
        else if (!(await waiting.wait(signal))) return undefined;
        const lease = await sender.acquire(signal);
        if (!lease) giveBack();
        return lease && held(lease);
      },
    };
  };

/** Every stream has one event, and then ends. */
export const streaming = (
  event: Pick<StreamEvent, 'event' | 'status' | 'data'>,
  reason: StreamEnd['reason'],
  because?: string,
): Wrap =>
  opening(({ at, reply }, onEvent) => {
    onEvent({ at, ...event });
    const end = because === undefined ? { at, reason } : { at, reason, because };
    return { reply: { ...reply, status: 101, body: undefined }, ended: Promise.resolve(end) };
  });

/** Answers every handshake with an error, at once. */
export const refusingStreams = (status: number): Wrap =>
  opening(({ reply }) => ({ reply: { ...reply, status, body: { error: { code: 'busy' } } } }));

type OpenOptions = Parameters<StreamLease['open']>[1];

const opening =
  (
    open: (now: { readonly at: Micros; readonly reply: Answer }, onEvent: OpenOptions['onEvent']) => OpenedStream,
  ): Wrap =>
  (sender, clock) => ({
    ...sender,
    acquireStream: async () => ({
      release: () => undefined,
      open: async (_, { onEvent }) => {
        const at = clock.now();
        const stamps = { sentAt: at, headersAt: at, receivedAt: at, bytes: { sent: 1, received: 1 } };
        return open({ at, reply: { kind: 'answer', ...stamps, status: 101, headers: {} } }, onEvent);
      },
    }),
  });
