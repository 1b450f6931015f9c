import type { ApiCall, ApiReply } from '../api/index.ts';
import { type Clock, type Micros, WaitQueue } from '../base/index.ts';
import type { Lease, Sender } from '../schedule/index.ts';

/*
 * Ways to a service that are other than the sandbox's own: for virtual runs (`wrap`).
 */

type Wrap = (sender: Sender, clock: Clock) => Sender;
export type Answer = Extract<ApiReply, { kind: 'answer' }>;

const never = new AbortController().signal;

/** Whose leases are made into others; none is had at once. */
const leasing = (sender: Sender, changed: (lease: Lease) => Lease): Sender => ({
  ...sender,
  tryAcquire: () => undefined,
  acquire: async (signal) => {
    const lease = await sender.acquire(signal);
    return lease && changed(lease);
  },
});

/** A service that answers otherwise than the sandbox would. */
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

/** One whose answers are so much longer on their way. */
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

/** One that so many connections lead to. */
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
