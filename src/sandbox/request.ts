import { type OperationId, operationIds, operations } from '../api/index.ts';

/** The body of a request, as far as the shell has read it. */
export type RequestBody =
  | { readonly kind: 'absent' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Already parsed, from a caller in the same process. Not checked against the maximum size. */
  | { readonly kind: 'json'; readonly value: unknown }
  /** Larger than the maximum; the shell has discarded it. */
  | { readonly kind: 'too-large' };

/** The operation of a method and path, with unchecked path parameters. */
export interface Route {
  readonly operation: OperationId;
  readonly parameters: Readonly<Record<string, string>>;
}

/** One request as the core sees it: everything that determines the answer, nothing of sockets. */
export interface SandboxRequest {
  /** Absent: no operation has this method and path. */
  readonly route?: Route | undefined;
  /** Query parameters. A repeated one is an array. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly authorization?: string | undefined;
  readonly contentType?: string | undefined;
  readonly contentEncoding?: string | undefined;
  readonly body: RequestBody;
  /** Remote address; absent without a connection. Limits by address then do not apply. */
  readonly address?: string;
  /** Whether the request is a well-formed WebSocket handshake (RFC 6455 section 4.1); default false. */
  readonly webSocket?: boolean;
}

const patterns = operationIds.map((operation) => ({
  operation,
  method: operations[operation].method,
  pattern: new RegExp(`^${operations[operation].path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/**
 * The route of a request line, for callers without a router and for paths that the router rejects. A parameter with invalid
 * percent-encoding is left as it is; it is no valid identifier.
 * @param path without the query
 * @returns undefined if there is no such operation
 */
export function routeOf(method: string, path: string): Route | undefined {
  for (const row of patterns) {
    const match = row.method === method ? row.pattern.exec(path) : null;
    if (!match) continue;
    const parameters = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]);
    return { operation: row.operation, parameters: Object.fromEntries(parameters) };
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
