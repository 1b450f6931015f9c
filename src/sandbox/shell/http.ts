import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type OperationId, operationIds, operations } from '../../api/index.ts';
import { freshUuid, type Micros } from '../../base/index.ts';
import type { SandboxConfig } from '../config.ts';
import type { Core } from '../core.ts';
import { type JsonAnswer, type Outcome, refusal } from '../replies.ts';
import { type Route, routeOf as routeOfPath } from '../request.ts';
import type { DurableStore } from '../stores/index.ts';
import { isAnnouncedTooLarge, type ReadBody, readBody } from './body.ts';
import type { ServiceClock } from './clock.ts';
import type { Commits } from './commits.ts';
import { deliver } from './delivery.ts';
import { httpDate } from './headers.ts';
import { answerGarbage, refuseTunnel } from './http-socket.ts';
import { hasBody, originForm, protocolProblem } from './protocol.ts';

/** The parts that the whole shell uses. */
export interface Shell {
  readonly core: Core;
  readonly clock: ServiceClock;
  readonly config: SandboxConfig;
  readonly commits: Commits;
  /** Absent: state is in memory only. */
  readonly store?: DurableStore;
}

const compileNothing = () => () => {
  throw new Error('routes have no schemas here');
};

const nothingSent: ReadBody = { body: { kind: 'absent' }, complete: true };

/**
 * Which requests Node emits as `upgrade`: since 22.21 and 24.9 it asks this. From 26 on such a request with a body comes without its
 * socket, so it is served here. Older ones emit it like the others, and `serveAsOrdinary` undoes that.
 */
const upgrades = { shouldUpgradeCallback: (request: IncomingMessage) => !hasBody(request) };

/** The HTTP server of the sandbox. Routes come from the table of operations; everything else is answered with the error envelope. */
export function createHttp(shell: Shell): FastifyInstance {
  const { maxBodyBytes, maxConnections, requestTimeout } = shell.config;
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout,
    http: {
      headersTimeout: requestTimeout,
      // Node's default checks for late requests every 30 s only.
      connectionsCheckingInterval: Math.min(1_000, requestTimeout),
      // Node's own answer to a missing host has no error envelope; protocolProblem checks it instead.
      requireHostHeader: false,
      ...upgrades,
    },
    rewriteUrl: originForm,
    routerOptions: { maxParamLength: 2_048 },
    // The core validates, so no route has a schema. Without these stubs Fastify loads its schema compilers at every start.
    schemaController: { compilersFactory: { buildValidator: compileNothing, buildSerializer: compileNothing } },
    frameworkErrors: (_error, request, reply) => {
      // Nobody is left to answer if the connection closes before the end of the body.
      serveUnread(shell, unreadRoute(request), request, reply).catch(() => request.raw.destroy());
    },
    clientErrorHandler: (error, socket) => answerGarbage(shell.clock, error, socket),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, maxBodyBytes),
  );
  app.server.maxConnections = maxConnections;
  for (const operation of operationIds) addRoute(app, shell, operation);
  app.setNotFoundHandler((request, reply) => serve(shell, undefined, request, reply, bodyOf(request)));
  app.setErrorHandler((error, request, reply) => answerError(shell, error, request, reply));
  addExpectations(app, shell);
  closeAfterUpgrades(app);
  return app;
}

/** Node loses the bytes that it has read behind a request whose upgrade it ignores: closing tells the client to send them again. */
function closeAfterUpgrades(app: FastifyInstance): void {
  if (!('shouldUpgradeCallback' in app.server)) return;
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.upgrade !== undefined) reply.header('connection', 'close');
    done();
  });
}

function addRoute(app: FastifyInstance, shell: Shell, operation: OperationId): void {
  app.route({
    method: operations[operation].method,
    url: operations[operation].path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: (request, reply) => void serve(shell, routeOf(request), request, reply, bodyOf(request)),
  });
}

