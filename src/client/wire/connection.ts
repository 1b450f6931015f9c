import type { ApiCall, ApiReply } from '../../api/index.ts';
import type { Clock, Micros } from '../../base/index.ts';
import { readAnswerBody, readBody, viewOf } from '../http/answer.ts';
import type { BodyRead } from '../http/body-read.ts';
import { failureOf } from '../http/failures.ts';
import { idleUntil, saysIdleTimeout } from '../http/keep-alive.ts';
import type { OpenedSocket } from '../sockets/opener.ts';
import { WatchedSocket } from '../sockets/watched-socket.ts';
import type { ReplyOutcome } from '../transport.ts';
import type { CallConnection, CallListener } from '../transports/call-connection.ts';
import type { AnswerMemories, AnswerMemory } from './answer-memories.ts';
import { AnswerParser, type Progress } from './answer-parser.ts';
import type { AnswerHead } from './head.ts';
import type { RequestWriter } from './request-text.ts';
import type { Waiting, Watch } from './watch.ts';

/** What the connections of one transport share. */
export interface WireSettings {
  readonly clock: Clock;
  readonly maxAnswerBytes: number;
  readonly onUnasked: (connection: number) => void;
  readonly requests: RequestWriter;
  readonly watch: Watch;
  readonly memories: AnswerMemories;
}

/**
 * One socket that carries one request at a time. No layer lies between the stamp and the socket: `sentAt` is taken in the turn in
 * which the bytes are handed over. Whatever arrives while no answer is awaited makes the connection unusable.
 */
export class WireConnection implements CallConnection, Waiting {
  waitsUntil: Micros | undefined;
  stopsWith: AbortSignal | undefined;
  /** Until when the other side keeps the idle connection, if it says so. */
  idleUntil: Micros | undefined;
  readonly #settings: WireSettings;
  readonly #watched: WatchedSocket;
  readonly #parser: AnswerParser;
  #memory: AnswerMemory | undefined;
  /** The listener of the call in flight. */
  #listener: CallListener | undefined;
  #error: Error | undefined;
  #isSpoilt = false;
  #sentAt = 0 as Micros;
  #headersAt: Micros | undefined;
  #sent = 0;
  #received = 0;

