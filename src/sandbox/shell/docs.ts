import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openApiDocument } from '../openapi/index.ts';
import { httpDate } from './headers.ts';
import { createHttp, type Shell } from './http.ts';

/**
 * The contract at `/openapi.json` and its page at `/docs`. They need no token and are not subject to limits or faults. The page
 * loads everything from this server, and its content security policy allows nothing else: it works without a network.
 * Both are created on the first request, because that takes as long as the rest of the start and runs do not need them.
 */
export function addDocumentation(app: FastifyInstance, shell: Shell): void {
  let contract: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    contract ??= JSON.stringify(openApiDocument(), undefined, 2);
    reply.raw.sendDate = false;
    return reply.header('date', httpDate(shell.clock.now())).type('application/json; charset=utf-8').send(contract);
  });
  let pages: Promise<FastifyInstance> | undefined;
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    pages ??= documentationPages(shell);
    const { routing } = await pages;
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  app.get('/docs', page);
  app.get('/docs/*', page);
  app.head('/docs/static/*', page);
  app.addHook('onClose', async () => (await pages)?.close());
}

/** A second instance with the pages, which does not listen: Fastify cannot add routes to an instance that listens. */
async function documentationPages(shell: Shell): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const app = createHttp(shell);
  void app.register(swagger, { mode: 'static', specification: { document: openApiDocument() as never } });
  void app.register(swaggerUi, {
    routePrefix: '/docs',
    // The validator is an external service, to which the page would otherwise send the contract.
    uiConfig: { validatorUrl: null, url: '/openapi.json', persistAuthorization: false },
    staticCSP: {
      'default-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'frame-ancestors': ["'none'"],
    },
  });
  await app.ready();
  return app;
}
