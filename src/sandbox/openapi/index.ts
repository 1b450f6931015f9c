/**
 * openapi/ describes the service as OpenAPI 3.1, generated from what the service itself is made of: the table of operations,
 * the zod shapes, the error codes, and a seeded core that answers the examples.
 * A generator of our own rather than @fastify/swagger's: the routes are one table and answers come from the core, so schemas
 * hung on Fastify's routes would be a second description beside the first, and validation there would never be reached.
 * It must not know HTTP servers; serving the document is the shell's.
 */
export { openApiDocument } from './document.ts';
