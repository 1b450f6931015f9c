import { z } from 'zod';
import { positive } from './declared-limits.ts';
import { transportChoices } from './transports.ts';
import { DurationText } from './values.ts';

/** Headers that say where a message ends, what it is or who sends it: the transport's and the token's to write. */
const RESERVED =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept|accept-encoding|authorization|proxy-.*|sec-.*|http2-settings)$/i;
const HeaderName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
  .refine((name) => !RESERVED.test(name), 'is written by the transport; leave it out');

/** How a service is called: connections, transport, what is said beside each request, and who vouches for whom. */
export const ClientSettings = z
  .strictObject({
    connections: z
      .int()
      .min(1)
      .max(10_000)
      .default(16)
      .describe('Sockets opened before the first arrival; requests beyond them wait, and the wait is stamped.'),
    deadline: positive.prefault('30s').describe('How long to wait for an answer.'),
    transport: z
      .enum(transportChoices)
      .default('auto')
      .describe(
        'What sends requests. wire: made for load, HTTP/1.1; undici: HTTP/1.1, several times the price; http2: HTTP/2, one request at a time on each connection. auto: undici where there is a proxy, else wire.',
      ),
    compression: z
      .boolean()
      .default(false)
      .describe(
        'Ask for compressed answers (gzip, deflate, br). What comes compressed is read either way, after the last byte was stamped.',
      ),
    headers: z
      .record(HeaderName, z.string())
      .default({})
      .describe(
        'What every request says beside its own headers, such as the key of a gateway: x-api-key: "${env.GATEWAY_KEY}". What comes from the environment is kept nowhere. Not sent to the embedded sandbox.',
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
    'one of certFile and keyFile stands alone; name both, or neither',
  );
