import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A socket that asked for an upgrade and still waits for its answer. The HTTP server knows it no more. */
export interface Held {
  /** Writes onto the socket; when it is finished, the socket closes. */
  readonly response: ServerResponse;
  /** Gives the socket out of our hands, as it was. */
  release(): void;
}

/** The sockets in our hands: nobody else would notice that their clients leave, or close them at the end. */
export class HeldSockets {
  readonly #sockets = new Set<Duplex>();

  hold(request: IncomingMessage, socket: Duplex): Held {
    const response = new ServerResponse(request);
    const destroy = () => socket.destroy();
    const forget = () => this.#sockets.delete(socket);
    this.#sockets.add(socket);
    // A socket is always what the server hands out; its type is that of any stream.
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
    response.once('finish', destroy);
    // Without reading, the end of the other side would never be seen.
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
