import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import type { ApiCall, ApiReply } from '../../api/index.ts';
import { type Micros, onAbort } from '../../base/index.ts';
import { joinHeaders, readAnswerBody } from '../http/answer.ts';
import { ByteStore } from '../http/byte-store.ts';
import { type failureCodes, failureOf } from '../http/failures.ts';
import { type HttpRequest, isHeaderValue } from '../http/request.ts';
import { onDeadline } from '../sockets/deadline.ts';
import type { OpenedSocket } from '../sockets/opener.ts';
import type { ReplyOutcome } from '../transport.ts';
import type { CallListener } from './call-connection.ts';
import type { ConnectionSettings } from './pooled.ts';

interface Head {
  readonly at: Micros;
  readonly status: number;
  readonly headers: Record<string, string>;
}

const { NGHTTP2_REFUSED_STREAM, NGHTTP2_PROTOCOL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_CANCEL } = constants;

const OF_RESET: Readonly<Record<number, keyof typeof failureCodes>> = {
  [NGHTTP2_REFUSED_STREAM]: 'stream-refused',
  // Also an error of our side: a stream that breaks HTTP/2, for example by a wrong body length, is reset with it.
  [NGHTTP2_PROTOCOL_ERROR]: 'protocol',
};

/** Limit of names and values, as in the other transports; for the head and for the trailers. */
export const MOST_HEADER_BYTES = 16 * 1_024;

/**
 * The limit announced to the service (SETTINGS_MAX_HEADER_LIST_SIZE adds 32 bytes per field, and a field has at least one byte):
 * nothing within our own limit exceeds it. Node itself resets a stream that exceeds the announced limit, which cannot be
 * distinguished from a reset by the service.
 */
export const MOST_HEADER_LIST_SIZE = MOST_HEADER_BYTES * 33;

const sizeOf = (headers: Readonly<Record<string, string>>): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);

/** One request as a stream of a session, and its outcome; settles once. */
export class Http2Exchange {
  readonly #opened: OpenedSocket;
  readonly #settings: ConnectionSettings;
  readonly #listener: CallListener;
  readonly #body = new ByteStore();
  readonly #before: { readonly written: number; readonly read: number };
  readonly #sentAt: Micros;
  #head: Head | undefined;
  #isSettled = false;
  /** Whether the service itself ended the stream; unknown until its end. */
  #isWhole: boolean | undefined;
  #callOffDeadline: () => void = () => undefined;
  #forgetSignal: () => void = () => undefined;

  constructor(opened: OpenedSocket, settings: ConnectionSettings, listener: CallListener) {
    const { bytesWritten: written, bytesRead: read } = opened.socket;
    this.#opened = opened;
    this.#settings = settings;
    this.#listener = listener;
    this.#before = { written, read };
    this.#sentAt = settings.clock.now();
  }

  /** Hands the request over; Node writes its frames at the end of the current turn of the loop. */
  begin(session: ClientHttp2Session, request: HttpRequest, call: ApiCall, signal: AbortSignal | undefined): void {
    const { target, clock } = this.#settings;
    const { method, path, headers, body } = request;
    const length = body === undefined ? {} : { 'content-length': `${body.length}` };
    // Node would write them unchanged, and a server behind this one might read two headers (RFC 9113 section 8.2.1).
    if (!Object.values(headers).every(isHeaderValue)) return this.#refuse(call, 'invalid-request');
    // Node would hold the request back until the service allows more, and `sentAt` would not show that.
    if (session.remoteSettings.maxConcurrentStreams === 0) return this.#refuse(call, 'stream-refused');
    let stream: ClientHttp2Stream;
    try {
      const pseudo = { ':method': method, ':path': path, ':authority': target.hostHeader };
      stream = session.request({ ...pseudo, ...headers, ...length }, { endStream: body === undefined });
    } catch (error) {
      // A session that is ending accepts no stream: the call may go on another connection.
      if (session.closed || session.destroyed) return this.#finish(undefined);
      call.onSending?.();
      return this.#brokeOff(failureOf(error, { remoteEnded: false, received: 0 }));
    }
    call.onSending?.();
    this.#listenTo(stream);
    if (body !== undefined) stream.end(body);
    this.#forgetSignal = onAbort(signal, this.stop);
    // The listener of `onSending` may have stopped the call.
    if (signal?.aborted) return this.stop();
    const until = (this.#sentAt + call.deadlineUs) as Micros;
    this.#callOffDeadline = onDeadline(clock, until, () => this.#censor('deadline'));
  }

  /** Nothing was written, so the connection remains usable. */
  #refuse(call: ApiCall, failure: 'invalid-request' | 'stream-refused'): void {
    call.onSending?.();
    this.#settle(this.#sentAt, { kind: 'failed', failure });
  }

