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

  /**
   * Another request may go out on it: also, no part of the one before is still waiting, whose answer came early, and nothing
   * that nobody asked for has come.
   */
  get open(): boolean {
    const { socket } = this;
    if (this.remoteEnded || socket.destroyed || !socket.writable) return false;
    return socket.writableLength === 0 && socket.readableLength === 0;
  }
}
