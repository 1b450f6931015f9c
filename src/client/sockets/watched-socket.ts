import type { Socket } from 'node:net';
import type { OpenedSocket } from './opener.ts';

/** A socket, with what a transport must know about its other side. */
export class WatchedSocket {
  readonly socket: Socket;
  readonly number: number;
  /** The other side has ended its half, and not by a reset. */
  remoteEnded = false;

  constructor(opened: OpenedSocket) {
    this.socket = opened.socket;
    this.number = opened.number;
    // Before Node's own listener, which ends our half.
    this.socket.prependOnceListener('end', () => {
      this.remoteEnded = !wasReset(this.socket);
    });
  }

  /** Whether the other side has left it open (else Node has ended our half) and no unrequested bytes have arrived. */
  get open(): boolean {
    return this.socket.writable && this.socket.readableLength === 0;
  }

  /**
   * Whether no part of the previous request is still unsent: its answer may have come early. Over TLS Node says so a turn of the
   * loop late, often after the answer: ask when the next request is to be sent.
   */
  get isWritten(): boolean {
    return this.socket.writableLength === 0;
  }
}

/**
 * In Node 20 and 22, libuv reports a reset as an end if it comes with the last bytes. Writing nothing sends nothing and then fails
 * as reading should have: with ECONNRESET, or with EPIPE if there was an end before the reset. Over TLS Node hides that, too.
 */
function wasReset(socket: Socket): boolean {
  if (socket.writable) socket.write('');
  return (socket.errored as NodeJS.ErrnoException | null)?.code === 'ECONNRESET';
}
