import { limitBit } from '../evidence/attribution.ts';
import { bytesOf, floatsOf, words } from '../evidence/columns.ts';
import { Answer, type Evidence } from '../evidence/evidence.ts';
import { Known } from '../evidence/labels.ts';
import { Part } from '../evidence/slice.ts';
import { refusalPart } from '../limits/counting.ts';
import { labelsOf, partition, type ScopeName } from '../limits/scope.ts';
import { knownBy, shownBy, straysOf } from '../limits/strays.ts';
import { type CoreColumns, type Occupations, occupationsOf } from './occupations.ts';
import type { Cores, TurnSlice } from './turn-slice.ts';

/** The messages that each bucket of the concurrency limit may have seen. */
export function turnSlices(evidence: Evidence, scope: ScopeName): TurnSlice[] {
  const occupations = occupationsOf(evidence);
  const { row } = occupations;
  const indexOf = new Uint32Array(evidence.size);
  for (let i = 0; i < row.length; i++) indexOf[row[i] as number] = i;
  const strays = straysOf(evidence, scope, row);
  return partition(evidence, scope, row).map((rows) => {
    const all = strays.addedTo(rows);
    const own = all === rows ? undefined : new Set(rows);
    const known = knownBy(evidence, scope)(rows[0] as number);
    const isOwn = (one: number) => own?.has(one) ?? true;
    // What this limit certainly refused holds no slot, wherever it was counted. Another limit may refuse after the slot was taken.
    const isRefusedHere = (one: number) =>
      evidence.answer[one] === Answer.refused && evidence.refusedBy[one] === limitBit.concurrency;
    const held = all.filter((one) => isOwn(one) || !isRefusedHere(one));
    const members = held.map((one) => indexOf[one] as number);
    return sliceOf({ members, isOwn, known, scope }, occupations, evidence);
  });
}

interface Bucket {
  readonly scope: ScopeName;
  /** Positions among the occupations, rising. */
  readonly members: Uint32Array;
  /** Whether a row certainly belongs to this bucket; others may hold one of its slots, but do not prove one taken. */
  readonly isOwn: (row: number) => boolean;
  /** How surely the service knows its user. */
  readonly known: Known;
}

function sliceOf({ scope, members, isOwn, known }: Bucket, all: Occupations, evidence: Evidence): TurnSlice {
  const size = members.length;
  const rows = words();
  for (const i of members) rows.push(all.row[i] as number);
  const positionOf = (row: number) => {
    rows.push(row);
    return rows.size - 1;
  };
  const isSure = (position: number) =>
    known !== Known.notSurely && isOwn(all.row[members[position] as number] as number);
  const open = coresOf(all.open, members, isSure, positionOf);
  const working = coresOf(all.working, members, isSure, positionOf);
  const row = rows.values();
  return {
    size,
    row,
    from: floatsOf(row.length, (i) => evidence.from[row[i] as number] as number),
    to: floatsOf(row.length, (i) => evidence.to[row[i] as number] as number),
    part: bytesOf(row.length, (i) =>
      i < size && isSure(i) ? shownBy(known, partOf(evidence, all, members[i] as number)) : Part.maybe,
    ),
    until: floatsOf(size, (i) => all.until[members[i] as number] as number),
    workFrom: floatsOf(size, (i) => all.workFrom[members[i] as number] as number),
    open,
    working,
    scope: labelsOf(evidence, scope, row.find(isOwn) as number),
  };
}

function partOf(evidence: Evidence, { row: rows, own }: Occupations, i: number): Part {
  const row = rows[i] as number;
  const answer = evidence.answer[row] as Answer;
  if (answer === Answer.refused) return refusalPart(evidence.refusedBy[row] as number, limitBit.concurrency);
  return answer === Answer.admitted && own[i] === 1 ? Part.admitted : Part.maybe;
}

function coresOf(
  all: CoreColumns,
  members: Uint32Array,
  isSure: (position: number) => boolean,
  positionOf: (row: number) => number,
): Cores {
  const fromOf = (position: number) => all.from[members[position] as number] as number;
  const found: number[] = [];
  let rising = true;
  for (let position = 0; position < members.length; position++) {
    const from = fromOf(position);
    if (Number.isNaN(from) || !isSure(position)) continue;
    rising &&= found.length === 0 || from >= fromOf(found[found.length - 1] as number);
    found.push(position);
  }
  if (!rising) found.sort((a, b) => fromOf(a) - fromOf(b) || a - b);
  return {
    size: found.length,
    from: floatsOf(found.length, (i) => fromOf(found[i] as number)),
    to: floatsOf(found.length, (i) => all.to[members[found[i] as number] as number] as number),
    proof: found.map((position) => {
      const at = members[position] as number;
      const [begun, seen] = [all.begun[at] as number, all.seen[at] as number];
      return begun === 0 ? [position, positionOf(seen - 1)] : [position, positionOf(begun - 1), positionOf(seen - 1)];
    }),
  };
}
