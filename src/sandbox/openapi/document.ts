import { errorExamples } from './errors.ts';
import { pathItems } from './operations.ts';
import { componentSchemas } from './schemas.ts';

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

/** `components.headers`. */
const headers = {
  Date: text("The service's time (RFC 9110 section 6.6.1).", 'Sat, 21 Nov 2026 12:00:00 GMT'),
  'Retry-After': {
    description: 'Whole seconds, rounded up (RFC 9110 section 10.2.3); absent if the service cannot know.',
    schema: { type: 'integer', minimum: 0 },
    example: 17,
  },
  RateLimit: text(
    'What is left of the limits that the request met (draft-ietf-httpapi-ratelimit-headers-10); absent when it met none.',
    '"minute";r=19;t=60',
  ),
  'RateLimit-Policy': text('The limits that the request met; absent when it met none.', '"minute";q=20;w=60'),
  'WWW-Authenticate': text('The required scheme (RFC 9110 section 11.6.1).', 'Bearer realm="partners"'),
};

/** The contract of the service as OpenAPI 3.1. The same at every call. */
export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner conversation API',
      version: '1.0.0',
      description:
        'An embedded conversational assistant, as served by the sandbox of Spillway. Where the specification leaves something open, this describes the choice of the sandbox. All errors use the error envelope.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This sandbox' }],
    tags: [
      { name: 'Authentication', description: 'Application credentials for user tokens.' },
      { name: 'Conversations', description: 'Conversations and their history.' },
      { name: 'Messages', description: 'Messages, the turns that answer them, and ratings.' },
    ],
    paths: pathItems(),
    components: {
      securitySchemes: {
        applicationCredentials: {
          type: 'http',
          scheme: 'basic',
          description: 'Client id as user name, client secret as password; for user tokens only.',
        },
        userToken: { type: 'http', scheme: 'bearer', description: 'The access_token of a token response.' },
      },
      headers,
      examples: errorExamples(),
      schemas: componentSchemas(),
    },
  };
}
