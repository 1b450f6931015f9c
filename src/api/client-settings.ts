import { z } from 'zod';
import { positive } from './declared-limits.ts';
import { transportChoices } from './transports.ts';
import { DurationText } from './values.ts';

/** Headers that the transport sets itself: framing, content and connection headers, and those for authentication. */
const RESERVED =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept|accept-encoding|authorization|proxy-.*|sec-.*|http2-settings)$/i;
const HeaderName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
  .refine((name) => !RESERVED.test(name), 'is written by the transport; leave it out');

/** How a service is called: connections, transport, additional headers, TLS certificates and proxy. */
export const ClientSettings = z
  .strictObject({
    connections: z
      .int()
      .min(1)
      .max(10_000)
      .default(16)
      .describe('Number of sockets, opened before the first arrival; further requests wait, and the wait is recorded.'),
    deadline: positive.prefault('30s').describe('How long to wait for an answer.'),
    transport: z
      .enum(transportChoices)
      .default('auto')
      .describe(
        'The HTTP client. wire: HTTP/1.1, made for load. undici: HTTP/1.1, several times the CPU time. http2: HTTP/2, one request at a time per connection. auto: undici if there is a proxy, else wire.',
      ),
    compression: z
      .boolean()
      .default(false)
      .describe(
        'Ask for compressed answers (gzip, deflate, br). Compressed answers are always decoded, after the receive time was recorded.',
      ),
    headers: z
      .record(HeaderName, z.string())
      .default({})
      .describe(
        'Additional headers of every request, such as the key of a gateway: x-api-key: "${env.GATEWAY_KEY}". Values from the environment are written to no file. Not sent to the embedded sandbox.',
      ),
    caFile: z
      .string()
      .optional()
      .describe(
        "PEM file of a certificate authority to trust besides the system's; relative to the working directory.",
      ),
    certFile: z
      .string()
      .optional()
      .describe(
        'PEM file of the certificate that is shown to a service that asks for one (mutual TLS); beside keyFile.',
      ),
    keyFile: z.string().optional().describe('PEM file of its private key, without a passphrase.'),
    proxy: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'HTTP proxy, for example http://proxy.example:3128; its credentials from the environment alone: http://${env.PROXY_USER}:${env.PROXY_PASSWORD}@proxy.example:3128.',
      ),
    renewBefore: DurationText.prefault('30s').describe(
      'Renew a token this long before it expires (at most half of its life).',
    ),
  })
  .refine(
    ({ certFile, keyFile }) => (certFile === undefined) === (keyFile === undefined),
    'certFile and keyFile belong together; give both or neither',
  );
