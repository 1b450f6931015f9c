import type { Evidence } from './evidence.ts';
import type { LimitCase, Variant } from './limit-case.ts';
import type { Judged } from './reading.ts';
import { Part } from './slice.ts';

/**
 * Whether a refused row stands before this limit's readings, under what is declared or, where nothing is, under anything that may be. A
 * code may name a limit that counts nothing of the kind; such a refusal shows nothing of it.
 */
export function refusalsBefore<S extends Judged>(
  { asDeclared, unknown }: LimitCase<S>,
  { size }: Evidence,
): (row: number) => boolean {
  let declared: Uint8Array | undefined;
  let widest: Uint8Array | undefined;
  return (row) => {
    declared ??= refusedIn(asDeclared, size);
    if (declared[row] === 1) return true;
    if (unknown) widest ??= refusedIn(unknown.widest, size);
    return widest?.[row] === 1;
  };
}

function refusedIn<S extends Judged>(how: Variant<S>, size: number): Uint8Array {
  const refused = new Uint8Array(size);
  for (const { row, part } of how.slices())
    for (let i = 0; i < part.length; i++)
      if (part[i] === Part.refused || part[i] === Part.ambiguous) refused[row[i] as number] = 1;
  return refused;
}
