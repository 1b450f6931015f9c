import { bearerOperationIds as bearer, type LimitName, type OperationId, operationIds } from '../../api/index.ts';
import type { Header } from '../../history/index.ts';
import type { RawCounting } from './raw/raw.ts';

/**
 * What the profile in a header says of a limit, and what of it is certain. Written separately from the cases that the judge makes
 * of it, so that a mistake there does not verify itself.
 */
export interface DeclaredLimit {
  readonly scope: string;
  /** A rate limit's alone: what counts. */
  readonly counting: RawCounting;
  readonly known: {
    /** Whether a reading is declared. Then everything else that the profile says is certain, too, unless nobody wrote it. */
    readonly reading: boolean;
    readonly scope: boolean;
    readonly operations: boolean;
    readonly replays: boolean;
  };
}

interface Said {
  readonly scope?: unknown;
  readonly scopeKnown?: unknown;
  readonly counts?: unknown;
  readonly countsKnown?: unknown;
  readonly countsReplays?: unknown;
  readonly countsInvalid?: unknown;
  readonly countsRefusedLater?: unknown;
}

const NOTHING: Said = { scopeKnown: false, countsKnown: false };

const scopesOf: Readonly<Record<LimitName, readonly string[]>> = {
  rate: ['application', 'user', 'token', 'conversation', 'address'],
  concurrency: ['application', 'user', 'token', 'conversation'],
  daily: ['application', 'user', 'token'],
};

/** @param reading the reading that the verdict rests on; `unknown` if none is declared */
export function declaredLimit({ profile }: Header, limit: LimitName, reading: string): DeclaredLimit {
  const said = (profile as { limits?: Partial<Record<string, Said>> } | null)?.limits?.[limit] ?? NOTHING;
  const isNamed = reading !== 'unknown';
  const [replays, invalid, refusedLater] = [said.countsReplays, said.countsInvalid, said.countsRefusedLater].map(
    answerOf,
  );
  return {
    scope: scopesOf[limit].find((name) => name === said.scope) ?? 'application',
    counting: {
      operations: operationsIn(said.counts),
      replays: replays ?? true,
      ...(isNamed && invalid !== undefined && { invalid }),
      ...(isNamed && refusedLater !== undefined && { refusedLater }),
    },
    known: {
      reading: isNamed,
      scope: answerOf(said.scopeKnown) ?? isNamed,
      operations: answerOf(said.countsKnown) ?? isNamed,
      replays: replays !== undefined && (isNamed || said.countsKnown === true),
    },
  };
}

const answerOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function operationsIn(counts: unknown): readonly OperationId[] {
  const isList = Array.isArray(counts) && counts.every((id) => operationIds.includes(id));
  return isList ? counts : bearer;
}

export const hasSame = (a: readonly OperationId[], b: readonly OperationId[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((id) => b.includes(id));

const possibleScopes: Readonly<Record<LimitName, readonly string[]>> = {
  rate: ['narrowest', 'conversation', 'token', 'user', 'endpoint', 'application', 'address'],
  concurrency: ['conversation', 'token', 'user', 'application', 'address'],
  daily: ['token', 'user', 'application', 'address'],
};

/** Every scope that the profile leaves possible. */
export const scopesLeft = (limit: LimitName, { scope, known }: DeclaredLimit): readonly string[] =>
  known.scope ? [scope] : possibleScopes[limit];

/** Every way to count requests that the profile leaves possible: with handshakes, token requests and resends, or without. */
export function countingsLeft({
  counting,
  known,
}: DeclaredLimit): readonly Pick<RawCounting, 'operations' | 'replays'>[] {
  const declared = counting.operations;
  const without = (ids: readonly OperationId[]) => ids.filter((id) => id !== 'openStream');
  const lists = known.operations
    ? [declared]
    : [declared, without(declared), bearer, operationIds, without(operationIds)].filter((list) => list.length > 0);
  const replays = known.replays ? [counting.replays] : [true, false];
  return lists.flatMap((operations) => replays.map((counted) => ({ operations, replays: counted })));
}
