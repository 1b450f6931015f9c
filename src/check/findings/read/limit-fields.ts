import { type OlderState, olderTold, readOlderLimit, readOlderPolicies, readOlderRateLimit } from './older-drafts.ts';
import { type BareItem, integer, parseList } from './structured-list.ts';
import type { Told } from './told.ts';

/** The statements in the fields of one answer, and the names of malformed fields, which must be ignored. */
export interface LimitFields {
  readonly told: readonly Told[];
  readonly malformed: readonly string[];
}

/**
 * Reads `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10), what drafts before the eighth had instead
 * (older-drafts.ts), and the older `X-RateLimit-Limit` and `X-RateLimit-Remaining`. `X-RateLimit-Reset` is not read: seconds, an
 * instant and milliseconds are all in use.
 * @param headers names in lower case
 */
export function readLimitFields(headers: Readonly<Record<string, unknown>>): LimitFields {
  const malformed: string[] = [];
  const [tellings, policies] = [new Map<string, Told>(), new Map<string, Told>()];
  let state: OlderState = {};
  const merge = (told: Told) => tellings.set(told.policy, { ...tellings.get(told.policy), ...told });
  for (const [name, read] of Object.entries(readers)) {
    const text = headers[name];
    if (typeof text !== 'string') continue;
    const found = read(text);
    if (!found) malformed.push(name);
    found?.told?.forEach(merge);
    for (const one of found?.policies ?? []) policies.set(one.policy, one);
    state = { ...state, ...found?.state };
  }
  return { told: [...tellings.values(), ...olderTold(state, [...policies.values()])], malformed };
}

/** What one field says; `policies` and `state` in the form of the older drafts. */
interface Found {
  readonly told?: readonly Told[];
  readonly policies?: readonly Told[];
  readonly state?: OlderState;
}

const nameOf = (item: BareItem): string | undefined => {
  if (typeof item === 'string') return item;
  return typeof item === 'object' && 'token' in item ? item.token : undefined;
};

function readRateLimit(text: string): Told[] | undefined {
  const told = parseList(text)?.map(({ value, parameters }): Told | undefined => {
    const policy = nameOf(value);
    const remaining = integer(parameters.get('r'));
    const t = parameters.get('t');
    const resetSeconds = integer(t);
    if (policy === undefined || remaining === undefined || (t !== undefined && resetSeconds === undefined))
      return undefined;
    return { policy, remaining, ...(resetSeconds !== undefined && { resetSeconds }) };
  });
  return wholly(told);
}

function readPolicy(text: string): Told[] | undefined {
  const told = parseList(text)?.map(({ value, parameters }): Told | undefined => {
    const policy = nameOf(value);
    const quota = integer(parameters.get('q'));
    const w = parameters.get('w');
    const windowSeconds = integer(w);
    const qu = parameters.get('qu');
    if (policy === undefined || quota === undefined || (w !== undefined && windowSeconds === undefined))
      return undefined;
    return {
      policy,
      quota,
      ...(windowSeconds !== undefined && { windowSeconds }),
      ...(typeof qu === 'string' && { unit: qu }),
    };
  });
  return wholly(told);
}

const plainNumber = (text: string) => (/^ *-?\d{1,15} *$/.test(text) ? Number(text) : undefined);

const as =
  <T>(read: (text: string) => T | undefined, found: (value: T) => Found) =>
  (text: string): Found | undefined => {
    const value = read(text);
    return value === undefined ? undefined : found(value);
  };
const asTold = (told: readonly Told[]): Found => ({ told });
const asPolicies = (policies: readonly Told[]): Found => ({ policies });
const asState = (state: OlderState): Found => ({ state });

/** In more seconds than a window has it is no span, but an instant. */
const LONGEST_SPAN_S = 1e9;