  /** The run or the transport ends: the call is censored and its socket destroyed, so that a late answer cannot reach another call. */
  readonly stop = (): void => this.#censor('stopped');

  #listenTo(stream: ClientHttp2Stream): void {
    // Node ends a stream that was reset with NO_ERROR like a complete one. The order of events is the only difference: it closes
    // the former before its end and the latter after it.
    const push = stream.push.bind(stream);
    stream.push = (chunk, encoding) => {
      if (chunk === null) this.#isWhole ??= !stream.closed;
      return push(chunk, encoding);
    };
    // Interim answers have their own event.
    stream.on('response', (headers) => this.#takeHead(headers));
    stream.on('trailers', (fields) => this.#measure(joinHeaders(fields)));
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.on('end', () => this.#ended(stream));
    stream.on('error', (error: NodeJS.ErrnoException) => this.#brokeOff(this.#failureOf(stream, error)));
    stream.on('close', () => this.#brokeOff(this.#failureOf(stream)));
  }

  #takeHead({ ':status': status = 0, ...fields }: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
    const headers = joinHeaders(fields);
    this.#head = { at: this.#settings.clock.now(), status, headers };
    // nghttp2 accepts any three digits; below 100 there is no status (RFC 9110 section 15).
    if (status < 100) this.#giveUp('protocol');
    else this.#measure(headers);
  }

  #measure(headers: Readonly<Record<string, string>>): void {
    if (sizeOf(headers) > MOST_HEADER_BYTES) this.#giveUp('headers-too-large');
  }

  #take(chunk: Buffer): void {
    this.#body.append(chunk, 0, chunk.length);
    if (this.#body.length > this.#settings.maxAnswerBytes) this.#giveUp('answer-too-large');
  }

  #ended(stream: ClientHttp2Stream): void {
    const receivedAt = this.#settings.clock.now();
    const head = this.#head;
    // Node also ends streams that break off; their close event says why.
    if (head === undefined || !this.#isWhole) return;
    // Answered before the service accepted the whole request: the unaccepted rest would block the next one.
    if (!stream.closed && stream.state.localClose === 0) stream.close(NGHTTP2_CANCEL);
    const { at, ...statusAndHeaders } = head;
    const body = readAnswerBody(head.headers, this.#body.bytes(), this.#settings.maxAnswerBytes);
    if ('failure' in body) this.#giveUp(body.failure);
    else this.#settle(receivedAt, { kind: 'answer', headersAt: at, ...statusAndHeaders, ...body });
  }

  #failureOf({ rstCode = NGHTTP2_NO_ERROR }: ClientHttp2Stream, error?: NodeJS.ErrnoException): string {
    const isReset = error === undefined ? !this.#opened.socket.destroyed : error.code === 'ERR_HTTP2_STREAM_ERROR';
    if (isReset) return OF_RESET[rstCode] ?? 'stream-reset';
    return failureOf(error, { remoteEnded: true, received: this.#head === undefined ? 0 : 1 });
  }

  #censor(failure: 'deadline' | 'stopped'): void {
    if (this.#isSettled) return;
    this.#settle(this.#settings.clock.now(), { kind: 'censored', failure });
    this.#opened.socket.destroy();
  }

  /** The stream is over; the session decides about the rest of the connection. */
  #brokeOff(failure: string): void {
    if (!this.#isSettled) this.#settle(this.#settings.clock.now(), { kind: 'failed', failure });
  }

  /** Ignores everything that still arrives. */
  #giveUp(failure: 'protocol' | 'headers-too-large' | 'answer-too-large'): void {
    this.#brokeOff(failure);
    this.#opened.socket.destroy();
  }

  #settle(receivedAt: Micros, outcome: ReplyOutcome): void {
    const { socket, number } = this.#opened;
    const { written, read } = this.#before;
    this.#finish({
      sentAt: this.#sentAt,
      receivedAt,
      bytes: { sent: socket.bytesWritten - written, received: socket.bytesRead - read },
      connection: number,
      ...(this.#head !== undefined && outcome.kind !== 'answer' && { headersAt: this.#head.at }),
      ...outcome,
    });
  }

  #finish(reply: ApiReply | undefined): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#callOffDeadline();
    this.#forgetSignal();
    this.#listener.replied(reply);
  }
}
