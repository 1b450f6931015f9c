import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OPENMETRICS_TYPE } from '../../report/index.ts';

/** Reachable from this machine only, whatever its firewall allows. */
const LOOPBACK = '127.0.0.1';
const MOST_CLIENTS = 16;
/** A page that does not read is disconnected, so that its messages do not accumulate here. */
const MOST_PENDING_BYTES = 16_000_000;

interface LiveServerOptions {
  readonly port: number;
  /** The run's name in the address of its events: a page of another run gets 204, which stops its requests. */
  readonly run: string;
  readonly page: { readonly text: string; readonly policy: string };
  /** The first message for a page that has just connected. */
  readonly first: () => string;
  /** The run's present numbers as OpenMetrics text. */
  readonly metrics: () => Promise<string>;
}

/** Serves the live page, its messages as server-sent events (WHATWG HTML, section 9.2), and metrics for Prometheus. */
export interface LiveServer {
  readonly url: string;
  readonly clients: number;
  /** Sends a message, one line of text, to every page. */
  tell(message: string): void;
  /** Sends the last message and closes; resolves when every page has it, or none reads any more. */
  end(message: string): Promise<void>;
}

/** @throws the system's error if the port is not available */
export async function serveLive({ port, run, page, first, metrics }: LiveServerOptions): Promise<LiveServer> {
  const clients = new Set<ServerResponse>();
  let hosts: readonly string[] = [];
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, hosts);
    if (refusal !== undefined) return refuse(response, refusal);
    if (request.url === '/') return sendPage(response, page);
    if (request.url === '/metrics') return void sendMetrics(response, metrics);
    if (request.url?.split('?')[0] !== '/events') return refuse(response, 404);
    if (request.url !== `/events?run=${run}`) return refuse(response, 204);
    if (clients.size >= MOST_CLIENTS) return refuse(response, 503);
    listen(response, clients, first());
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, LOOPBACK, listening);
  });
  const { port: taken } = server.address() as AddressInfo;
  hosts = [`${LOOPBACK}:${taken}`, `localhost:${taken}`];
  return {
    url: `http://${LOOPBACK}:${taken}/`,
    get clients() {
      return clients.size;
    },
    tell: (message) => send(clients, `data: ${message}\n\n`),
    async end(message) {
      server.close();
      await Promise.all([...clients].map((client) => closeWith(client, `event: end\ndata: ${message}\n\n`)));
      server.closeAllConnections();
    },
  };
}

/**
 * Any web page can make this machine's browser send requests, also under a host name that it has directed here (DNS rebinding):
 * so only our own host names and reading methods are answered.
 */
function refusalOf({ method, headers }: IncomingMessage, hosts: readonly string[]): number | undefined {
  if (!hosts.includes(headers.host ?? '')) return 403;
  return method === 'GET' ? undefined : 405;
}

const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...headers, 'Content-Type': 'text/plain', Connection: 'close' }).end();
}

function sendPage(response: ServerResponse, { text, policy }: LiveServerOptions['page']): void {
  response
    .writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
    .end(text);
}

async function sendMetrics(response: ServerResponse, metrics: () => Promise<string>): Promise<void> {
  const text = await metrics();
  response.writeHead(200, { ...headers, 'Content-Type': OPENMETRICS_TYPE }).end(text);
}

function listen(response: ServerResponse, clients: Set<ServerResponse>, first: string): void {
  response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
  response.write(`data: ${first}\n\n`);
  clients.add(response);
  response.on('error', () => undefined);
  response.once('close', () => clients.delete(response));
}

function send(clients: ReadonlySet<ServerResponse>, text: string): void {
  for (const client of clients) {
    if (client.writableLength > MOST_PENDING_BYTES) client.destroy();
    else client.write(text);
  }
}

function closeWith(client: ServerResponse, text: string): Promise<void> {
  return new Promise((done) => {
    client.once('close', done);
    client.end(text, done);
  });
}
