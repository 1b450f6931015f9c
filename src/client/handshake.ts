import type { IncomingMessage } from 'node:http';
import { type ClientOptions, WebSocket } from 'ws';
import type { ApiCall, ApiReply } from '../api/index.ts';
import type { Clock, Micros } from '../base/index.ts';
import { endsWithConnection, joinHeaders, readAnswerBody } from './http/answer.ts';
import { ByteStore } from './http/byte-store.ts';
import { failureOf } from './http/failures.ts';
import { httpRequestOf } from './http/request.ts';
import type { Target } from './http/target.ts';
import { onDeadline } from './sockets/deadline.ts';
import type { WatchedSocket } from './sockets/watched-socket.ts';
import { MAX_FRAME_BYTES, type StreamProfile } from './stream-frames.ts';
import type { ReplyOutcome } from './transport.ts';

export interface HandshakeSettings {
  readonly clock: Clock;
  readonly target: Target;
  /** Headers beside those of the handshake itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxAnswerBytes: number;
  readonly stream: StreamProfile;
}

export interface HandshakeOptions {
  /** Ends the wait earlier than the call's own deadline. */
  readonly deadlineAt?: Micros;
  readonly signal: AbortSignal;
  /** Called in the turn in which the handshake succeeds, before any frame is read. */
  readonly onOpen: (socket: WebSocket) => void;
}

/** How long ws waits for the other side's half of the closing handshake. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * The opening handshake (RFC 6455 section 4) as an exchange. It succeeds with status 101; any other final status is an
 * answer like that of another operation. Never rejects for what the service does.
 */
export function shakeHands(
  watched: WatchedSocket,
  settings: HandshakeSettings,
  call: ApiCall,
  options: HandshakeOptions,
): Promise<ApiReply> {
  const { path, headers } = httpRequestOf(call, settings.target, {
    pathTemplate: settings.stream.path,
    headers: settings.headers,
  });
  call.onSending?.();
  return new Promise((resolve) => new Handshake(watched, settings, call, options, resolve).start(path, headers));
}

class Handshake {
  readonly #watched: WatchedSocket;
  readonly #settings: HandshakeSettings;
  readonly #options: HandshakeOptions;
  readonly #resolve: (reply: ApiReply) => void;
  readonly #deadlineUs: Micros;
  #webSocket: WebSocket | undefined;
  #sentAt = 0 as Micros;
  #headersAt: Micros | undefined;
  /** Bytes of frames that were read together with the 101. */
  #frameBytes = 0;
  #settled = false;
  #callOffDeadline: () => void = () => undefined;

  constructor(
    watched: WatchedSocket,
    settings: HandshakeSettings,
    call: ApiCall,
    options: HandshakeOptions,
    resolve: (reply: ApiReply) => void,
  ) {
    this.#watched = watched;
    this.#settings = settings;
    this.#options = options;
    this.#resolve = resolve;
    this.#deadlineUs = call.deadlineUs;
  }

