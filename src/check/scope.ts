import { type OperationId, operationIds } from '../api/index.ts';
import { Names, pair } from './columns.ts';
import type { Evidence } from './evidence.ts';
import type { ScopeLabels } from './slice.ts';

/**
 * Whose attempts share a bucket. `address`: everything the generator sent. `endpoint`: an operation of an application.
 * `narrowest`: an operation of a token within a conversation, which lies within one bucket of every other scope: what it
 * over-admits, they all do.
 */
export const scopeNames = ['narrowest', 'conversation', 'token', 'user', 'endpoint', 'application', 'address'] as const;
export type ScopeName = (typeof scopeNames)[number];

type Keys = (row: number) => number;

/** A number per bucket; 0 for attempts that belong to none (they name no conversation, they carry no token). */
function keysOf(evidence: Evidence, scope: ScopeName): Keys {
  const { application, user, token, conversation, operation } = evidence;
  switch (scope) {
    case 'address':
      return () => 1;
    case 'application':
      return (row) => application[row] as number;
    case 'user':
      return (row) => user[row] as number;
    case 'token':
      return (row) => token[row] as number;
    case 'conversation':
      // The client chooses conversations' identifiers: two applications may choose the same.
      return (row) => (conversation[row] === 0 ? 0 : pair(application[row] as number, conversation[row] as number));
    case 'endpoint':
      return (row) => pair(application[row] as number, (operation[row] as number) + 1);
    case 'narrowest': {
      const tokens = new Names<number>();
      return (row) => {
        if (token[row] === 0 || conversation[row] === 0) return 0;
        const holder = tokens.of(pair(token[row] as number, conversation[row] as number));
        return pair(holder, (operation[row] as number) + 1);
      };
    }
  }
}

/**
 * Divides rows among buckets, each in the order given.
 * @param rows rising in `from`
 */
export function partition(evidence: Evidence, scope: ScopeName, rows: Uint32Array): Uint32Array[] {
  const keyOf = keysOf(evidence, scope);
  const buckets = new Names<number>();
  const bucketOf = new Uint32Array(rows.length);
  const sizes: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const key = keyOf(rows[i] as number);
    const bucket = key === 0 ? 0 : buckets.of(key);
    bucketOf[i] = bucket;
    sizes[bucket] = (sizes[bucket] ?? 0) + 1;
  }
  const parts = Array.from({ length: buckets.size }, (_, i) => new Uint32Array(sizes[i + 1] ?? 0));
  const filled = new Uint32Array(buckets.size);
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

/** The labels that the attempts of one bucket share. @param row any of them */
export function labelsOf(evidence: Evidence, scope: ScopeName, row: number): ScopeLabels {
  const application = evidence.nameOf('application', evidence.application[row] as number);
  const user = evidence.nameOf('user', evidence.user[row] as number);
  const token = evidence.nameOf('token', evidence.token[row] as number);
  const conversation = evidence.nameOf('conversation', evidence.conversation[row] as number);
  const operation: OperationId | undefined = operationIds[evidence.operation[row] as number];
  const members: Readonly<Record<ScopeName, Readonly<Record<string, string | undefined>>>> = {
    narrowest: { application, user, token, conversation, operation },
    conversation: { application, conversation },
    token: { application, user, token },
    user: { application, user },
    endpoint: { application, operation },
    application: { application },
    address: {},
  };
  return Object.fromEntries(Object.entries(members[scope]).filter(([, label]) => label !== undefined));
}