const bodyOf = (request: FastifyRequest): ReadBody => (request.body as ReadBody | undefined) ?? nothingSent;

function routeOf(request: FastifyRequest): Route | undefined {
  const { operation } = request.routeOptions.config as { operation?: OperationId };
  return operation && { operation, parameters: request.params as Record<string, string> };
}

/** The route of a path that the router rejects: too long, or with invalid percent-encoding. The core still authenticates first. */
const unreadRoute = ({ method, raw }: FastifyRequest): Route | undefined =>
  routeOfPath(method, originForm(raw).replace(/[?#].*$/s, ''));

/** Node would accept every body, and refuse other expectations and CONNECT without the error envelope. */
function addExpectations(app: FastifyInstance, shell: Shell): void {
  app.server.on('checkContinue', (request, response) => {
    if (!isAnnouncedTooLarge(request.headers, shell.config.maxBodyBytes)) response.writeContinue();
    app.server.emit('request', request, response);
  });
  const { clock } = shell;
  app.server.on('checkExpectation', (_request, response) => {
    const refused = refusal('invalid_request', 'expect: only 100-continue can be met', freshUuid());
    deliver(response, { outcome: { ...refused, status: 417 }, now: clock.now(), clock, close: true });
  });
  app.server.on('connect', (_request, socket) => refuseTunnel(clock, socket as Socket));
}

function serve(
  shell: Shell,
  route: Route | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, complete }: ReadBody,
): FastifyReply {
  const { authorization, 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  const now = shell.clock.now();
  if (!complete) reply.header('connection', 'close');
  const problem = protocolProblem(request.raw);
  if (problem !== undefined) {
    return write(reply, { ...refusal('invalid_request', problem, freshUuid()), status: 400 }, now);
  }
  const outcome = shell.core.answer(
    {
      route,
      query: (request.query ?? {}) as Record<string, unknown>,
      authorization,
      contentType,
      contentEncoding,
      body,
      address: request.ip,
    },
    now,
  );
  shell.commits.after(outcome, (kept) => send(shell, reply, kept, now));
  return reply;
}

/** Serves a request whose body the framework has not read. @throws Error if the client closes the connection before its end */
async function serveUnread(
  shell: Shell,
  route: Route | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return serve(shell, route, request, reply, await readBody(request.raw, shell.config.maxBodyBytes));
}

/** The outcome is never a stream here, because upgrade requests are handled in web-socket.ts. */
function send({ clock }: Shell, reply: FastifyReply, outcome: Outcome, now: Micros): void {
  if (outcome.kind === 'json' && !outcome.delivery) write(reply, outcome, now);
  else if (outcome.kind !== 'stream') {
    reply.hijack();
    deliver(reply.raw, { outcome, now, clock, close: reply.hasHeader('connection') });
  }
}

/** Sends an answer of the core. `Date` is service time, not the machine's. */
export function write(reply: FastifyReply, answer: JsonAnswer, now: number): FastifyReply {
  reply.raw.sendDate = false;
  reply.code(answer.status).headers(answer.headers).header('date', httpDate(now));
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
}

/** A malformed content type, and a QUERY request (RFC 10008) without one. */
const unreadable: ReadonlySet<unknown> = new Set([
  'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  'FST_ERR_ROUTE_MISSING_CONTENT_TYPE',
]);

/** Requests whose content type the framework rejects are passed to the core. Any other error is a bug and answered 500. */
async function answerError(
  shell: Shell,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { code, statusCode } = error as { readonly code?: string; readonly statusCode?: number };
  if (unreadable.has(code)) return serveUnread(shell, routeOf(request), request, reply);
  // The documentation's files, asked for by a path that leads out of their folder.
  if (statusCode === 403) return write(reply, refusal('not_found', 'no such route', freshUuid()), shell.clock.now());
  return write(reply, refusal('internal', 'the sandbox failed to answer', freshUuid()), shell.clock.now());
}
