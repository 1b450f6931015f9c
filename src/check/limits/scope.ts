import { operationIds } from '../../api/index.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { LabelColumn } from '../evidence/labels.ts';
import type { ScopeLabels } from '../evidence/slice.ts';

/**
 * Whose attempts share a bucket. `address`: everything the generator sent. `endpoint`: one operation of an application.
 * `narrowest`: one operation of a token within a conversation. A narrowest bucket lies within one bucket of every other scope, so
 * what is too much for it is too much for all.
 */
export const scopeNames = ['narrowest', 'conversation', 'token', 'user', 'endpoint', 'application', 'address'] as const;
export type ScopeName = (typeof scopeNames)[number];

/** By place, the number of its bucket from 1; 0 for places that have none (they name no conversation or no token). */
function keysOf({ places }: Evidence, scope: ScopeName): Uint32Array {
  const { application, user, token, conversation, size } = places;
  switch (scope) {
    case 'address':
      return new Uint32Array(size + 1).fill(1);
    case 'application':
    case 'endpoint':
      return application;
    case 'user':
      return user;
    case 'token':
      return token;
    case 'conversation':
      return conversation;
    case 'narrowest':
      // Each place has one token and one conversation.
      return conversation.map((number, place) => (number === 0 || token[place] === 0 ? 0 : place));
  }
}

const BY_OPERATION: readonly ScopeName[] = ['endpoint', 'narrowest'];

/**
 * Divides rows into buckets. Rows keep their order; buckets are in the order of their first rows.
 * @param rows rising in `from`
 */
export function partition(evidence: Evidence, scope: ScopeName, rows: Uint32Array): Uint32Array[] {
  const { place, operation } = evidence;
  const keys = keysOf(evidence, scope);
  const width = BY_OPERATION.includes(scope) ? operationIds.length : 1;
  const bucketOfKey = new Uint32Array((greatest(keys) + 1) * width);
  const bucketOf = new Uint32Array(rows.length);
  const sizes: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const key = keys[place[row] as number] as number;
    if (key === 0) continue;
    const slot = key * width + (width > 1 ? (operation[row] as number) : 0);
    if (bucketOfKey[slot] === 0) bucketOfKey[slot] = sizes.push(0);
    const bucket = bucketOfKey[slot] as number;
    bucketOf[i] = bucket;
    sizes[bucket - 1] = (sizes[bucket - 1] as number) + 1;
  }
  const parts = sizes.map((size) => new Uint32Array(size));
  const filled = new Uint32Array(parts.length);
  for (let i = 0; i < rows.length; i++) {
    const bucket = (bucketOf[i] as number) - 1;
    const part = parts[bucket];
    if (part === undefined) continue;
    const at = filled[bucket] as number;
    part[at] = rows[i] as number;
    filled[bucket] = at + 1;
  }
  return parts;
}

const greatest = (keys: Uint32Array) => keys.reduce((most, key) => Math.max(most, key), 0);

/** Labels that all attempts of one bucket share. */
const shared: Readonly<Record<ScopeName, readonly (keyof ScopeLabels)[]>> = {
  narrowest: ['application', 'user', 'token', 'conversation', 'operation'],
  conversation: ['application', 'user', 'conversation'],
  token: ['application', 'user', 'token'],
  user: ['application', 'user'],
  endpoint: ['application', 'operation'],
  application: ['application'],
  address: [],
};

/** The labels of a bucket. @param row any of its attempts */
export function labelsOf(evidence: Evidence, scope: ScopeName, row: number): ScopeLabels {
  const { places, place, operation } = evidence;
  const labels: { -readonly [K in keyof ScopeLabels]: ScopeLabels[K] } = {};
  const isOfSeveral = scope === 'token' && places.ofSeveral.has(places.token[place[row] as number] as number);
  for (const name of isOfSeveral ? (['token'] as const) : shared[scope]) {
    const label =
      name === 'operation'
        ? operationIds[operation[row] as number]
        : places.nameOf(name, places[name][place[row] as number] as number);
    if (label !== undefined) labels[name] = label;
  }
  return labels;
}

/** Whether an attempt has the labels that the scope needs. */
export function inScopeOf({ places, place, operation }: Evidence, row: number, scope: ScopeLabels): boolean {
  const at = place[row] as number;
  const bears = (column: LabelColumn) =>
    scope[column] === undefined || places.nameOf(column, places[column][at] as number) === scope[column];
  const ofOperation = scope.operation === undefined || operationIds[operation[row] as number] === scope.operation;
  return ofOperation && bears('application') && bears('user') && bears('token') && bears('conversation');
}
