import { limitBit } from '../attribution.ts';
import { bytesOf, floatsOf } from '../columns.ts';
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
  const rows = new Uint32Array(occupations.length);
  for (let i = 0; i < rows.length; i++) rows[i] = (occupations[i] as Occupation).row;
  return partition(evidence, scope, rows).map((part) => {
    const members: Occupation[] = [];
    for (const row of part) members.push(occupations[indexOf[row] as number] as Occupation);
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
  const member = (i: number) => members[i] as Occupation;
  const row = (i: number) => rows[i] as number;
  return {
    size: members.length,
    row: Uint32Array.from(rows),
    from: floatsOf(rows.length, (i) => evidence.from[row(i)] as number),
    to: floatsOf(rows.length, (i) => evidence.to[row(i)] as number),
    part: bytesOf(rows.length, (i) => (i < members.length ? partOf(evidence, member(i)) : Part.maybe)),
    until: floatsOf(members.length, (i) => member(i).until),
    workFrom: floatsOf(members.length, (i) => member(i).workFrom),
    open,
    working,
    scope: labelsOf(evidence, scope, row(0)),
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
    from: floatsOf(found.length, (i) => found[i]?.core.from ?? Number.NaN),
    to: floatsOf(found.length, (i) => found[i]?.core.to ?? Number.NaN),
    proof: found.map(({ core, position }) => [position, ...core.polls.map(positionOf)]),
  };
}
