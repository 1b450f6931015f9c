import { type ApiCall, type Credentials, type OperationId, operations, type Prepared } from '../../api/index.ts';
import { authorizationOf, isHeaderValue, queryOf, USER_AGENT } from '../http/request.ts';
import type { Target } from '../http/target.ts';

/** The part of the head that depends only on the caller's credentials, ready to be written. */
interface Fixed extends Prepared {
  /** Whether the credentials cannot be written as a header; the texts are empty then. */
  readonly isInvalid: boolean;
  readonly withoutBody: string;
  /** Up to the value of Content-Length. */
  readonly withBody: string;
  /** The head that was written last, which the next call mostly needs again. */
  last: KnownHead | undefined;
}

interface KnownHead {
  readonly operation: OperationId;
  /** The value of the path's only parameter. */
  readonly value: string;
  text: string;
  uses: number;
}

/** Flattening a text costs as much as four uses of it in pieces. */
const FLAT_FROM_USE = 5;

/** A path split at its parameters: `['/turns/', 'turn_id', '']`, literals and names alternate. */
type PathParts = readonly string[];

const ONE_PARAMETER = 3;

/** Characters that percent-encoding leaves unchanged. */
const UNRESERVED = /^[\w.~-]*$/;

/**
 * Writes requests. What does not change between two calls of an operation by one user is prepared once; a call adds its path
 * parameters, its length and its body.
 */
export class RequestWriter {
  readonly #target: Pick<Target, 'prefix'>;
  readonly #origin: string;
  readonly #common: string;
  readonly #starts = new Map<OperationId, PathParts>();
  /** For credentials that live as long as the run. Tokens come and go, and a table of them is expensive for the garbage collector. */
  readonly #fixed = new WeakMap<Credentials, Fixed>();

  /**
   * @param origin prefix of the path if a proxy takes requests in absolute form; otherwise empty
   * @param headers headers of every request; names in lower case
   */
  constructor(target: Target, origin: string, headers: Readonly<Record<string, string>> = {}) {
    this.#target = target;
    this.#origin = origin;
    this.#common = commonLines(target, headers, origin !== '');
  }

  /**
   * @returns the request as a string of bytes, one character per byte, so that its length is known and nothing is left to encode;
   * `undefined` if the credentials cannot be written as a header
   * @throws Error if a path parameter is missing: the caller's defect
   */
  write(call: ApiCall): string | undefined {
    const fixed = this.#fixedOf(call.credentials);
    if (fixed.isInvalid) return undefined;
    const head = this.#headOf(call, fixed);
    if (call.body === undefined) return head;
    const bytes = call.bodyText ?? bytesOf(JSON.stringify(call.body));
    return `${head}${bytes.length}\r\n\r\n${bytes}`;
  }

  /** The whole head; with a body, up to the value of Content-Length. */
  #headOf(call: ApiCall, fixed: Fixed): string {
    const { operation, parameters, query, body } = call;
    const { last } = fixed;
    const parts = this.#partsOf(operation);
    const value = parts.length === ONE_PARAMETER && query === undefined ? parameters[parts[1] ?? ''] : undefined;
    if (last !== undefined && last.operation === operation && last.value === value) {
      last.uses += 1;
      if (last.uses === FLAT_FROM_USE) last.text = flat(last.text);
      return last.text;
    }
    const text = this.#startOf(call, parts) + (body === undefined ? fixed.withoutBody : fixed.withBody);
    // An operation has a body in all of its calls, or in none.
    if (value !== undefined) fixed.last = { operation, value, text, uses: 1 };
    return text;
  }

  #startOf({ operation, parameters, query }: ApiCall, parts: PathParts): string {
    let start = parts[0] ?? '';
    for (let index = 1; index < parts.length; index += 2) {
      const name = parts[index] ?? '';
      const value = parameters[name];
      if (value === undefined) throw new Error(`path ${operations[operation].path} needs the parameter ${name}`);
      start += (UNRESERVED.test(value) ? value : encodeURIComponent(value)) + (parts[index + 1] ?? '');
    }
    return query === undefined ? `${start} HTTP/1.1\r\n` : `${start}${queryOf(query)} HTTP/1.1\r\n`;
  }

  #partsOf(operation: OperationId): PathParts {
    const known = this.#starts.get(operation);
    if (known) return known;
    const { method, path } = operations[operation];
    const parts = `${method} ${this.#origin}${this.#target.prefix}${path}`.split(/[{}]/);
    this.#starts.set(operation, parts);
    return parts;
  }

  #fixedOf(credentials: Credentials): Fixed {
    if (credentials.kind !== 'bearer') return this.#fixedOfRun(credentials);
    const { prepared } = credentials;
    if (prepared?.by === this) return prepared as Fixed;
    const made = this.#fix(credentials);
    credentials.prepared = made;
    return made;
  }

  #fixedOfRun(credentials: Credentials): Fixed {
    const known = this.#fixed.get(credentials);
    if (known) return known;
    const made = this.#fix(credentials);
    this.#fixed.set(credentials, made);
    return made;
  }

  #fix(credentials: Credentials): Fixed {
    const { authorization } = authorizationOf(credentials);
    // A client's credentials are in base64. The token itself, because matching a regular expression flattens its subject.
    if (credentials.kind === 'bearer' && !isHeaderValue(credentials.token))
      return { by: this, isInvalid: true, withoutBody: '', withBody: '', last: undefined };
    const lines = authorization === undefined ? this.#common : `${this.#common}authorization: ${authorization}\r\n`;
    return {
      by: this,
      isInvalid: false,
      withoutBody: `${lines}\r\n`,
      withBody: `${lines}content-type: application/json\r\ncontent-length: `,
      last: undefined,
    };
  }
}

/** UTF-8, one character per byte. */
const bytesOf = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text, 'utf8').toString('latin1');

/** Flattens a text: one concatenated from many is traversed each time it becomes part of another. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** Lines that all requests of a transport have. Their values come from parsed addresses, and are encoded by that. */
function commonLines(
  { hostHeader, proxy }: Pick<Target, 'hostHeader' | 'proxy'>,
  headers: Readonly<Record<string, string>>,
  isProxied: boolean,
): string {
  const fields: Record<string, string> = {
    host: hostHeader,
    connection: 'keep-alive',
    accept: 'application/json',
    'user-agent': USER_AGENT,
    ...headers,
  };
  if (isProxied && proxy?.authorization !== undefined) fields['proxy-authorization'] = proxy.authorization;
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
