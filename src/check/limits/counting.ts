import { bearerOperationIds as bearer, type OperationId, operationIds } from '../../api/index.ts';
import { limitBit, limitsIn } from '../evidence/attribution.ts';
import { wordsThat } from '../evidence/columns.ts';
import { Answer, type Evidence, Replay } from '../evidence/evidence.ts';
import { Known } from '../evidence/labels.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { labelsOf, partition, type ScopeName } from './scope.ts';
import { knownBy, shownBy, straysOf, unsureOperations } from './strays.ts';

/** Which requests count towards the rate limit. Whether refused requests count is part of the algorithm. */
export interface Counting {
  /** `bearer`, `bearer without openStream`, …; with the suffixes `, replays free`, `, invalid counted`, … if they apply. */
  readonly name: string;
  readonly operations: readonly OperationId[];
  readonly replays: boolean;
  readonly others: OtherCounting;
}

/** Whether unsuccessful attempts count. An absent member means unknown: they may have counted. */
export interface OtherCounting {
  /** Requests answered 404 or 422: counted or not. */
  readonly invalid?: boolean | undefined;
  /** Requests that this limit admitted and a later one refused: counted or not. */
  readonly refusedLater?: boolean | undefined;
}

const sameList = (a: readonly OperationId[], b: readonly OperationId[]) =>
  a.length === b.length && a.every((id) => b.includes(id));

/** The simplest name for these operations. */
export function countingOf(operations: readonly OperationId[], replays: boolean, others: OtherCounting = {}): Counting {
  const lacking = bearer.filter((id) => !operations.includes(id));
  const base = sameList(operations, operationIds)
    ? 'all'
    : sameList(operations, bearer)
      ? 'bearer'
      : operations.includes('issueToken') || lacking.length > 2
        ? operations.join(' ')
        : `bearer without ${lacking.join(' and ')}`;
  const { invalid, refusedLater } = others;
  const name = [
    base,
    ...(replays ? [] : ['replays free']),
    ...(invalid === undefined ? [] : [`invalid ${invalid ? 'counted' : 'free'}`]),
    ...(refusedLater === undefined ? [] : [`refused later ${refusedLater ? 'counted' : 'free'}`]),
  ].join(', ');
  return { name, operations, replays, others };
}

/** What is certain about the way to count. */
export interface KnownCounting {
  /** Whether the operations are. */
  readonly operations: boolean;
  /** Whether the replays are. */
  readonly replays: boolean;
}

/**
 * All ways to count that are left by what is certain: with the stream's handshake or not, with token requests or not, with replays
 * or not. Where unsuccessful attempts may count, they may in each; what is refuted although they may count is refuted either way.
 */
export function possibleCountings(declared: Counting, known: KnownCounting): Counting[] {
  const { operations, others } = declared;
  const without = (id: OperationId) => operations.filter((other) => other !== id);
  const possible = [
    operations,
    without('openStream'),
    bearer,
    operationIds,
    operationIds.filter((id) => id !== 'openStream'),
  ].filter((list, i, all) => list.length > 0 && all.findIndex((other) => sameList(other, list)) === i);
  const lists = known.operations ? [operations] : possible;
  const replays = known.replays ? [declared.replays] : [true, false];
  return lists.flatMap((list) => replays.map((counted) => countingOf(list, counted, others)));
}

/** What certainly counts under every one of these ways, and what may count under some. */
export function extremesOf(countings: readonly Counting[]): { narrowest: Counting; widest: Counting } {
  const inAll = operationIds.filter((id) => countings.every(({ operations }) => operations.includes(id)));
  const inAny = operationIds.filter((id) => countings.some(({ operations }) => operations.includes(id)));
  const others = countings[0]?.others ?? {};
  return {
    narrowest: countingOf(
      inAll,
      countings.every(({ replays }) => replays),
      others,
    ),
    widest: countingOf(
      inAny,
      countings.some(({ replays }) => replays),
      others,
    ),
  };
}

export interface SliceOptions {
  /**
   * N. Of many buckets, one whose labels no more attempts bear, none of them refused, gets nothing else that it may have seen, because
   * it rules nothing out in any case. Default: each gets that.
   */
  readonly max?: number;
  /** Buckets whose labels fewer attempts bear are left out; default: none is left out. */
  readonly fewest?: number;
  /** Whether other operations may count, too: then the buckets may have seen more. Default false. */
  readonly mayCountMore?: boolean;
}

/**
 * If there are more buckets, they are many. A user may have thousands of tokens, and in the bucket of each everything that names none
 * may have counted. If there are few, what each may have seen shows more exactly of what number the limit may be.
 */
