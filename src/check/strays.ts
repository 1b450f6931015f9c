import { operationIds } from '../api/index.ts';
import type { Evidence } from './evidence.ts';
import type { ScopeName } from './scope.ts';

/**
 * Attempts whose bucket is unknown. A token request names its user and has no token; a request that creates a conversation names
 * it before it exists; a rating names a message, and the journal does not have its conversation. A service may count them in a
 * bucket of the user or in none. So each may have counted: it proves no excess, but may explain a refusal.
 */

const ISSUE_TOKEN = operationIds.indexOf('issueToken');
const CREATE_CONVERSATION = operationIds.indexOf('createConversation');

/** Scopes that divide a user's requests by bearer. */
const byBearer: readonly ScopeName[] = ['user', 'token', 'conversation', 'narrowest'];
const byConversation: readonly ScopeName[] = ['conversation', 'narrowest'];

/** Per operation: whether its attempts need not count in a bucket of that scope, although they have its labels. */
export const unsureOperations = (scope: ScopeName): readonly boolean[] =>
  operationIds.map(
    (_, operation) =>
      (operation === ISSUE_TOKEN && byBearer.includes(scope)) ||
      (operation === CREATE_CONVERSATION && byConversation.includes(scope)),
  );

/**
 * Adds attempts that may belong to a bucket although they lack its labels.
 * @param rows all that count, rising in `from`
 * @returns a function from the members of one bucket to everything that may belong to it, both rising; the same array if nothing
 * is added
 */
export function straysOf(
  evidence: Evidence,
  scope: ScopeName,
  rows: Uint32Array,
): (members: Uint32Array) => Uint32Array {
  if (scope !== 'token' && scope !== 'conversation') return (members) => members;
  const { places, place } = evidence;
  const label = places[scope];
  const userOf = (row: number) => places.user[place[row] as number] as number;
  const withoutLabel = rows.filter((row) => label[place[row] as number] === 0);
  const byUser = grouped(withoutLabel, userOf);
  const isOfSeveral = (row: number) => scope === 'token' && places.ofSeveral.has(label[place[row] as number] as number);
  const unnamed = (first: number) => (isOfSeveral(first) ? withoutLabel : (byUser.get(userOf(first)) ?? []));
  const others = scope === 'conversation' ? ofOneName(evidence, rows) : () => [];
  return (members) => {
    const first = members[0] as number;
    const strays = [...unnamed(first), ...others(first)];
    return strays.length === 0 ? members : merged(evidence, members, strays);
  };
}

/** Attempts of other users in conversations with the same identifier: the service may treat them as one conversation. */
function ofOneName({ places, place }: Evidence, rows: Uint32Array): (first: number) => readonly number[] {
  const numberOf = (row: number) => places.conversation[place[row] as number] as number;
  const nameOf = (row: number) => places.nameOf('conversation', numberOf(row)) ?? '';
  const firsts = new Map<string, number>();
  const shared = new Set<string>();
  for (const number of places.conversation) {
    const name = number === 0 ? undefined : places.nameOf('conversation', number);
    if (name === undefined) continue;
    const known = firsts.get(name);
    if (known === undefined) firsts.set(name, number);
    else if (known !== number) shared.add(name);
  }
  if (shared.size === 0) return () => [];
  const byName = grouped(
    rows.filter((row) => shared.has(nameOf(row))),
    nameOf,
  );
  return (first) => (byName.get(nameOf(first)) ?? []).filter((row) => numberOf(row) !== numberOf(first));
}

function grouped<K>(rows: Uint32Array, keyOf: (row: number) => K): ReadonlyMap<K, readonly number[]> {
  const groups = new Map<K, number[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

const merged = ({ from, seq }: Evidence, members: Uint32Array, strays: readonly number[]): Uint32Array =>
  Uint32Array.from([...members, ...strays]).sort(
    (a, b) => (from[a] as number) - (from[b] as number) || (seq[a] as number) - (seq[b] as number) || a - b,
  );
