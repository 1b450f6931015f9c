import type { IncomingMessage } from 'node:http';
import { type Route, routeOf } from '../request.ts';

/** Headers that must not be repeated. Node silently keeps the first one. */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);

/**
 * Checks what the HTTP parser accepts but RFCs forbid: a request without a host or with several (RFC 9112 section 3.2), with
 * another header repeated that may occur only once (RFC 9110 section 5.3), or with a body in a transfer coding that Node does not
 * decode (RFC 9112 section 6.1).
 * @returns what is wrong; undefined if nothing is
 */
export function protocolProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return 'host: is absent';
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked'))
    return 'transfer-encoding: must be chunked, or absent';
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!single.has(name)) continue;
    if (seen.includes(`${name};`)) return `${name}: must stand once`;
    seen += `${name};`;
  }
  return undefined;
}

/** The path and query of a request target, which may also be an absolute URL (RFC 9112 section 3.2.2). */
export function originForm({ url = '/' }: { readonly url?: string | undefined }): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');
}

/** The request target's path and query, relative to any base. */
export const addressOf = (request: IncomingMessage): URL | null => URL.parse(originForm(request), 'http://sandbox');

export const routeOfRequest = (request: IncomingMessage): Route | undefined =>
  routeOf(request.method ?? '', addressOf(request)?.pathname ?? '');

/** Whether the headers announce a body (RFC 9112 section 6). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/**
 * Whether the request opens a stream. Every other upgrade request is served as an ordinary one, and so is a handshake with a body,
 * whose bytes would be taken for frames.
 */
export function asksForStream(request: IncomingMessage): boolean {
  const isForWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
  return isForWebSocket && !hasBody(request) && routeOfRequest(request)?.operation === 'openStream';
}

/** Tokens (RFC 9110 section 5.6.2) with commas between them. */
const TOKENS = /^[!#$%&'*+\-.^_`|~\w]+(?:[ \t]*,[ \t]*[!#$%&'*+\-.^_`|~\w]+)*$/;

/** Whether it names each subprotocol once, or is absent (RFC 6455 section 4.1). ws answers others itself, without the error envelope. */
export function isListOfProtocols(header: string | undefined): boolean {
  if (header === undefined) return true;
  if (!TOKENS.test(header)) return false;
  const names = header.split(/[ \t]*,[ \t]*/);
  return new Set(names).size === names.length;
}
