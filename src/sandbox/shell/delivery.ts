import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Micros } from '../../base/index.ts';
import type { JsonAnswer, Silence } from '../replies.ts';
import type { ServiceClock } from './clock.ts';
import { headersOf } from './headers.ts';

/** A dripping body goes in at most so many pieces. */
const MOST_PIECES = 100;
const PADDING = Buffer.alloc(65_536, ' ');

/** An outcome without a stream, and what its sending needs. */
export interface Sending {
  readonly outcome: JsonAnswer | Silence;
  /** The instant of the decision. */
  readonly now: Micros;
  readonly clock: ServiceClock;
  /** Whether the connection ends with the answer. */
  readonly close: boolean;
}

/** Sends an outcome the way its delivery says: late, in part, slowly, or not at all. */
export function deliver(response: ServerResponse, sending: Sending): void {
  const { outcome, now, clock } = sending;
  inTime(response, clock, (now + (outcome.delivery?.delayUs ?? 0)) as Micros, () => {
    if (outcome.kind === 'json') return void send(response, outcome, sending).catch(() => response.destroy());
    if (outcome.ending === 'reset') response.socket?.resetAndDestroy();
  });
}

/**
 * Acts once the service's clock shows `at` and the earlier requests of the connection are answered, unless the client has gone by
 * then.
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
 * An answer has its socket from when the one before it has ended: without one, and not closed, it waits its turn. A turn of the
 * loop more, because in that event Node is still handing the socket over: a reset within it ends the connection in good order.
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
  response.writeHead(answer.status, headersOf(answer, now, length, close));
  if (manner?.kind === 'half') return half(response, body);
  if (manner?.kind === 'drip') return drip(response, body, clock, manner.lastingUs);
  await pipeline(Readable.from(padded(body, length)), response);
}

/** Lets the bytes leave, then closes; the head has promised more. */
function half(response: ServerResponse, body: Buffer): void {
  const socket: Socket | null = response.socket;
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => socket?.destroySoon());
}

/** The pieces are spread evenly; the last one ends it. */
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

/** Spaces as the reader takes them: however large the answer, only a block of it is held here. */
function* padded(body: Buffer, length: number): Generator<Buffer> {
  yield body;
  for (let left = length - body.length; left > 0; left -= PADDING.length) {
    yield left < PADDING.length ? PADDING.subarray(0, left) : PADDING;
  }
}
