import type { Socket } from 'node:net';
import type { OpenedSocket } from './opener.ts';

/** A socket, with what a transport must know about its other side. */
export class WatchedSocket {
  readonly socket: Socket;
  readonly number: number;
  /** The other side will send nothing more. */
  remoteEnded = false;

  constructor(opened: OpenedSocket) {
    this.socket = opened.socket;
    this.number = opened.number;
    this.socket.once('end', () => {
      this.remoteEnded = true;
    });
  }

  /**
   * Whether another request may be sent on it: no part of the previous request is still unsent (its answer may have come early),
   * and no unrequested bytes have arrived.
   */
  get open(): boolean {
    const { socket } = this;
    if (this.remoteEnded || socket.destroyed || !socket.writable) return false;
    return socket.writableLength === 0 && socket.readableLength === 0;
  }
}