  constructor(opened: OpenedSocket, settings: WireSettings) {
    this.#settings = settings;
    this.#watched = new WatchedSocket(opened);
    this.#parser = new AnswerParser(settings.maxAnswerBytes);
    const { socket } = opened;
    socket.on('error', (error) => {
      this.#error = error;
    });
    socket.once('end', () => this.#ended());
    socket.once('close', () => this.#closed());
    opened.onBytes((bytes, length) => this.#read(bytes, length));
    settings.watch.add(this);
  }

  get usable(): boolean {
    return this.#listener === undefined && !this.#isSpoilt && this.#watched.open;
  }

  send(call: ApiCall, signal: AbortSignal | undefined, listener: CallListener): void {
    const { clock, requests, watch, memories } = this.#settings;
    const text = requests.write(call);
    if (!this.usable || !this.#watched.isWritten) return listener.replied(undefined);
    this.#listener = listener;
    this.#headersAt = undefined;
    this.#received = 0;
    this.#sent = text?.length ?? 0;
    this.#memory = memories.of(call.operation);
    this.#parser.begin(this.#memory.heads);
    call.onSending?.();
    this.#sentAt = clock.now();
    if (text === undefined) return this.#settle(this.#sentAt, { kind: 'failed', failure: 'invalid-request' });
    this.#watched.socket.write(text, 'latin1');
    const until = (this.#sentAt + call.deadlineUs) as Micros;
    this.waitsUntil = until;
    this.stopsWith = signal;
    watch.began(until, signal);
    // The listener of `onSending` may have stopped the call.
    if (signal?.aborted) this.stop();
  }

  expire(): void {
    this.#end({ kind: 'censored', failure: 'deadline' });
  }

  stop(): void {
    this.#end({ kind: 'censored', failure: 'stopped' });
  }

  close(): void {
    this.stop();
    this.#spoil();
  }

  /** @param bytes the socket's buffer, reused for the next read */
  #read(bytes: Buffer, length: number): void {
    if (this.#listener === undefined)
      return saysIdleTimeout(bytes.subarray(0, length)) ? this.#spoil() : this.#refuseUnasked();
    const at = this.#settings.clock.now();
    const parser = this.#parser;
    this.#received += length;
    const progress = parser.read(bytes, length);
    if (parser.head !== undefined) this.#headersAt ??= at;
    if (progress === 'done') this.#answered(at, length);
    else if (progress !== 'more') this.#refuse(progress);
  }

  #answered(at: Micros, length: number): void {
    const { head, taken } = this.#parser;
    if (head === undefined) return this.#refuse('protocol');
    const { status, headers, idleSeconds } = head;
    const body = head.isCoded
      ? this.#readCoded(headers)
      : readBody(head.contentType, this.#parser.body(), this.#memory?.bodies);
    if (body === undefined) return this.#refuse('answer-too-large');
    // More than the answer: unrequested, and indistinguishable from the next answer.
    this.#received -= length - taken;
    if (taken < length) this.#refuseUnasked();
    else if (!head.isKeptAlive) this.#spoil();
    if (idleSeconds !== undefined) this.idleUntil = idleUntil(at, idleSeconds);
    this.#finish({
      kind: 'answer',
      sentAt: this.#sentAt,
      headersAt: this.#headersAt ?? at,
      receivedAt: at,
      bytes: { sent: this.#sent, received: this.#received },
      connection: this.#watched.number,
      status,
      headers,
      body: body.body,
      bodyForm: body.bodyForm,
      bodyProblem: body.bodyProblem,
    });
  }

  /** `undefined`: it decodes to more than an answer may have. */
  #readCoded(headers: AnswerHead['headers']): BodyRead | undefined {
    const read = readAnswerBody(headers, viewOf(this.#parser.body()), this.#settings.maxAnswerBytes);
    return 'failure' in read ? undefined : read;
  }

  #refuse(failure: Exclude<Progress, 'more' | 'done'>): void {
    this.#end({ kind: 'failed', failure });
  }

  /** The other side has ended its half: that completes an answer without a length, but no other. After a reset comes its error. */
  #ended(): void {
    if (!this.#watched.remoteEnded) return;
    if (this.#listener !== undefined && this.#parser.end())
      this.#answered(this.#settings.clock.now(), this.#parser.taken);
    else this.#closed();
  }

  #closed(): void {
    this.#settings.watch.remove(this);
    const context = { remoteEnded: this.#watched.remoteEnded, received: this.#received };
    this.#end({ kind: 'failed', failure: failureOf(this.#error, context) });
  }

  /** Ends the call in flight without an answer, and destroys the socket, so that a late answer cannot reach another call. */
  #end(outcome: Exclude<ReplyOutcome, { kind: 'answer' }>): void {
    if (this.#listener === undefined) return;
    this.#spoil();
    this.#settle(this.#settings.clock.now(), outcome);
  }

  #refuseUnasked(): void {
    if (!this.#isSpoilt) this.#settings.onUnasked(this.#watched.number);
    this.#spoil();
  }

  #spoil(): void {
    this.#isSpoilt = true;
    this.#watched.socket.destroy();
  }

  #settle(receivedAt: Micros, outcome: Exclude<ReplyOutcome, { kind: 'answer' }>): void {
    this.#finish({
      sentAt: this.#sentAt,
      ...(this.#headersAt === undefined ? {} : { headersAt: this.#headersAt }),
      receivedAt,
      bytes: { sent: this.#sent, received: this.#received },
      connection: this.#watched.number,
      ...outcome,
    });
  }

  /** Called last: the listener may send the next request on this connection at once. */
  #finish(reply: ApiReply): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.waitsUntil = undefined;
    this.stopsWith = undefined;
    listener?.replied(reply);
  }
}