const FEW_BUCKETS = 200;

/** The attempts that each bucket of the rate limit may have seen, under one scope and one way of counting. */
export function rateSlices(
  evidence: Evidence,
  scope: ScopeName,
  counting: Counting,
  { max = 0, fewest = 1, mayCountMore = false }: SliceOptions = {},
): Slice[] {
  const counts = operationIds.map((id) => counting.operations.includes(id));
  const isFree = freeIn(evidence, counting.others);
  const rows = wordsThat(evidence.order, (row) => counts[evidence.operation[row] as number] === true && !isFree(row));
  const parts = partition(evidence, scope, rows).filter(({ length }) => length >= fewest);
  const strays = straysOf(evidence, scope, rows);
  const unsure = unsureOperations(scope);
  const known = knownBy(evidence, scope);
  const areFew = parts.length <= FEW_BUCKETS;
  const mayTell = (members: Uint32Array) =>
    areFew || members.length > max || members.some((row) => evidence.answer[row] === Answer.refused);
  return parts.map((members) => {
    const isWhole = mayTell(members) || !strays.areThere(members);
    const all = isWhole ? strays.addedTo(members) : members;
    const own = all === members ? undefined : new Set(members);
    // Others may belong to the bucket, whatever their outcome.
    const isSure = (row: number) => !unsure[evidence.operation[row] as number] && (own?.has(row) ?? true);
    const first = members[0] as number;
    const partOf = (row: number) =>
      isSure(row) ? shownBy(known(first), ratePart(evidence, row, counting)) : Part.maybe;
    return sliceOfRows(evidence, all, partOf, {
      scope: labelsOf(evidence, scope, first),
      whole: isWhole && scope !== 'narrowest' && !mayCountMore && known(first) === Known.surely,
    });
  });
}

function sliceOfRows(
  evidence: Evidence,
  row: Uint32Array,
  partOf: (row: number) => Part,
  { scope, whole }: Required<Pick<Slice, 'scope' | 'whole'>>,
): Slice {
  const size = row.length;
  const from = new Float64Array(size);
  const to = new Float64Array(size);
  const part = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    const at = row[i] as number;
    from[i] = evidence.from[at] as number;
    to[i] = evidence.to[at] as number;
    part[i] = partOf(at);
  }
  return { size, from, to, part, row, scope, whole };
}

function ratePart(evidence: Evidence, row: number, { replays, others }: Counting): Part {
  const answer = evidence.answer[row] as Answer;
  // An attempt that may be a replay need not be one: its first sending may never have arrived.
  if (answer === Answer.admitted) return evidence.replay[row] !== Replay.no && !replays ? Part.maybe : Part.admitted;
  if (answer === Answer.refused) {
    if (others.refusedLater === true && isRefusedLater(evidence, row)) return Part.admitted;
    return refusalPart(evidence.refusedBy[row] as number, limitBit.rate);
  }
  return others.invalid === true && isInvalid(evidence, row) ? Part.admitted : Part.maybe;
}

const INVALID: readonly number[] = [404, 422];

/** Excludes possible replays: what a message under a used id costs is another question. */
const isInvalid = ({ answer, status, doubtful, replay, otherContent }: Evidence, row: number): boolean =>
  answer[row] === Answer.maybe &&
  INVALID.includes(status[row] as number) &&
  doubtful[row] === 0 &&
  replay[row] === Replay.no &&
  otherContent[row] === 0;

/** Certainly refused by another limit. */
const isRefusedElsewhere = ({ answer, refusedBy, replay }: Evidence, row: number): boolean =>
  answer[row] === Answer.refused && ((refusedBy[row] as number) & limitBit.rate) === 0 && replay[row] === Replay.no;

/** Certainly refused by a limit that is checked after this one: a refusal by an earlier one never came here. */
const isRefusedLater = (evidence: Evidence, row: number): boolean =>
  isRefusedElsewhere(evidence, row) &&
  limitsIn(evidence.refusedBy[row] as number).every((limit) => evidence.words.afterRate.includes(limit));

/** Attempts that certainly do not count. */
function freeIn(evidence: Evidence, { invalid, refusedLater }: OtherCounting): (row: number) => boolean {
  if (invalid !== false && refusedLater !== false) return () => false;
  return (row) =>
    (invalid === false && isInvalid(evidence, row)) || (refusedLater === false && isRefusedElsewhere(evidence, row));
}

/** What a 429 means for one limit. A refusal by another limit may have counted here before. */
export function refusalPart(refusedBy: number, limit: number): Part {
  if (refusedBy === limit) return Part.refused;
  return (refusedBy & limit) === 0 ? Part.maybe : Part.ambiguous;
}
