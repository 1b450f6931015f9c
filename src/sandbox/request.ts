import { type OperationId, operationIds, operations } from '../api/index.ts';

/** The body of a request, as far as the shell has read it. */
export type RequestBody =
  | { readonly kind: 'absent' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Parsed before, by a caller in the same process that spares itself the text; counts as JSON of no size. */
  | { readonly kind: 'json'; readonly value: unknown }
  /** More than the largest body; the shell stopped keeping it. */
  | { readonly kind: 'too-large' };

/** Which operation a method and a path mean, with the path's parameters still unchecked. */
export interface Route {
  readonly operation: OperationId;
  readonly parameters: Readonly<Record<string, string>>;
}

/** One request as the core sees it: nothing of sockets, everything that decides the answer. */
export interface SandboxRequest {
  /** Absent: no operation has this method and path. */
  readonly route?: Route | undefined;
  /** Query parameters; a repeated one is a list. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly authorization?: string | undefined;
  readonly contentType?: string | undefined;
  readonly contentEncoding?: string | undefined;
  readonly body: RequestBody;
  /** Address of the other end of the connection; absent where there is no connection, and no limit by address then applies. */
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
 * The route of a request line, for callers without a router, and for what a router does not read: a parameter that is not
 * percent-encoded properly is left as it is, and no identifier.
 * @param path without the query
 * @returns `undefined` when there is no such operation
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
