import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { routeOf } from '../request.ts';
import type { TimedEvent } from '../stream.ts';
import { endWith, httpDate, type Shell } from './http.ts';

/** Nothing that a client says on a stream matters; longer messages close it. */
const MAX_CLIENT_MESSAGE_BYTES = 1_024;

/**
 * Serves the turns' streams. A handshake is a request: the core decides on it, and a refusal is an ordinary answer with the
 * error envelope.
 * @returns closes every stream (code 1001, going away)
 */
export function serveStreams(server: Server, shell: Shell): () => void {
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_CLIENT_MESSAGE_BYTES,
  });
  const headersOf = new WeakMap<IncomingMessage, readonly string[]>();
  webSockets.on('headers', (lines, request) => lines.push(...(headersOf.get(request) ?? [])));

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const now = shell.clock.now();
    const answer = shell.core.answer(handshakeOf(request), now);
    if (answer.kind === 'json') return endWith(socket as Socket, answer, now);
    headersOf.set(
      request,
      Object.entries({ date: httpDate(now), ...answer.headers }).map(([name, value]) => `${name}: ${value}`),
    );
    webSockets.handleUpgrade(request, socket, head, (webSocket) => tell(webSocket, answer.events, shell));
  });
  return () => {
    for (const webSocket of webSockets.clients) webSocket.close(1001);
    for (const webSocket of webSockets.clients) webSocket.terminate();
  };
}

/** The handshake as the core sees it. Any other protocol that asks for an upgrade is a request whose body nobody read. */
function handshakeOf(request: IncomingMessage) {
  const { authorization, upgrade, 'sec-websocket-key': key, 'sec-websocket-version': version } = request.headers;
  const url = URL.parse(request.url ?? '/', 'http://sandbox');
  const route = url ? routeOf(request.method ?? '', url.pathname) : undefined;
  return {
    ...(route && { route }),
    query: Object.fromEntries(url?.searchParams ?? []),
    ...(authorization !== undefined && { authorization }),
    body: { kind: 'absent' } as const,
    webSocket: upgrade?.toLowerCase() === 'websocket' && version === '13' && /^[+/0-9A-Za-z]{22}==$/.test(key ?? ''),
  };
}

/** Sends each event once its instant has come, and closes after the last. */
function tell(webSocket: WebSocket, events: readonly TimedEvent[], { clock }: Shell): void {
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  const pump = () => {
    const now = clock.now();
    for (let due = events[next]; due && due.at <= now; due = events[next]) {
      webSocket.send(JSON.stringify(due.event));
      next++;
    }
    const waiting = events[next];
    if (waiting) timer = setTimeout(pump, clock.timerMillisUntil(waiting.at));
    else webSocket.close(1000);
  };
  webSocket.on('close', () => clearTimeout(timer));
  webSocket.on('error', () => webSocket.terminate());
  pump();
}
