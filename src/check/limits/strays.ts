import { operationIds } from '../../api/index.ts';
import { groupedBy } from '../../base/index.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { Known } from '../evidence/labels.ts';
import { byBeginning } from '../evidence/rows.ts';
import { Part } from '../evidence/slice.ts';
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

/** Whether a row's user is surely the service's, as far as the scope depends on it: otherwise others may have counted there, too. */
export const knownBy = ({ places, place }: Evidence, scope: ScopeName): ((row: number) => Known) =>
  scope === 'user' ? (row) => places.known[place[row] as number] as Known : () => Known.surely;

/** What an attempt shows although its user is known only so surely: too many of one token are too many of one user. */
export function shownBy(known: Known, part: Part): Part {
  const shows = known === Known.surely || (known === Known.byOneToken && part === Part.admitted);
  return shows ? part : Part.maybe;
}

/** Attempts that may belong to a bucket although they lack its labels. The members of a bucket are rising. */
interface Strays {
  readonly areThere: (members: Uint32Array) => boolean;
  /** Everything that may belong to the bucket, rising; the same array if that is no more. */
  readonly addedTo: (members: Uint32Array) => Uint32Array;
}

const NO_STRAYS: Strays = { areThere: () => false, addedTo: (members) => members };

/** @param rows all that count, rising in `from` */
export function straysOf(evidence: Evidence, scope: ScopeName, rows: Uint32Array): Strays {
  if (scope !== 'token' && scope !== 'conversation') return NO_STRAYS;
  const { places, place } = evidence;
  const label = places[scope];
  const userOf = (row: number) => places.user[place[row] as number] as number;
  const withoutLabel = rows.filter((row) => label[place[row] as number] === 0);
  const byUser = groupedBy(withoutLabel, userOf);
  const isOfSeveral = (row: number) => scope === 'token' && places.ofSeveral.has(label[place[row] as number] as number);
  const others = scope === 'conversation' ? ofOneName(evidence, rows) : () => NOBODY;
  /** Lists that are not empty: a user may have as many of them as buckets, so they are copied only where they are needed. */
  const listsFor = (first: number): ArrayLike<number>[] => {
    const { users, named } = others(first);
    const unnamed = isOfSeveral(first)
      ? [withoutLabel]
      : [userOf(first), ...users].map((user) => byUser.get(user) ?? []);
    return [...unnamed, ...named].filter(({ length }) => length > 0);
  };
  return {
    areThere: (members) => listsFor(members[0] as number).length > 0,
    addedTo: (members) => {
      const strays = listsFor(members[0] as number);
      return strays.length === 0 ? members : merged(evidence, [members, ...strays]);
    },
  };
}

/** Other users with a conversation of the same identifier, and their attempts in it: the service may treat it as one conversation. */
interface Namesakes {
  readonly users: readonly number[];
  readonly named: readonly (readonly number[])[];
}

const NOBODY: Namesakes = { users: [], named: [] };

function ofOneName({ places, place }: Evidence, rows: Uint32Array): (first: number) => Namesakes {
  const nameOf = (number: number) => places.nameOf('conversation', number) ?? '';
  const usersByName = new Map<string, Map<number, number>>();
  places.conversation.forEach((number, at) => {
    if (number === 0) return;
    const known = usersByName.get(nameOf(number)) ?? new Map<number, number>();
    usersByName.set(nameOf(number), known.set(number, places.user[at] as number));
  });
  const shared = new Map([...usersByName].filter(([, users]) => users.size > 1));
  if (shared.size === 0) return () => NOBODY;
  const numberOf = (row: number) => places.conversation[place[row] as number] as number;
  const byNumber = groupedBy(
    rows.filter((row) => shared.has(nameOf(numberOf(row)))),
    numberOf,
  );
  return (first) => {
    const own = numberOf(first);
    const others = [...(shared.get(nameOf(own)) ?? [])].filter(([number]) => number !== own);
    return {
      users: others.map(([, user]) => user),
      named: others.map(([number]) => byNumber.get(number) ?? []),
    };
  };
}

const merged = ({ from, seq }: Evidence, lists: readonly ArrayLike<number>[]): Uint32Array =>
  Uint32Array.from(lists.flatMap((list) => Array.from(list))).sort(byBeginning(from, seq));
