import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../openapi/index.ts';
import { httpDate } from './headers.ts';
import type { Shell } from './http.ts';

/**
 * The contract at `/openapi.json` and its page at `/docs`. They ask for no token, meet no limit and no fault. Everything that
 * the page loads comes from here, and its policy lets nothing else be loaded: it works without a network.
 */
export function addDocumentation(app: FastifyInstance, { clock }: Shell): void {
  const document = openApiDocument();
  const text = JSON.stringify(document, undefined, 2);
  app.get('/openapi.json', (_request, reply) => {
    reply.raw.sendDate = false;
    return reply.header('date', httpDate(clock.now())).type('application/json; charset=utf-8').send(text);
  });
  void app.register(swagger, { mode: 'static', specification: { document: document as never } });
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
}
