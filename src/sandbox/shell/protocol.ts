import type { IncomingMessage } from 'node:http';

/** Headers that mean one thing only when they stand once; Node keeps the first and says nothing of the others. */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);

/**
 * What is wrong with a request that parses as HTTP but cannot be served honestly: without a host or with several
 * (RFC 9112 section 3.2), or with a header twice of which only one can be meant (RFC 9110 section 5.3).
 * @returns a sentence, or `undefined` when nothing is
 */
export function protocolProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return 'host: is absent';
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!single.has(name)) continue;
    if (seen.includes(`${name};`)) return `${name}: must stand once`;
    seen += `${name};`;
  }
  return undefined;
}

/** The path and query of a request target; a client may also send the whole address (RFC 9112 section 3.2.2). */
export function originForm({ url = '/' }: { readonly url?: string | undefined }): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');
}