  start(path: string, headers: Readonly<Record<string, string>>): void {
    const { clock, target } = this.#settings;
    const { signal, deadlineAt } = this.#options;
    signal.addEventListener('abort', this.#stop, { once: true });
    this.#sentAt = clock.now();
    const expiry = Math.min(this.#sentAt + this.#deadlineUs, deadlineAt ?? Number.POSITIVE_INFINITY) as Micros;
    this.#callOffDeadline = onDeadline(clock, expiry, () => this.#end({ kind: 'censored', failure: 'deadline' }));
    try {
      if (signal.aborted) this.#stop();
      else this.#webSocket = this.#begin(`${target.origin.replace(/^http/, 'ws')}${path}`, headers);
    } catch (error) {
      this.#fail(error);
    }
  }

  #begin(address: string, headers: Readonly<Record<string, string>>): WebSocket {
    const options: ClientOptions & { headers: Record<string, string>; closeTimeout: number } = {
      headers: { ...headers },
      createConnection: () => this.#watched.socket,
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      closeTimeout: CLOSE_TIMEOUT_MS,
      finishRequest: (request) => {
        // An unlimited number: their size is bounded, and none may be missed.
        request.maxHeadersCount = 0;
        // Before the listener of ws, which opens the stream.
        request.prependOnceListener('upgrade', (_, __, head: Buffer) => {
          this.#frameBytes = head.length;
        });
        request.end();
      },
    };
    const webSocket = new WebSocket(address, options);
    let upgraded: Record<string, string> = {};
    webSocket.once('upgrade', (response) => {
      this.#headersAt = this.#settings.clock.now();
      upgraded = joinHeaders(response.headersDistinct);
    });
    webSocket.once('open', () => this.#opened(webSocket, upgraded));
    webSocket.once('unexpected-response', (_, response) => this.#refused(response));
    webSocket.on('error', (error) => this.#fail(error));
    return webSocket;
  }

  #opened(webSocket: WebSocket, headers: Record<string, string>): void {
    const at = this.#headersAt;
    if (this.#settled || at === undefined) {
      webSocket.terminate();
      return;
    }
    this.#settle(at, { kind: 'answer', headersAt: at, status: 101, headers });
    this.#options.onOpen(webSocket);
  }

  #refused(response: IncomingMessage): void {
    const { clock, maxAnswerBytes } = this.#settings;
    const headersAt = clock.now();
    this.#headersAt = headersAt;
    const received = new ByteStore();
    response.on('data', (chunk: Buffer) => {
      received.append(chunk, 0, chunk.length);
      if (received.length > maxAnswerBytes) this.#end({ kind: 'failed', failure: 'answer-too-large' });
    });
    response.once('end', () => {
      const receivedAt = clock.now();
      const { statusCode = 0 } = response;
      // Node accepts any three-digit status; below 100 there is none (RFC 9110 section 15).
      if (statusCode < 100) return this.#end({ kind: 'failed', failure: 'protocol' });
      const headers = joinHeaders(response.headersDistinct);
      // node:http takes a reset for the end of such a body.
      const { remoteEnded, socket } = this.#watched;
      if (!remoteEnded && socket.errored && endsWithConnection({ status: statusCode, headers }))
        return this.#fail(socket.errored);
      const body = readAnswerBody(headers, received.bytes(), maxAnswerBytes);
      if ('failure' in body) return this.#end({ kind: 'failed', ...body });
      this.#end({ kind: 'answer', headersAt, status: statusCode, headers, ...body }, receivedAt);
    });
    response.once('error', (error) => this.#fail(error));
  }

  readonly #stop = (): void => this.#end({ kind: 'censored', failure: 'stopped' });

  #fail(error: unknown): void {
    if (this.#settled) return;
    const { remoteEnded } = this.#watched;
    const code = (error as NodeJS.ErrnoException).code;
    // node:http reports a plain close as a reset ("socket hang up"); the socket's own events distinguish the two.
    const hungUp = code === 'ECONNRESET' && remoteEnded;
    const failure = failureOf(hungUp ? undefined : error, { remoteEnded, received: this.#watched.socket.bytesRead });
    // ws has no error code for a 101 that is not a valid handshake.
    this.#end({ kind: 'failed', failure: code === undefined && this.#headersAt !== undefined ? 'protocol' : failure });
  }

  /** Settles without a stream and destroys the socket. */
  #end(outcome: ReplyOutcome, receivedAt = this.#settings.clock.now()): void {
    if (this.#settled) return;
    this.#settle(receivedAt, outcome);
    this.#webSocket?.terminate();
    this.#watched.socket.destroy();
  }

  #settle(receivedAt: Micros, outcome: ReplyOutcome): void {
    const { socket, number } = this.#watched;
    this.#settled = true;
    this.#callOffDeadline();
    this.#options.signal.removeEventListener('abort', this.#stop);
    const headersAt = this.#headersAt === undefined ? {} : { headersAt: this.#headersAt };
    const bytes = { sent: socket.bytesWritten, received: socket.bytesRead - this.#frameBytes };
    this.#resolve({ sentAt: this.#sentAt, receivedAt, bytes, connection: number, ...headersAt, ...outcome });
  }
}
