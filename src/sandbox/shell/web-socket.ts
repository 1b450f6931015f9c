import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { freshUuid, type Micros } from '../../base/index.ts';
import { type Outcome, refusal, type StreamAnswer } from '../replies.ts';
import { deliver, inTime } from './delivery.ts';
import { httpDate } from './headers.ts';
import { HeldSockets } from './hold.ts';
import type { Shell } from './http.ts';
import { afterEarlierAnswers, endWith } from './http-socket.ts';
import { serveAsOrdinary } from './ordinary.ts';
import { addressOf, asksForStream, isListOfProtocols, protocolProblem, routeOfRequest } from './protocol.ts';

/** Messages of clients are ignored; longer ones close the stream. */
const MAX_CLIENT_MESSAGE_BYTES = 1_024;

/**
 * Serves the turns' streams. The core decides on a handshake like on any request; a refusal is an HTTP answer with the error
 * envelope.
 * @returns closes every stream (code 1001, going away)
 */
export function serveStreams(server: Server, shell: Shell): () => void {
  const streams = openStreams(shell);
  const held = new HeldSockets();
  const respond = (handshake: Handshake, outcome: Outcome, now: Micros) => {
    const { request, socket } = handshake;
    const { clock } = shell;
    if (outcome.delivery === undefined) {
      if (outcome.kind === 'json') return endWith(socket, outcome, now);
      if (outcome.kind === 'stream') return streams.accept(handshake, outcome, now);
    }
    const { response, release } = held.hold(request, socket);
    if (outcome.kind !== 'stream') return deliver(response, { outcome, now, clock, close: true });
    inTime(response, clock, (now + (outcome.delivery?.delayUs ?? 0)) as Micros, () => {
      release();
      streams.accept(handshake, outcome, now);
    });
  };
  const serveStream = (handshake: Handshake) => {
    const now = shell.clock.now();
    shell.commits.after(decide(shell, handshake.request, now), (outcome) => respond(handshake, outcome, now));
  };
  // The server always passes a Socket, although the type is Duplex: see `upgrades` in http.ts.
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const destroy = () => socket.destroy();
    socket.on('error', destroy);
    afterEarlierAnswers(socket, () => {
      if (asksForStream(request)) return serveStream({ request, socket, head });
      socket.off('error', destroy);
      serveAsOrdinary(server, request, socket, head);
    });
  });
  return () => {
    held.destroy();
    streams.close();
  };
}

/** Upgrades sockets to streams. */
function openStreams(shell: Shell) {
  // Bounds for clients that never read: a turn has only a few dozen events; maxPendingAutoPongs limits queued pongs, and
  // closeTimeout the wait for the answer to a close frame. The type declarations lack both options.
  const bounds = { maxPendingAutoPongs: 60, closeTimeout: shell.config.requestTimeout };
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_CLIENT_MESSAGE_BYTES,
    ...bounds,
  });
  const headersOf = new WeakMap<IncomingMessage, readonly string[]>();
  webSockets.on('headers', (lines, request) => lines.push(...(headersOf.get(request) ?? [])));
  return {
    accept({ request, socket, head }: Handshake, answer: StreamAnswer, now: Micros) {
      const date = httpDate(now + (answer.delivery?.dateOffsetUs ?? 0));
      headersOf.set(
        request,
        Object.entries({ date, ...answer.headers }).map(([name, value]) => `${name}: ${value}`),
      );
      webSockets.handleUpgrade(request, socket, head, (webSocket) => tell(webSocket, answer, shell));
    },
    close() {
      for (const webSocket of webSockets.clients) webSocket.close(1001);
      for (const webSocket of webSockets.clients) webSocket.terminate();
    },
  };
}

interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

function decide({ core }: Shell, request: IncomingMessage, now: Micros): Outcome {
  const problem = protocolProblem(request);
  if (problem !== undefined) return { ...refusal('invalid_request', problem, freshUuid()), status: 400 };
  return core.answer(handshakeOf(request), now);
}

/** The handshake as the core sees it. */
function handshakeOf(request: IncomingMessage) {
  const {
    authorization,
    'sec-websocket-key': key,
    'sec-websocket-version': version,
    'sec-websocket-protocol': protocols,
  } = request.headers;
  const route = routeOfRequest(request);
  return {
    ...(route && { route }),
    query: Object.fromEntries(addressOf(request)?.searchParams ?? []),
    ...(authorization !== undefined && { authorization }),
    body: { kind: 'absent' } as const,
    ...(request.socket.remoteAddress !== undefined && { address: request.socket.remoteAddress }),
    webSocket: version === '13' && /^[+/0-9A-Za-z]{22}==$/.test(key ?? '') && isListOfProtocols(protocols),
  };
}

/** Sends each event at its instant and closes the stream after the last. */
function tell(webSocket: WebSocket, { events, delivery }: StreamAnswer, { clock }: Shell): void {
  const cutAfter = delivery?.cutAfter ?? Number.POSITIVE_INFINITY;
  let next = 0;
  let giveUp = () => {};
  let waits = 0;
  const pumpAt = (at: Micros) => {
    const mine = ++waits;
    const cancel = clock.whenShows(at, pump);
    // `pump` may have run synchronously and be waiting for a later instant already.
    if (mine === waits) giveUp = cancel;
  };
  const pump = () => {
    const now = clock.now();
    for (let due = events[next]; due && due.at <= now && next < cutAfter; due = events[next]) {
      next++;
      // The last event must be sent before the connection is cut.
      webSocket.send(JSON.stringify(due.event), () => next === cutAfter && webSocket.terminate());
    }
    const waiting = events[next];
    if (next >= cutAfter) return;
    if (waiting) pumpAt(waiting.at);
    else webSocket.close(1000);
  };
  webSocket.on('close', () => giveUp());
  webSocket.on('error', () => webSocket.terminate());
  if (cutAfter === 0) webSocket.terminate();
  else pump();
}
