import { type OperationId, operationIds } from '../../../api/index.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { type Evidence, Replay } from '../../evidence/evidence.ts';
import type { LabelColumn } from '../../evidence/labels.ts';
import {
  countedOperations,
  type Decided,
  type Labels,
  mayShare,
  needNotShare,
  type RawCounting,
  usersIn,
} from './raw.ts';
import type { Rivals } from './raw-rivals.ts';
import { countBelow } from './rising.ts';

/**
 * Bits that describe an exchange, from its raw record. `answered`: the service acted on it no later than its answer.
 * `refusedElsewhere`: certainly refused by another limit than the rate limit; `refusedLater`: by one that is checked after it.
 */
export const Raw = {
  doubted: 1,
  admitted: 2,
  mayBeRate: 4,
  surelyRate: 8,
  answered: 16,
  invalid: 32,
  refusedElsewhere: 64,
  refusedLater: 128,
} as const;

/** Whether the rate limit certainly counted an attempt as admitted, or certainly did not count it; otherwise it may have. */
export function countedAs(flags: number, mayBeReplay: boolean, counting: RawCounting): 'surely' | 'free' | 'perhaps' {
  if ((flags & Raw.admitted) !== 0) return counting.replays || !mayBeReplay ? 'surely' : 'perhaps';
  const says = (flags & Raw.invalid) !== 0 ? counting.invalid : refusedAs(flags, counting);
  return says === undefined || mayBeReplay ? 'perhaps' : says ? 'surely' : 'free';
}

/** A limit that is checked before the rate limit leaves it nothing to count. */
function refusedAs(flags: number, { refusedLater }: RawCounting): boolean | undefined {
  if ((flags & Raw.refusedElsewhere) === 0) return undefined;
  return refusedLater === true && (flags & Raw.refusedLater) === 0 ? undefined : refusedLater;
}

/** Stamps and labels of every attempt, in the order of the records. */
export interface Stamped {
  readonly size: number;
  readonly seq: Float64Array;
  readonly worker: Uint32Array;
  readonly sentAt: Float64Array;
  /** Index into `operationIds`. */
  readonly operation: Uint8Array;
  /** Number, from 1, of the labels that the attempt shares with others. */
  readonly place: Uint32Array;
  readonly places: number;
  readonly labelsOf: (place: number) => Labels;
  /** Whether the row may only repeat another attempt at the same message. */
  readonly mayBeReplay: (row: number) => boolean;
}

/** The stamps of the evidence. Accusations are verified with stamps from a separate reading (`Restamped`). */
export function stampsOf({ size, seq, worker, sentAt, operation, place, places, replay }: Evidence): Stamped {
  return {
    ...{ size, seq, worker, sentAt, operation, place, places: places.size },
    labelsOf: (one) =>
      Object.fromEntries(columns.map((column) => [column, places.nameOf(column, places[column][one] as number)])),
    mayBeReplay: (row) => replay[row] !== Replay.no,
  };
}

/** What each row was, and when it was decided. */
export interface Decider {
  readonly flags: (row: number) => number;
  readonly decide: (row: number) => Decided;
}

/** Whether a row belongs to a scope: `surely`, by its labels and operation; or only `perhaps`. */
export const Sharing = { no: 0, perhaps: 1, surely: 2 } as const;
export type Sharing = (typeof Sharing)[keyof typeof Sharing];

const columns: readonly LabelColumn[] = ['application', 'user', 'token', 'conversation'];

export function sharingOf(
  { places, labelsOf, place, operation }: Stamped,
  scope: Certificate['scope'],
): (row: number) => Sharing {
  const { operation: wantedOperation, ...wanted } = scope;
  const byPlace = new Uint8Array(places + 1);
  const all = Array.from({ length: places }, (_, i) => labelsOf(i + 1));
  const users = usersIn(scope, all);
  for (let one = 1; one <= places; one++) {
    const labels = all[one - 1] as Labels;
    const isIn = columns.every((column) => wanted[column] === undefined || labels[column] === wanted[column]);
    byPlace[one] = isIn ? Sharing.surely : mayShare(labels, scope, users) ? Sharing.perhaps : Sharing.no;
  }
  const index = operationIds.indexOf(wantedOperation as OperationId);
  const unsure = needNotShare(scope).map((id) => operationIds.indexOf(id));
  return (row) => {
    const sharing = byPlace[place[row] as number] as Sharing;
    if (sharing === Sharing.no || (wantedOperation !== undefined && operation[row] !== index)) return Sharing.no;
    return unsure.includes(operation[row] as number) ? Sharing.perhaps : sharing;
  };
}

export function gather(
  stamped: Stamped,
  { scope, counts }: Pick<Certificate, 'scope' | 'counts'>,
  { decide, flags }: Decider,
): Rivals {
  const sharing = sharingOf(stamped, scope);
  const counting = countedOperations(counts);
  const isCounted = operationIds.map((id) => counting.operations.includes(id));
  const shares = (row: number) => (isCounted[stamped.operation[row] as number] ? sharing(row) : Sharing.no);
  const columns = columnsFor(stamped.size, shares);
  let size = 0;
  for (let row = 0; row < stamped.size; row++) {
    const sharesIt = shares(row);
    if (sharesIt === Sharing.no) continue;
    const has = flags(row);
    const as = countedAs(has, stamped.mayBeReplay(row), counting);
    if (as === 'free') continue;
    const { from, to } = decide(row);
    columns.row[size] = row;
    columns.from[size] = from;
    columns.to[size] = to;
    columns.refused[size] = sharesIt === Sharing.surely && (has & Raw.surelyRate) !== 0 ? 1 : 0;
    columns.admitted[size] = sharesIt === Sharing.surely && as === 'surely' ? 1 : 0;
    size += 1;
  }
  const rows = columns.row.subarray(0, size);
  return {
    size,
    from: columns.from.subarray(0, size),
    to: columns.to.subarray(0, size),
    refused: columns.refused.subarray(0, size),
    admitted: columns.admitted.subarray(0, size),
    indexOf: (row) => indexIn(rows, row),
    attemptAt: (index) => rows[index] as number,
  };
}

/** Space for every row that shares the bucket, counted beforehand: growing columns would be copied again and again. */
function columnsFor(all: number, shares: (row: number) => Sharing) {
  let room = 0;
  for (let row = 0; row < all; row++) if (shares(row) !== Sharing.no) room += 1;
  return {
    row: new Uint32Array(room),
    from: new Float64Array(room),
    to: new Float64Array(room),
    refused: new Uint8Array(room),
    admitted: new Uint8Array(room),
  };
}

/** Index of a value in a rising list; −1 if absent. */
function indexIn(rising: Uint32Array, value: number): number {
  const index = countBelow(rising, value);
  return rising[index] === value ? index : -1;
}
