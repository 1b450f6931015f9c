import { Client, type Dispatcher } from 'undici';
import type { ApiCall, ApiReply } from '../../api/index.ts';
import { type Clock, type Micros, onAbort } from '../../base/index.ts';
import { joinHeaders, readBody } from '../http/answer.ts';
import { failureOf } from '../http/failures.ts';
import { type HttpRequest, httpRequestOf } from '../http/request.ts';
import { onDeadline } from '../sockets/deadline.ts';
import { type OpenedSocket, usesAbsoluteForm } from '../sockets/opener.ts';
import { WatchedSocket } from '../sockets/watched-socket.ts';
import type { ReplyOutcome, Transport, TransportOptions } from '../transport.ts';
import { type CallConnection, type CallListener, type ConnectionSettings, pooledTransport } from './pooled.ts';

/**
 * The full transport: HTTP/1.1 by undici, one Client of one socket per connection, pipelining 1.
 * Not undici's Pool, whose queue lies after `sentAt`; not its ProxyAgent, which opens sockets only with a request; not its
 * timeouts, which are half a second coarse. `bytes` counts the HTTP message on its connection (start line, headers, body and
 * chunk framing), not TLS, tunnel or TCP.
 * @throws SpillwayError TARGET_ADDRESS_INVALID, CA_INVALID
 */
export async function openUndiciTransport(options: TransportOptions): Promise<Transport> {
  const connector = (settings: ConnectionSettings) => (opened: OpenedSocket) => new UndiciConnection(opened, settings);
  return pooledTransport({ name: 'undici', connector }, options);
}

/** undici would close an idle socket after 4 s; those opened in advance must wait for their first arrival. */
const IDLE_MS = 600_000;

class UndiciConnection implements CallConnection {
  readonly #watched: WatchedSocket;
  readonly #client: Client;
  readonly #settings: ConnectionSettings;
  #running: UndiciExchange | undefined;
  /** Its requests have all been answered: what its parser refuses, none has asked for. */
  #isAnswered = true;

  constructor(opened: OpenedSocket, settings: ConnectionSettings) {
    this.#watched = new WatchedSocket(opened);
    this.#settings = settings;
    let handedOver = false;
    this.#client = new Client(settings.target.origin, {
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
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
      if (this.#isAnswered && isParserRefusal(error)) settings.onUnasked();
    });
  }

  get usable(): boolean {
    return this.#watched.open && this.#running === undefined;
  }

  send(call: ApiCall, signal: AbortSignal | undefined, listener: CallListener): void {
    const request = httpRequestOf(call, this.#settings.target);
    if (!this.usable) return listener.replied(undefined);
    const exchange = new UndiciExchange(this.#watched, this.#settings.clock, call, signal, {
      replied: (reply) => {
        this.#running = undefined;
        this.#isAnswered = reply?.kind === 'answer';
        // Not within undici's own callback: who is told may send again at once, and the client is not ready for that yet.
        queueMicrotask(() => listener.replied(reply));
      },
    });
    this.#running = exchange;
    this.#isAnswered = false;
    this.#client.dispatch(this.#dispatchOptions(request), exchange);
  }

  close(): void {
    this.#running?.stop();
    this.#watched.socket.destroy();
    void this.#client.destroy();
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

/** undici's words for an answer without a request, and for what is no answer at all. */
const isParserRefusal = ({ name, message }: Error): boolean => name === 'HTTPParserError' || message === 'bad response';

/** The socket was closed between two requests; the second was not written. */
class SocketGone extends Error {}

/** One request and what comes of it; settles once. */
class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #watched: WatchedSocket;
  readonly #clock: Clock;
  readonly #call: ApiCall;
  readonly #listener: CallListener;
  readonly #chunks: Buffer[] = [];
  #callOffDeadline: () => void = () => undefined;
  #forgetSignal: () => void = () => undefined;
  #settled = false;
  #before = { written: 0, read: 0 };
  #sentAt: Micros | undefined;
  #head: { readonly at: Micros; readonly status: number; readonly headers: Record<string, string> } | undefined;

  constructor(
    watched: WatchedSocket,
    clock: Clock,
    call: ApiCall,
    signal: AbortSignal | undefined,
    listener: CallListener,
  ) {
    this.#watched = watched;
    this.#clock = clock;
    this.#call = call;
    this.#listener = listener;
    this.#forgetSignal = onAbort(signal, this.stop);
  }

  /** undici calls this in the turn in which it writes the request, after it has made sure that the socket still lives. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) {
      controller.abort(new Error('stopped'));
      return;
    }
    const { socket } = this.#watched;
    this.#call.onSending?.();
    this.#before = { written: socket.bytesWritten, read: socket.bytesRead };
    this.#sentAt = this.#clock.now();
    this.#callOffDeadline = onDeadline(this.#clock, (this.#sentAt + this.#call.deadlineUs) as Micros, () =>
      this.#censor('deadline'),
    );
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // An interim answer (1xx) announces the final one.
    if (status >= 200) this.#head = { at: this.#clock.now(), status, headers: joinHeaders(headers) };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const receivedAt = this.#clock.now();
    const head = this.#head;
    if (head) {
      const { at, ...statusAndHeaders } = head;
      const body = readBody(head.headers['content-type'], Buffer.concat(this.#chunks));
      this.#settle(receivedAt, { kind: 'answer', headersAt: at, ...statusAndHeaders, ...body });
    } else this.#fail('protocol');
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    const { remoteEnded, socket } = this.#watched;
    if (error instanceof SocketGone && this.#sentAt === undefined) this.#finish(undefined);
    else this.#fail(failureOf(error, { remoteEnded, received: socket.bytesRead - this.#before.read }));
  }

  /** The run or the transport ends: the call is censored and its socket destroyed, so that a late answer meets nobody. */
  readonly stop = (): void => this.#censor('stopped');

  #censor(failure: 'deadline' | 'stopped'): void {
    if (this.#settled) return;
    this.#settle(this.#clock.now(), { kind: 'censored', failure });
    this.#watched.socket.destroy();
  }

  #fail(failure: string): void {
    this.#settle(this.#clock.now(), { kind: 'failed', failure });
    this.#watched.socket.destroy();
  }

  #settle(receivedAt: Micros, outcome: ReplyOutcome): void {
    if (this.#settled) return;
    const { socket, number } = this.#watched;
    const started = this.#sentAt !== undefined;
    if (!started) this.#call.onSending?.();
    const bytes = started
      ? { sent: socket.bytesWritten - this.#before.written, received: socket.bytesRead - this.#before.read }
      : { sent: 0, received: 0 };
    const headersAt = this.#head && outcome.kind !== 'answer' ? { headersAt: this.#head.at } : {};
    this.#finish({
      sentAt: this.#sentAt ?? receivedAt,
      receivedAt,
      bytes,
      connection: number,
      ...headersAt,
      ...outcome,
    });
  }

  #finish(reply: ApiReply | undefined): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#callOffDeadline();
    this.#forgetSignal();
    this.#listener.replied(reply);
  }
}
