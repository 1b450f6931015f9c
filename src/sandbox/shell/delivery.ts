import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Micros } from '../../base/index.ts';
import type { JsonAnswer, Silence } from '../replies.ts';
import type { ServiceClock } from './clock.ts';
import { headersOf } from './headers.ts';

/** Maximum of pieces of a body with the manner `drip`. */
const MOST_PIECES = 100;
const PADDING = Buffer.alloc(65_536, ' ');

/** An outcome other than a stream, with what is needed to send it. */
interface Sending {
  readonly outcome: JsonAnswer | Silence;
  /** The instant of the decision. */
  readonly now: Micros;
  readonly clock: ServiceClock;
  /** Whether the connection closes after the answer. */
  readonly close: boolean;
}

/** Sends an outcome as its delivery says: late, in part, slowly, or not at all. */
export function deliver(response: ServerResponse, sending: Sending): void {
  const { outcome, now, clock } = sending;
  inTime(response, clock, (now + (outcome.delivery?.delayUs ?? 0)) as Micros, () => {
    if (outcome.kind === 'json') return void send(response, outcome, sending).catch(() => response.destroy());
    if (outcome.ending === 'reset') response.socket?.resetAndDestroy();
  });
}

/**
 * Calls `act` once the service's clock shows `at` and the earlier requests of the connection are answered, unless the connection
 * has closed by then.
 */
export function inTime(response: ServerResponse, clock: ServiceClock, at: Micros, act: () => void): void {
  let giveUp = () => {};
  const gone = () => giveUp();
  response.once('close', gone);
  giveUp = clock.whenShows(at, () => {
    response.off('close', gone);
    inItsTurn(response, act);
  });
}

/**
 * Node assigns the socket to a response when the response before it has ended; until then it has none and must wait. `setImmediate`,
 * because during the event Node is still assigning the socket: a reset within it would close the connection normally instead.
 */
function inItsTurn(response: ServerResponse, act: () => void): void {
  const { socket } = response;
  if (socket === null) response.once('socket', () => setImmediate(inItsTurn, response, act));
  else if (!socket.destroyed) act();
}

async function send(response: ServerResponse, answer: JsonAnswer, { now, clock, close }: Sending): Promise<void> {
  const body = Buffer.from(JSON.stringify(answer.body));
  const { padToBytes = 0, manner } = answer.delivery ?? {};
  const length = Math.max(body.length, padToBytes);
  response.sendDate = false;
  response.writeHead(answer.status, headersOf(answer, { now, contentLength: length, close }));
  if (manner?.kind === 'half') return half(response, part(body, 0, Math.floor(length / 2)));
  if (manner) response.flushHeaders();
  const bytes = manner ? drip(response, clock, manner.lastingUs, { body, length }) : part(body, 0, length);
  await pipeline(Readable.from(bytes), response);
}

/** Sends half of the bytes that the head has announced, then closes. */
async function half(response: ServerResponse, bytes: Iterable<Buffer>): Promise<void> {
  const socket: Socket | null = response.socket;
  await pipeline(Readable.from(bytes), response, { end: false });
  socket?.destroySoon();
}

/** The bytes in pieces at equal intervals. */
async function* drip(
  response: ServerResponse,
  clock: ServiceClock,
  lastingUs: Micros,
  { body, length }: { readonly body: Buffer; readonly length: number },
): AsyncGenerator<Buffer> {
  const pieces = Math.min(length, MOST_PIECES);
  const began = clock.now();
  const edge = (piece: number) => Math.floor((length * piece) / pieces);
  for (let piece = 1; piece <= pieces; piece++) {
    const at = (began + Math.floor((lastingUs * piece) / pieces)) as Micros;
    await new Promise<void>((resolve) => inTime(response, clock, at, resolve));
    yield* part(body, edge(piece - 1), edge(piece));
  }
}

/** A part of the body followed by spaces, generated as the reader consumes it: only one block is in memory. */
function* part(body: Buffer, from: number, to: number): Generator<Buffer> {
  if (from < Math.min(to, body.length)) yield body.subarray(from, to);
  for (let left = to - Math.max(from, body.length); left > 0; left -= PADDING.length) {
    yield left < PADDING.length ? PADDING.subarray(0, left) : PADDING;
  }
}
