import { maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { freshUuid, type Micros } from '../../base/index.ts';
import { type JsonAnswer, refusal } from '../replies.ts';
import type { ServiceClock } from './clock.ts';
import { headersOf } from './headers.ts';

/** `_httpMessage` is the response that Node is sending on the socket. Node checks it, too, before it answers malformed input. */
type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Calls `act` once every earlier request of the connection has been answered; never if the connection ends before. Node does not
 * keep this order for upgrade requests and CONNECT: without it, their answer could overtake the earlier ones or wait forever.
 */
export function afterEarlierAnswers(socket: HttpSocket, act: () => void): void {
  const busyWith = socket._httpMessage;
  if (busyWith) busyWith.once('close', () => afterEarlierAnswers(socket, act));
  else if (socket.writable) act();
}

/** Whether the request that is being answered was received completely, so that further bytes do not belong to its body. */
const isAnsweringWhole = ({ _httpMessage }: HttpSocket): boolean => _httpMessage?.req.complete === true;

const waiting = new WeakSet<HttpSocket>();

/** Calls `act` after the current answer, unless that ends the connection. Only once per answer, because malformed input may come in many pieces. */
function afterThisAnswer(socket: HttpSocket, act: () => void): void {
  if (waiting.has(socket)) return;
  waiting.add(socket);
  socket._httpMessage?.once('close', () => {
    waiting.delete(socket);
    if (socket.writable) act();
  });
}

/** What is wrong with input that is valid HTTP as far as it goes, by Node's code of the error. */
const problems: Readonly<Record<string, readonly [status: number, problem: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive whole within the time allowed'],
  HPE_HEADER_OVERFLOW: [431, `the request line and headers must not exceed ${maxHeaderSize} bytes`],
};

/**
 * Answers bytes that are not HTTP with the error envelope, if the socket is still writable, and closes the connection. Complete
 * requests before them are answered first, because otherwise the client would take this answer for theirs.
 */
export function answerGarbage(
  clock: ServiceClock,
  error: Error & { readonly code?: string },
  socket: HttpSocket,
): void {
  if (error.code !== 'ECONNRESET' && isAnsweringWhole(socket))
    return afterThisAnswer(socket, () => answerGarbage(clock, error, socket));
  // In the middle of another answer, this one would be read as part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, problem] = problems[error.code ?? ''] ?? [400, 'the request is not valid HTTP'];
  endWith(socket, { ...refusal('invalid_request', problem, freshUuid()), status }, clock.now());
}

/** Answers CONNECT, after the earlier requests of its connection. */
export function refuseTunnel(clock: ServiceClock, socket: HttpSocket): void {
  // Node stops listening for errors, and one without a listener ends the process.
  socket.on('error', () => socket.destroy());
  afterEarlierAnswers(socket, () => endWith(socket, refusal('not_found', 'no such route', freshUuid()), clock.now()));
}

/** How long a client may take to close its side of a connection, on the machine's clock. */
const LINGER_MS = 2_000;

/** Writes an answer to a raw socket and closes it. */
export function endWith(socket: Duplex, answer: JsonAnswer, now: Micros): void {
  const body = JSON.stringify(answer.body);
  const headers = headersOf(answer, { now, contentLength: Buffer.byteLength(body), close: true });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  // Unread bytes would hide that the client has closed, and closing at once would reset the connection before the client has read
  // the answer (RFC 9112 section 9.6).
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
