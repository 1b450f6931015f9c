import { Client, type Dispatcher } from 'undici';
import type { ApiCall } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import { idleSecondsOf, idleUntil, saysIdleTimeout } from '../http/keep-alive.ts';
import { type HttpRequest, httpRequestOf } from '../http/request.ts';
import { type OpenedSocket, usesAbsoluteForm } from '../sockets/opener.ts';
import { WatchedSocket } from '../sockets/watched-socket.ts';
import type { Transport, TransportOptions } from '../transport.ts';
import type { CallConnection, CallListener } from './call-connection.ts';
import { type ConnectionSettings, PooledTransport } from './pooled.ts';
import { SocketGone, UndiciExchange } from './undici-exchange.ts';

/**
 * The full transport: HTTP/1.1 by undici, one Client of one socket per connection, pipelining 1.
 * Not undici's Pool, whose queue lies after `sentAt`; not its ProxyAgent, which opens sockets only with a request; not its
 * timeouts, which are half a second coarse. `bytes` counts the HTTP message on its connection (start line, headers, body and
 * chunk framing), not TLS, tunnel or TCP.
 * @throws SpillwayError TARGET_ADDRESS_INVALID, CA_INVALID
 */
export async function openUndiciTransport(options: TransportOptions): Promise<Transport> {
  const connector = (settings: ConnectionSettings) => (opened: OpenedSocket) => new UndiciConnection(opened, settings);
  return new PooledTransport({ name: 'undici', connector }, options);
}

/** undici would close an idle socket after 4 s; those opened in advance must wait for their first arrival. */
const IDLE_MS = 600_000;

class UndiciConnection implements CallConnection {
  /** Until when the other side keeps the idle connection, if it says so. */
  idleUntil: Micros | undefined;
  readonly #watched: WatchedSocket;
  readonly #client: Client;
  readonly #settings: ConnectionSettings;
  #running: UndiciExchange | undefined;
  /** Whether all its requests have been answered: what its parser then rejects is unrequested. */
  #isAnswered = true;
  #isUsed = false;

  constructor(opened: OpenedSocket, settings: ConnectionSettings) {
    this.#watched = new WatchedSocket(opened);
    this.#settings = settings;
    let handedOver = false;
    this.#client = new Client(settings.target.origin, {
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // The pool keeps the margin; undici's own, two seconds, would end connections that are kept no longer after one answer.
      keepAliveTimeoutThreshold: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: settings.maxAnswerBytes,
      connect: (_, callback) => {
        const first = !handedOver;
        handedOver = true;
        // Not in this turn: the client does not resume from within its own call.
        queueMicrotask(() => (first ? callback(null, opened.socket) : callback(new SocketGone(), null)));
      },
    });
    this.#client.on('disconnect', (_origin, _targets, error) => {
      if (this.#isAnswered && isParserRefusal(error)) settings.onUnasked(opened.number);
    });
  }

  get usable(): boolean {
    return this.#watched.open && this.#running === undefined;
  }

  send(call: ApiCall, signal: AbortSignal | undefined, listener: CallListener): void {
    const request = httpRequestOf(call, this.#settings.target, { headers: this.#settings.headers });
    if (!this.usable || !this.#watched.isWritten) return listener.replied(undefined);
    const exchange = new UndiciExchange(this.#watched, this.#settings, call, signal, {
      replied: (reply) => {
        this.#running = undefined;
        this.#isAnswered = reply?.kind === 'answer';
        if (reply?.kind === 'answer') this.#keptFor(reply.headers['keep-alive'], reply.receivedAt);
        // Not within undici's own callback: the listener may send again at once, and the client is not ready for that yet.
        queueMicrotask(() => listener.replied(reply));
      },
    });
    this.#running = exchange;
    this.#isUsed = true;
    this.#isAnswered = false;
    this.#client.dispatch(this.#dispatchOptions(request), exchange);
  }

  close(): void {
    // undici's parser does not see bytes that come before the first request.
    const early: Buffer | null = this.#isUsed ? null : this.#watched.socket.read();
    if (early !== null && !saysIdleTimeout(early)) this.#settings.onUnasked(this.#watched.number);
    this.#running?.stop();
    this.#watched.socket.destroy();
    void this.#client.destroy();
  }

  #keptFor(keepAlive: string | undefined, at: Micros): void {
    const seconds = idleSecondsOf(keepAlive);
    if (seconds !== undefined) this.idleUntil = idleUntil(at, seconds);
  }

  #dispatchOptions({ method, path, headers, body }: HttpRequest): Dispatcher.DispatchOptions {
    const { target } = this.#settings;
    const common = { method, ...(body === undefined ? {} : { body }) };
    if (!usesAbsoluteForm(target)) return { ...common, path, headers: { ...headers } };
    const authorization = target.proxy?.authorization;
    const forProxy = {
      host: target.hostHeader,
      ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
    };
    return { ...common, path: `${target.origin}${path}`, headers: { ...headers, ...forProxy } };
  }
}

/** undici's error for an answer without a request, and for bytes that are no answer at all. */
const isParserRefusal = ({ name, message }: Error): boolean => name === 'HTTPParserError' || message === 'bad response';
