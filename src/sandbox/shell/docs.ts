import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openApiDocument } from '../openapi/index.ts';
import { httpDate } from './headers.ts';
import { createHttp, type Shell } from './http.ts';

/**
 * The contract at `/openapi.json` and its page at `/docs`. They ask for no token, meet no limit and no fault. Everything that
 * the page loads comes from here, and its policy lets nothing else be loaded: it works without a network.
 * Both are made when they are first asked for: that takes as long as all else of a start, and runs ask for neither.
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

/** The same service with the pages and no address of its own: no route can be added to one that listens. */
async function documentationPages(shell: Shell): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const app = createHttp(shell);
  void app.register(swagger, { mode: 'static', specification: { document: openApiDocument() as never } });
  void app.register(swaggerUi, {
    routePrefix: '/docs',
    // The validator is a service on the internet that the page would otherwise show the contract to.
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
