import { connect, type Socket } from 'node:net';

/** The requests of one connection. */
export interface Conversation {
  /** The bytes of the next request. */
  next(): string;
  answered(status: number, body: Buffer): void;
}

/** The result of a loop. */
export interface LoopCount {
  readonly answers: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly seconds: number;
}

/**
 * Closed loop: each connection sends its next request as soon as the last one is answered. Uses bare sockets and minimal parsing, so
 * that the generator costs a fraction of what it measures.
 */
export async function closedLoop(
  port: number,
  seconds: number,
  conversations: readonly Conversation[],
): Promise<LoopCount> {
  const statuses: Record<number, number> = {};
  let answers = 0;
  const beganAt = performance.now();
  const endsAt = beganAt + seconds * 1_000;
  await Promise.all(
    conversations.map((conversation) =>
      converse(port, conversation, (status) => {
        answers++;
        statuses[status] = (statuses[status] ?? 0) + 1;
        return performance.now() < endsAt;
      }),
    ),
  );
  return { answers, statuses, seconds: (performance.now() - beganAt) / 1_000 };
}

/** @param goOn called with each status; returns whether to continue */
function converse(port: number, conversation: Conversation, goOn: (status: number) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(conversation.next()));
    let received: Buffer | undefined;
    socket.on('data', (chunk) => {
      received = received === undefined ? chunk : Buffer.concat([received, chunk]);
      const answer = readAnswer(received);
      if (!answer) return;
      received = undefined;
      conversation.answered(answer.status, answer.body);
      if (goOn(answer.status)) socket.write(conversation.next());
      else socket.end();
    });
    socket.on('error', reject).on('close', () => resolve());
  });
}

/** @returns undefined until head and body are complete */
function readAnswer(bytes: Buffer): { status: number; body: Buffer } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const body = bytes.subarray(headEnd + 4);
  return body.length < length ? undefined : { status: Number(head.slice(9, 12)), body };
}
