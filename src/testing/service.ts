import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import type { OperationId } from '../api/index.ts';
import { routeOf } from '../sandbox/request.ts';

/** What a run sends to such a service, which takes any. */
export const someCredentials = { SPILLWAY_CLIENT_ID: 'some-client', SPILLWAY_CLIENT_SECRET: 'some-secret' };

/** One request, for an answering function. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Number of earlier requests of this operation. */
  readonly nth: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type Answering = (asked: Asked) => void;

/** What a stream does after a successful handshake. @param socket the service's side of the connection */
export type Streaming = (socket: Socket) => void;

/**
 * A service that misbehaves as a test defines, unlike the sandbox. Operations that the test does not define get short, correct
 * answers.
 */
export interface BadService {
  readonly url: string;
  /** Requested operations in the order of their requests. */
  readonly asked: OperationId[];
  /** TCP connections opened so far. */
  connections(): number;
  close(): Promise<void>;
}

export async function serveBadly(
  answers: Partial<Record<OperationId, Answering>> = {},
  stream?: Streaming,
): Promise<BadService> {
  const asked: OperationId[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  /** Counts a request. @returns the number of earlier ones of its operation */
  const count = (operation: OperationId) => {
    const nth = asked.filter((one) => one === operation).length;
    asked.push(operation);
    return nth;
  };
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const found = routeAsked(request);
    if (!found) return void response.writeHead(404).end();
    const { operation, parameters } = found;
    const nth = count(operation);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    (answers[operation] ?? proper[operation])({ request, response, nth, parameters, body });
  });
  const streams = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket: Socket, head) => {
    const nth = count('openStream');
    if (!answers.openStream) return streams.handleUpgrade(request, socket, head, () => stream?.(socket));
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    const { parameters = {} } = routeAsked(request) ?? {};
    answers.openStream({ request, response, nth, parameters, body: undefined });
  });
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const routeAsked = ({ method = '', url = '' }: IncomingMessage) =>
  routeOf(method, new URL(url, 'http://service').pathname);

/** Answers with JSON. */
export function answer({ response }: Pick<Asked, 'response'>, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** An error envelope of the specification. */
export const envelope = (code: string, retryable = false) => ({
  error: { code, message: `${code}, says the service`, retryable, request_id: randomUUID() },
});

const instant = '2026-01-15T09:00:00Z';

/** A turn as in answers of readTurn, with a message if completed. */
export const turnBody = (turnId: string, status: string) => ({
  turn_id: turnId,
  conversation_id: randomUUID(),
  status,
  created_at: instant,
  updated_at: instant,
  ...(status === 'completed' ? { message: messageBody() } : {}),
});

const messageBody = () => ({
  conversation_id: randomUUID(),
  user_message_id: randomUUID(),
  assistant_message_id: randomUUID(),
  answer: 'An answer',
  response_type: 'text',
  cards: [],
  visualizations: [],
  sources: [],
  suggested_actions: [],
  metadata: { latency_ms: 5 },
});

const proper: Readonly<Record<OperationId, Answering>> = {
  issueToken: (asked) => answer(asked, 201, { access_token: `token-${randomUUID()}`, expires_in: 900 }),
  createConversation: (asked) => {
    const { conversation_id = randomUUID(), title = 'New conversation' } = asked.body as Record<string, string>;
    answer(asked, 201, { conversation_id, title, created_at: instant });
  },
  sendMessage: (asked) => answer(asked, 202, { turn_id: randomUUID(), status: 'queued', created_at: instant }),
  readTurn: (asked) => answer(asked, 200, turnBody(asked.parameters.turn_id ?? '', 'completed')),
  openStream: ({ response }) => void response.writeHead(426).end(),
  readHistory: (asked) => answer(asked, 200, { messages: [] }),
  rateAnswer: (asked) => answer(asked, 200, { success: true, feedback: { rating: 'up' } }),
};

/**
 * A port on which nothing listens: the service of port 1 (tcpmux) is obsolete, and ports of that range are never assigned to servers
 * that ask for a free one. A port that was just closed could be reused by another test.
 */
export const CLOSED_PORT = 1;
