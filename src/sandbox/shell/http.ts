import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type OperationId, operationIds, operations } from '../../api/index.ts';
import { freshUuid } from '../../base/index.ts';
import type { SandboxConfig } from '../config.ts';
import type { Core } from '../core.ts';
import { type Answer, type JsonAnswer, refusal } from '../replies.ts';
import type { Route } from '../request.ts';
import { type ReadBody, readBody } from './body.ts';
import type { ServiceClock } from './clock.ts';

/** What every part of the shell works with. */
export interface Shell {
  readonly core: Core;
  readonly clock: ServiceClock;
  readonly config: SandboxConfig;
}

const nothingSent: ReadBody = { body: { kind: 'absent' }, complete: true };
/** A request must arrive within this time, headers and body, or its connection is closed. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The HTTP side of the sandbox: routes from the table of operations; everything else is answered with the error envelope. */
export function createHttp(shell: Shell): FastifyInstance {
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 2_048 },
    frameworkErrors: (_error, request, reply) => void serve(shell, undefined, request, reply, nothingSent),
    clientErrorHandler: (error, socket) => answerGarbage(shell, error, socket),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, shell.config.maxBodyBytes),
  );
  for (const operation of operationIds) addRoute(app, shell, operation);
  app.setNotFoundHandler((request, reply) => serve(shell, undefined, request, reply, bodyOf(request)));
  app.setErrorHandler((error, request, reply) => answerError(shell, error, request, reply));
  return app;
}

function addRoute(app: FastifyInstance, shell: Shell, operation: OperationId): void {
  app.route({
    method: operations[operation].method,
    url: operations[operation].path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: (request, reply) => serve(shell, routeOf(request), request, reply, bodyOf(request)),
  });
}

const bodyOf = (request: FastifyRequest): ReadBody => (request.body as ReadBody | undefined) ?? nothingSent;

function routeOf(request: FastifyRequest): Route | undefined {
  const { operation } = request.routeOptions.config as { operation?: OperationId };
  return operation && { operation, parameters: request.params as Record<string, string> };
}

function serve(
  shell: Shell,
  route: Route | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, complete }: ReadBody,
) {
  const { authorization, 'content-type': contentType } = request.headers;
  const now = shell.clock.now();
  const answer = shell.core.answer(
    {
      ...(route && { route }),
      query: (request.query ?? {}) as Record<string, unknown>,
      ...(authorization !== undefined && { authorization }),
      ...(contentType !== undefined && { contentType }),
      body,
    },
    now,
  );
  if (!complete) reply.header('connection', 'close');
  return write(reply, answer, now);
}

/** Sends an answer of the core; `Date` is the service's time, not the machine's. */
export function write(reply: FastifyReply, answer: Answer, now: number): FastifyReply {
  reply.raw.sendDate = false;
  reply.code(answer.status).headers(answer.headers).header('date', httpDate(now));
  return reply.type('application/json; charset=utf-8').send(answer.kind === 'json' ? JSON.stringify(answer.body) : '');
}

/** IMF-fixdate (RFC 9110 section 5.6.7), whole seconds, rounded down. */
export const httpDate = (us: number): string => new Date(us / 1_000).toUTCString();

/** What the framework could not read: a content type of no known form is the core's to refuse; the rest is our own defect. */
async function answerError(
  shell: Shell,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const code = (error as { code?: string }).code;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return serve(shell, routeOf(request), request, reply, await readBody(request.raw, shell.config.maxBodyBytes));
  }
  return write(reply, refusal('internal', 'the sandbox failed to answer', freshUuid()), shell.clock.now());
}

/** Bytes that are not HTTP: an answer in the envelope where the socket still takes one, then the end of the connection. */
function answerGarbage(shell: Shell, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refused = refusal('invalid_request', 'the request is not valid HTTP', freshUuid());
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
  endWith(socket, { ...refused, status: timedOut ? 408 : tooLong ? 431 : 400 }, shell.clock.now());
}

/** Writes an answer onto a bare socket and closes it. */
export function endWith(socket: Socket, answer: JsonAnswer, now: number): void {
  const body = JSON.stringify(answer.body);
  const headers = {
    date: httpDate(now),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...answer.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
