import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A socket with an upgrade request whose answer is delayed. The HTTP server no longer tracks it. */
interface Held {
  /** Writes to the socket. When it finishes, the socket is closed. */
  readonly response: ServerResponse;
  /** Returns the socket to its original state and stops tracking it. */
  release(): void;
}

/** Tracks held sockets: notices when their clients disconnect, and closes them at the end. */
export class HeldSockets {
  readonly #sockets = new Set<Duplex>();

  hold(request: IncomingMessage, socket: Duplex): Held {
    const response = new ServerResponse(request);
    const destroy = () => socket.destroy();
    const forget = () => this.#sockets.delete(socket);
    this.#sockets.add(socket);
    // The server always passes a Socket, although the type is Duplex.
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
    response.once('finish', destroy);
    // Without reading, the end of the connection would never be noticed.
    socket.once('end', destroy).once('close', forget).resume();
    return {
      response,
      release: () => {
        socket.off('end', destroy).off('close', forget);
        response.detachSocket(socket as Parameters<ServerResponse['detachSocket']>[0]);
        forget();
      },
    };
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
