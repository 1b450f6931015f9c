import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RequestBody } from '../request.ts';

/** How much of a too large body is thrown away to let a client finish sending and read its 413; beyond it, we hang up. */
const DISCARD_LIMIT_BYTES = 1_048_576;

/** A body as read from a socket. */
export interface ReadBody {
  readonly body: RequestBody;
  /** False when the client has more to send that nobody will read: the connection must close. */
  readonly complete: boolean;
}

/**
 * Whether the headers already say that nobody will read the body to its end. A client that waits for "100 Continue" spares
 * itself the sending, so that any length above the limit counts; from another one a little more is taken in and thrown away.
 */
export function isAnnouncedTooLarge(headers: IncomingHttpHeaders, limit: number): boolean {
  const announced = Number(headers['content-length'] ?? 0);
  return announced > limit + (headers.expect === undefined ? DISCARD_LIMIT_BYTES : 0);
}

/**
 * Reads a body and keeps `limit` bytes of it at the most; one whose announced length is enough to refuse it is not read.
 * @throws Error when the client goes away in the middle
 */
export function readBody(payload: IncomingMessage, limit: number): Promise<ReadBody> {
  if (isAnnouncedTooLarge(payload.headers, limit)) {
    return Promise.resolve({ body: { kind: 'too-large' }, complete: false });
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const finish = (result: ReadBody) => {
      payload.off('data', take).off('end', end).off('error', reject).off('close', gone);
      resolve(result);
    };
    const gone = () => reject(new Error('the client closed the connection before the end of the body'));
    const end = () =>
      finish({
        body: received > limit ? { kind: 'too-large' } : { kind: 'bytes', bytes: Buffer.concat(chunks) },
        complete: true,
      });
    const take = (chunk: Buffer) => {
      received += chunk.length;
      if (received <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (received > limit + DISCARD_LIMIT_BYTES) {
        payload.pause();
        finish({ body: { kind: 'too-large' }, complete: false });
      }
    };
    payload.on('data', take).on('end', end).on('error', reject).on('close', gone);
  });
}
