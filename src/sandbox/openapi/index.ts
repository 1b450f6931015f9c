/**
 * openapi/ generates the OpenAPI 3.1 description of the service from its own parts: the table of operations, the zod shapes, the
 * error codes, and a seeded core that answers the examples.
 * @fastify/swagger is not used as generator: it would need schemas on Fastify's routes, which would duplicate the table of
 * operations and never validate anything, because the core validates.
 * It must not know HTTP servers; the shell serves the document.
 */
export { openApiDocument } from './document.ts';
