import type { Evidence } from './evidence.ts';
import type { LimitCase, Variant } from './limit-case.ts';
import type { Judged } from './reading.ts';
import { Part } from './slice.ts';

/**
 * Which refused rows count as refusals by this limit: under the declared variant, or under any variant if no reading is declared.
 * A code may name a limit that does not count such requests at all; that refusal shows nothing about the limit.
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
