import { limitBit } from '../attribution.ts';
import { refusalPart } from '../counting.ts';
import { Answer, type Evidence } from '../evidence.ts';
import { labelsOf, partition, type ScopeName } from '../scope.ts';
import { Part } from '../slice.ts';
import { type Core, type Occupation, occupationsOf } from './occupations.ts';
import type { Cores, TurnSlice } from './turn-slice.ts';

/** The messages that each bucket of the concurrency limit may have seen. */
export function turnSlices(evidence: Evidence, scope: ScopeName): TurnSlice[] {
  const occupations = occupationsOf(evidence);
  const indexOf = new Uint32Array(evidence.size);
  occupations.forEach(({ row }, i) => {
    indexOf[row] = i;
  });
  const rows = Uint32Array.from(occupations, ({ row }) => row);
  return partition(evidence, scope, rows).map((part) => {
    const members = Array.from(part, (row) => occupations[indexOf[row] as number] as Occupation);
    return sliceOf(evidence, scope, members);
  });
}

function sliceOf(evidence: Evidence, scope: ScopeName, members: readonly Occupation[]): TurnSlice {
  const rows = members.map(({ row }) => row);
  const positionOf = (row: number) => {
    rows.push(row);
    return rows.length - 1;
  };
  const open = coresOf(members, ({ open: core }) => core, positionOf);
  const working = coresOf(members, ({ working: core }) => core, positionOf);
  return {
    size: members.length,
    row: Uint32Array.from(rows),
    from: Float64Array.from(rows, (row) => evidence.from[row] as number),
    to: Float64Array.from(rows, (row) => evidence.to[row] as number),
    part: Uint8Array.from(rows, (_, i) =>
      i < members.length ? partOf(evidence, members[i] as Occupation) : Part.maybe,
    ),
    until: Float64Array.from(members, ({ until }) => until),
    workFrom: Float64Array.from(members, ({ workFrom }) => workFrom),
    open,
    working,
    scope: labelsOf(evidence, scope, rows[0] as number),
  };
}

function partOf(evidence: Evidence, { row, own }: Occupation): Part {
  const answer = evidence.answer[row] as Answer;
  if (answer === Answer.refused) return refusalPart(evidence.refusedBy[row] as number, limitBit.concurrency);
  return answer === Answer.admitted && own ? Part.admitted : Part.maybe;
}

function coresOf(
  members: readonly Occupation[],
  pick: (member: Occupation) => Core | undefined,
  positionOf: (row: number) => number,
): Cores {
  const found: { readonly core: Core; readonly position: number }[] = [];
  let rising = true;
  members.forEach((member, position) => {
    const core = pick(member);
    if (!core) return;
    rising &&= core.from >= (found[found.length - 1]?.core.from ?? Number.NEGATIVE_INFINITY);
    found.push({ core, position });
  });
  if (!rising) found.sort((a, b) => a.core.from - b.core.from || a.position - b.position);
  return {
    size: found.length,
    from: Float64Array.from(found, ({ core }) => core.from),
    to: Float64Array.from(found, ({ core }) => core.to),
    proof: found.map(({ core, position }) => [position, ...core.polls.map(positionOf)]),
  };
}
