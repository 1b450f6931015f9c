import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RequestBody } from '../request.ts';

/** How much of a too large body is read and discarded, so that the client can finish and read its 413. Beyond it the connection is closed. */
const DISCARD_LIMIT_BYTES = 1_048_576;

/** A request body read from a socket. */
export interface ReadBody {
  readonly body: RequestBody;
  /** False if the rest of the body will not be read: the connection must close. */
  readonly complete: boolean;
}

/**
 * Whether the announced length alone is enough to refuse the body unread. For a client that waits for "100 Continue" any length
 * above the limit is; from others, up to `DISCARD_LIMIT_BYTES` more are read and discarded.
 */
export function isAnnouncedTooLarge(headers: IncomingHttpHeaders, limit: number): boolean {
  const announced = Number(headers['content-length'] ?? 0);
  return announced > limit + (headers.expect === undefined ? DISCARD_LIMIT_BYTES : 0);
}

/**
 * Reads a body of at most `limit` bytes. A body that is announced too large is not read.
 * @throws Error if the client closes the connection before the end of the body
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
