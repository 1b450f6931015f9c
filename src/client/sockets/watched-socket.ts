import type { Socket } from 'node:net';
import type { OpenedSocket } from './opener.ts';

/** A socket with what a transport must know of its other side. */
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

  get open(): boolean {
    return !this.remoteEnded && !this.socket.destroyed && this.socket.writable;
  }
}