const readers: Readonly<Record<string, (text: string) => Found | undefined>> = {
  ratelimit: (text) => as(readRateLimit, asTold)(text) ?? as(readOlderRateLimit, asState)(text),
  'ratelimit-policy': (text) => as(readPolicy, asTold)(text) ?? as(readOlderPolicies, asPolicies)(text),
  'ratelimit-limit': as(readOlderLimit, ({ quota, policies }) => ({ state: { quota }, policies })),
  'ratelimit-remaining': as(plainNumber, (remaining) => asState({ remaining })),
  'ratelimit-reset': as(plainNumber, (seconds) => asState(seconds > LONGEST_SPAN_S ? {} : { resetSeconds: seconds })),
  'x-ratelimit-limit': as(plainNumber, (quota) => asTold([{ policy: '', quota }])),
  'x-ratelimit-remaining': as(plainNumber, (remaining) => asTold([{ policy: '', remaining }])),
};

/** A list with one malformed member is malformed as a whole, and so is one that names a policy twice. */
function wholly(told: readonly (Told | undefined)[] | undefined): Told[] | undefined {
  const sound = told?.filter((one) => one !== undefined);
  if (!told || !sound || sound.length < told.length) return undefined;
  return new Set(sound.map(({ policy }) => policy)).size === sound.length ? sound : undefined;
}

/** A service repeats itself: few of a long run's fields are new. */
const MOST_KEPT = 20_000;

/** Like `LimitFields`, with its own number, from 1. */
export interface NumberedFields extends LimitFields {
  readonly number: number;
}

const names = Object.keys(readers);

/** Whether there are others than the two of the draft. Each by name: a loop over the names costs a tenth of the judge's time. */
const hasOlder = (headers: Readonly<Record<string, unknown>>): boolean =>
  headers['x-ratelimit-limit'] !== undefined ||
  headers['x-ratelimit-remaining'] !== undefined ||
  headers['ratelimit-limit'] !== undefined ||
  headers['ratelimit-remaining'] !== undefined ||
  headers['ratelimit-reset'] !== undefined;

/** Like `readLimitFields`, once per distinct text. */
export class LimitFieldsReader {
  /** By the two fields of the draft, which nearly all services send alone; otherwise by all of them. */
  readonly #byPolicy = new Map<string | undefined, Map<string | undefined, NumberedFields>>();
  readonly #byAll = new Map<string, NumberedFields>();
  /** The policy seen last: nearly always it is the same again, and comparing is faster than a look-up. */
  #lastPolicy: string | undefined;
  #lastFields: Map<string | undefined, NumberedFields> | undefined;
  /** How many are kept, and how many were read. */
  #size = 0;
  #count = 0;

  read(headers: Readonly<Record<string, unknown>>): NumberedFields {
    const { ratelimit, 'ratelimit-policy': policy } = headers;
    if (this.#size >= MOST_KEPT) this.#forget();
    const isPlain = !hasOlder(headers) && isText(ratelimit) && isText(policy);
    if (!isPlain) return this.#readAll(names.map((name) => headers[name]).join('\n'), headers);
    const known = this.#fieldsOf(policy);
    const before = known.get(ratelimit);
    if (before) return before;
    const fields = this.#numbered(headers);
    known.set(ratelimit, fields);
    return fields;
  }

  #numbered(headers: Readonly<Record<string, unknown>>): NumberedFields {
    const { told, malformed } = readLimitFields(headers);
    this.#size += 1;
    this.#count += 1;
    return { number: this.#count, told, malformed };
  }

  #fieldsOf(policy: string | undefined): Map<string | undefined, NumberedFields> {
    if (this.#lastFields && policy === this.#lastPolicy) return this.#lastFields;
    const fields = this.#byPolicy.get(policy) ?? new Map<string | undefined, NumberedFields>();
    this.#byPolicy.set(policy, fields);
    this.#lastPolicy = policy;
    this.#lastFields = fields;
    return fields;
  }

  /** @param key header texts contain no line break, so different answers have different keys */
  #readAll(key: string, headers: Readonly<Record<string, unknown>>): NumberedFields {
    const known = this.#byAll.get(key);
    if (known) return known;
    const fields = this.#numbered(headers);
    this.#byAll.set(key, fields);
    return fields;
  }

  #forget(): void {
    this.#byPolicy.clear();
    this.#byAll.clear();
    this.#lastFields = undefined;
    this.#size = 0;
  }
}

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';
