import { type ClientHttp2Session, connect } from 'node:http2';
import type { ApiCall } from '../../api/index.ts';
import { httpRequestOf } from '../http/request.ts';
import type { OpenedSocket } from '../sockets/opener.ts';
import type { Transport, TransportOptions } from '../transport.ts';
import type { CallConnection, CallListener } from './call-connection.ts';
import { Http2Exchange, MOST_HEADER_BYTES, MOST_HEADER_LIST_SIZE } from './http2-exchange.ts';
import { type ConnectionSettings, PooledTransport } from './pooled.ts';

/**
 * HTTP/2 (RFC 9113) by Node's own library; over TLS by ALPN, else with prior knowledge. One request at a time on each connection, as on
 * the other transports: nothing queues after `sentAt` for the number of streams that the service allows, and an answer is never held back by another's.
 * (A body waits for a service that opens no window for it.) `bytes` counts all frames on the connection from one request's begin to its end.
 * Of a service that breaks the framing itself Node says nothing, so that such a call ends with its deadline; and at some of what breaks
 * it Node's library ends the process (nghttp2 pull request 2509), of which nobody can be told from here.
 * Not undici, which speaks it too: it gives up a request that is answered after the service has said that it is going away.
 * @throws SpillwayError TARGET_ADDRESS_INVALID, CA_INVALID
 */
export async function openHttp2Transport(options: TransportOptions): Promise<Transport> {
  const connector = (settings: ConnectionSettings) => (opened: OpenedSocket) => new Http2Connection(opened, settings);
  return new PooledTransport({ name: 'http2', protocol: 'h2', connector }, options);
}

/** Flow-control window of an answer: the default of 64 KiB would cost large answers a round trip each. */
const WINDOW_BYTES = 1_024 * 1_024;

class Http2Connection implements CallConnection {
  readonly #opened: OpenedSocket;
  readonly #settings: ConnectionSettings;
  readonly #session: ClientHttp2Session;
  #running: Http2Exchange | undefined;

  constructor(opened: OpenedSocket, settings: ConnectionSettings) {
    this.#opened = opened;
    this.#settings = settings;
    this.#session = connect(settings.target.origin, {
      createConnection: () => opened.socket,
      maxHeaderListPairs: MOST_HEADER_BYTES,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES, maxHeaderListSize: MOST_HEADER_LIST_SIZE },
    });
    // The stream reports its end itself; without a listener the error would end the process.
    this.#session.on('error', () => undefined);
    this.#session.once('connect', (session) => session.destroyed || session.setLocalWindowSize(WINDOW_BYTES));
  }

  get usable(): boolean {
    const { closed, destroyed } = this.#session;
    return this.#running === undefined && !closed && !destroyed && !this.#opened.socket.destroyed;
  }

  send(call: ApiCall, signal: AbortSignal | undefined, listener: CallListener): void {
    const { target, headers } = this.#settings;
    const request = httpRequestOf(call, target, { headers });
    if (!this.usable) return listener.replied(undefined);
    const exchange = new Http2Exchange(this.#opened, this.#settings, {
      replied: (reply) => {
        this.#running = undefined;
        // Not within Node's own callback: the listener may send again at once.
        queueMicrotask(() => listener.replied(reply));
      },
    });
    this.#running = exchange;
    exchange.begin(this.#session, request, call, signal);
  }

  close(): void {
    const { socket } = this.#opened;
    this.#running?.stop();
    // Bytes that came together with a proxy's consent reach the session one tick later; Node throws if it is closed by then.
    socket.read();
    this.#session.destroy();
    socket.destroy();
  }
}
