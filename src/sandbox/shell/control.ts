import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { freshUuid } from '../../base/index.ts';
import { isLoopback } from '../config/loopback.ts';
import { sentencesOf } from '../defects/index.ts';
import { errorMembers, type JsonAnswer, refusal, success } from '../replies.ts';
import type { ReadBody } from './body.ts';
import { moveClock, showClock } from './control-clock.ts';
import { type Shell, write } from './http.ts';

const Selector = z.union([
  z.strictObject({ token: z.string().min(1) }),
  z.strictObject({ user: z.string().min(1), application: z.string().optional() }),
  z.strictObject({ application: z.string().min(1) }),
]);
const wrongSelector = 'body: must be {"token": …}, {"user": …, "application"?: label} or {"application": label}';

/**
 * The control plane, for tests: `POST /_sandbox/revoke`, `GET /_sandbox/truth`, `GET /_sandbox/config`, `GET` and
 * `POST /_sandbox/clock`. It needs no credentials. The configuration therefore allows it on a loopback address only, and it
 * answers only requests whose `Host` is a name of this machine.
 */
export function addControlPlane(app: FastifyInstance, shell: Shell): void {
  const { clock, core, commits } = shell;
  /** Commits changes before the answer is sent, like all other answers. */
  const tell = (reply: FastifyReply, answer: JsonAnswer) => {
    const now = clock.now();
    commits.after(answer, (kept) => write(reply, kept, now));
    return reply;
  };
  const onRequest = onlyOwnPages;
  app.post('/_sandbox/revoke', { onRequest }, (request, reply) => {
    const selector = Selector.safeParse(jsonOf(request));
    if (!selector.success) return tell(reply, refusal('invalid_request', wrongSelector, freshUuid()));
    return tell(reply, success(200, { revoked: core.revoke(selectorOf(selector.data), clock.now()) }));
  });
  app.get('/_sandbox/truth', { onRequest }, (_request, reply) => tell(reply, success(200, core.truth(clock.now()))));
  app.get('/_sandbox/config', { onRequest }, (_request, reply) => tell(reply, showConfig(shell)));
  app.get('/_sandbox/clock', { onRequest }, (_request, reply) => tell(reply, showClock(shell)));
  app.post('/_sandbox/clock', { onRequest }, (request, reply) => tell(reply, moveClock(shell, jsonOf(request))));
}

/**
 * The configuration with every default, under the names of a settings file; durations in milliseconds. Of applications it shows
 * only the labels, because credentials are shown only once, at the start. It adds the descriptions of the chosen defects.
 */
function showConfig({ config }: Shell): JsonAnswer {
  const { defects } = config;
  return success(200, {
    ...config,
    applications: config.applications.map(({ label }) => ({ label })),
    ...(defects.length > 0 && { defectsSay: sentencesOf(defects) }),
  });
}

/**
 * Rejects requests that a foreign web page makes through a browser on this machine: the `Host` must be a name of this machine
 * (against DNS rebinding), and an `Origin`, which browsers send with cross-origin requests, must be the same address.
 */
function onlyOwnPages({ headers: { host = '', origin } }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  const isOwnName = isLoopback(name.toLowerCase());
  if (isOwnName && (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`)) return done();
  const problem = isOwnName ? wrongOrigin : wrongHost;
  reply.code(403).send({ error: errorMembers('invalid_request', problem, freshUuid()) });
}

const wrongHost = 'Host: must be a name of this machine; ask for 127.0.0.1 or localhost';
const wrongOrigin = 'Origin: pages of other origins may not use the control plane';

/** Drops `application: undefined`, which the core's type does not allow. */
function selectorOf(selector: z.infer<typeof Selector>) {
  if (!('user' in selector)) return selector;
  return { user: selector.user, ...(selector.application !== undefined && { application: selector.application }) };
}

/** @returns undefined if there is no body or it is not JSON */
function jsonOf(request: FastifyRequest): unknown {
  const body = (request.body as ReadBody | undefined)?.body;
  if (body?.kind !== 'bytes') return undefined;
  try {
    return JSON.parse(Buffer.from(body.bytes).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
