import type { ApiCall, ApiReply } from '../api/index.ts';
import { type Clock, type Micros, WaitQueue } from '../base/index.ts';
import type { Lease, Sender } from '../schedule/index.ts';

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

/** Changes the answers of the sandbox. */
export const answering =
  (change: (call: ApiCall, answer: Answer) => Partial<Answer>): Wrap =>
  (sender) =>
    leasing(sender, (lease) => ({
      release: () => lease.release(),
      send: (call, signal, onReply) =>
        lease.send(call, signal, (reply) =>
          onReply(reply.kind === 'answer' ? { ...reply, ...change(call, reply) } : reply),
        ),
    }));

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
