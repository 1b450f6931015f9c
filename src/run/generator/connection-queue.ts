import type { Sender } from '../../schedule/index.ts';

/** Counts the requests that wait for a free connection. */
interface ConnectionQueue {
  readonly sender: Sender;
  /** The most that waited at once since the last call. */
  takeLongest(): number;
}

/** A Sender that counts the requests that wait for its connections. */
export function connectionQueue(sender: Sender): ConnectionQueue {
  let waiting = 0;
  let longest = 0;
  const counted = async <L>(acquiring: Promise<L>): Promise<L> => {
    longest = Math.max(longest, ++waiting);
    try {
      return await acquiring;
    } finally {
      waiting--;
    }
  };
  return {
    sender: {
      tryAcquire: () => sender.tryAcquire(),
      acquire: (signal) => counted(sender.acquire(signal)),
      acquireStream: (signal) => sender.acquireStream(signal),
    },
    takeLongest() {
      const taken = longest;
      longest = waiting;
      return taken;
    },
  };
}
