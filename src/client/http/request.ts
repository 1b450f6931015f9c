import { type ApiCall, type Credentials, type OperationId, operations, pathOf } from '../../api/index.ts';
import { toolVersion } from '../../base/index.ts';
import type { Target } from './target.ts';

/** A call as an HTTP request, independent of the transport. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, prefix of the base address included. */
  readonly path: string;
  /** Names in lower case; without host, connection and content-length, which the transport writes. Holds secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export const USER_AGENT = `spillway/${toolVersion}`;

/** What a request needs beside its call. */
export interface RequestOptions {
  /** Replaces the operation's own path. */
  readonly pathTemplate?: string | undefined;
  /** Sent with every request of a transport; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** @throws Error if a path parameter is missing: the caller's defect */
export function httpRequestOf(
  call: ApiCall,
  target: Pick<Target, 'prefix'>,
  { pathTemplate, headers: common }: RequestOptions = {},
): HttpRequest {
  const operation = operations[call.operation];
  const path = `${target.prefix}${pathOf(pathTemplate ?? operation.path, call.parameters)}${queryOf(call.query)}`;
  const body = call.body === undefined ? undefined : Buffer.from(call.bodyText ?? JSON.stringify(call.body), 'utf8');
  const headers = {
    accept: 'application/json',
    'user-agent': USER_AGENT,
    ...common,
    ...authorizationOf(call.credentials),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return { method: operation.method, path, headers, ...(body === undefined ? {} : { body }) };
}

/**
 * Whether the path can be encoded. Half of a surrogate pair, which a service may have put into a captured value, is no character
 * (RFC 3629 section 3) and cannot be encoded.
 * @throws Error if a path parameter is missing: the caller's defect, reported before anything waits for a socket
 */
export function isPathWritable({ operation, parameters }: Pick<ApiCall, 'operation' | 'parameters'>): boolean {
  let isWritable = true;
  for (const name of parameterNames[operation]) {
    const value = parameters[name];
    if (value === undefined) throw new Error(`path ${operations[operation].path} needs the parameter ${name}`);
    isWritable &&= value.isWellFormed();
  }
  return isWritable;
}

const namesIn = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const parameterNames = Object.fromEntries(
  Object.entries(operations).map(([operation, { path }]) => [operation, namesIn(path)]),
) as { readonly [operation in OperationId]: readonly string[] };

/** Basic is RFC 7617 (UTF-8), bearer RFC 6750. */
export function authorizationOf(credentials: Credentials): { authorization?: string } {
  if (credentials.kind === 'none') return {};
  if (credentials.kind === 'bearer') return { authorization: `Bearer ${credentials.token}` };
  const pair = `${credentials.clientId}:${credentials.clientSecret}`;
  return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

/** Whether the text is a valid header value (RFC 9110 section 5.5), one byte per character. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

export function queryOf(query: ApiCall['query']): string {
  if (query === undefined) return '';
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}
