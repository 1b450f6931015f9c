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
  if (manner?.kind === 'half') return half(response, body);
  if (manner?.kind === 'drip') return drip(response, body, clock, manner.lastingUs);
  await pipeline(Readable.from(padded(body, length)), response);
}

/** Sends half of the bytes that the head has announced, then closes. */
function half(response: ServerResponse, body: Buffer): void {
  const socket: Socket | null = response.socket;
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => socket?.destroySoon());
}

/** Sends the pieces at equal intervals; the last one ends the response. */
function drip(response: ServerResponse, body: Buffer, clock: ServiceClock, lastingUs: Micros): void {
  const pieces = Math.min(body.length, MOST_PIECES);
  const began = clock.now();
  const edge = (piece: number) => Math.floor((body.length * piece) / pieces);
  const sendPiece = (piece: number) =>
    inTime(response, clock, (began + Math.floor((lastingUs * piece) / pieces)) as Micros, () => {
      response.write(body.subarray(edge(piece - 1), edge(piece)));
      if (piece < pieces) sendPiece(piece + 1);
      else response.end();
    });
  response.flushHeaders();
  sendPiece(1);
}

/** The body followed by spaces, generated as the reader consumes them: only one block is in memory. */
function* padded(body: Buffer, length: number): Generator<Buffer> {
  yield body;
  for (let left = length - body.length; left > 0; left -= PADDING.length) {
    yield left < PADDING.length ? PADDING.subarray(0, left) : PADDING;
  }
}
