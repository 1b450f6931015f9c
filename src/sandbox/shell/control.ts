import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { freshUuid } from '../../base/index.ts';
import { refusal, success } from '../replies.ts';
import type { ReadBody } from './body.ts';
import { type Shell, write } from './http.ts';

const Selector = z.union([
  z.strictObject({ token: z.string().min(1) }),
  z.strictObject({ user: z.string().min(1), application: z.string().optional() }),
  z.strictObject({ application: z.string().min(1) }),
]);
const wrongSelector = 'body: must be {"token": …}, {"user": …, "application"?: label} or {"application": label}';

/**
 * The control plane, for tests: `POST /_sandbox/revoke` and `GET /_sandbox/truth`. It asks for no credentials; the
 * configuration allows it on a loopback address only.
 */
export function addControlPlane(app: FastifyInstance, { core, clock }: Shell): void {
  app.post('/_sandbox/revoke', (request, reply) => {
    const now = clock.now();
    const selector = Selector.safeParse(jsonOf(request));
    if (selector.success)
      return write(reply, success(200, { revoked: core.revoke(selectorOf(selector.data), now) }), now);
    return write(reply, refusal('invalid_request', wrongSelector, freshUuid()), now);
  });
  app.get('/_sandbox/truth', (_request, reply) => {
    const now = clock.now();
    return write(reply, success(200, core.truth(now)), now);
  });
}

/** zod writes an absent optional as `undefined`; the core's selector has it absent. */
function selectorOf(selector: z.infer<typeof Selector>) {
  if (!('user' in selector)) return selector;
  return { user: selector.user, ...(selector.application !== undefined && { application: selector.application }) };
}

/** @returns `undefined` when there is no body or it is not JSON */
function jsonOf(request: FastifyRequest): unknown {
  const body = (request.body as ReadBody | undefined)?.body;
  if (body?.kind !== 'bytes') return undefined;
  try {
    return JSON.parse(Buffer.from(body.bytes).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
