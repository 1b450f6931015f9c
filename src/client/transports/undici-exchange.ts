import type { Dispatcher } from 'undici';
import type { ApiCall, ApiReply } from '../../api/index.ts';
import { type Clock, type Micros, onAbort } from '../../base/index.ts';
import { endsWithConnection, joinHeaders, readAnswerBody } from '../http/answer.ts';
import { ByteStore } from '../http/byte-store.ts';
import { failureOf } from '../http/failures.ts';
import { onDeadline } from '../sockets/deadline.ts';
import type { WatchedSocket } from '../sockets/watched-socket.ts';
import type { ReplyOutcome } from '../transport.ts';
import type { CallListener } from './call-connection.ts';
import type { ConnectionSettings } from './pooled.ts';

/** Whether a tab follows the coding: undici's parser then does not recognize it, and takes chunks with their sizes for the body. */
const hidesCoding = ({ 'transfer-encoding': coding }: Record<string, string | string[] | undefined>): boolean =>
  [coding].flat().some((value) => value !== undefined && /\t[ \t]*$/.test(value));

interface Head {
  readonly at: Micros;
  readonly status: number;
  readonly headers: Record<string, string>;
}

/** The socket was closed between two requests; the second was not written. */
export class SocketGone extends Error {}

/** One request to undici and its outcome; settles once. */
export class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #watched: WatchedSocket;
  readonly #clock: Clock;
  readonly #maxAnswerBytes: number;
  readonly #call: ApiCall;
  readonly #listener: CallListener;
  readonly #body = new ByteStore();
  #callOffDeadline: () => void = () => undefined;
  #forgetSignal: () => void = () => undefined;
  #settled = false;
  #before = { written: 0, read: 0 };
  #sentAt: Micros | undefined;
  #head: Head | undefined;

  constructor(
    watched: WatchedSocket,
    { clock, maxAnswerBytes }: Pick<ConnectionSettings, 'clock' | 'maxAnswerBytes'>,
    call: ApiCall,
    signal: AbortSignal | undefined,
    listener: CallListener,
  ) {
    this.#watched = watched;
    this.#clock = clock;
    this.#maxAnswerBytes = maxAnswerBytes;
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
    if (status < 200) return;
    if (hidesCoding(headers)) this.#fail('protocol');
    else this.#head = { at: this.#clock.now(), status, headers: joinHeaders(headers) };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body.append(chunk, 0, chunk.length);
  }

  onResponseEnd(): void {
    const receivedAt = this.#clock.now();
    const head = this.#head;
    // undici accepts anything that ends the connection as the end of such a body; only the other side's own end is (RFC 9112
    // section 8).
    if (head && endsWithConnection(head) && !this.#watched.remoteEnded) this.#broke();
    else if (head) {
      const { at, ...statusAndHeaders } = head;
      const body = readAnswerBody(head.headers, this.#body.bytes(), this.#maxAnswerBytes);
      if ('failure' in body) this.#fail(body.failure);
      else this.#settle(receivedAt, { kind: 'answer', headersAt: at, ...statusAndHeaders, ...body });
    } else this.#fail('protocol');
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    if (error instanceof SocketGone && this.#sentAt === undefined) this.#finish(undefined);
    else this.#broke(error);
  }

  /** Without an end of the other side, the socket's own error says more than undici's. */
  #broke(error?: Error): void {
    const { remoteEnded, socket } = this.#watched;
    const cause = (remoteEnded ? undefined : socket.errored) ?? error;
    this.#fail(failureOf(cause, { remoteEnded, received: socket.bytesRead - this.#before.read }));
  }

  /** The run or the transport ends: the call is censored and its socket destroyed, so that a late answer cannot reach another call. */
  readonly stop = (): void => this.#censor('stopped');

  #censor(failure: 'deadline' | 'stopped'): void {
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
