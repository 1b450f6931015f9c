import type { WrongfulRefusal } from './certificate.ts';
import { certificateOf } from './certificate-of.ts';
import type { Evidence } from './evidence.ts';
import type { LimitCase, Variant } from './limit-case.ts';
import type { Judged } from './reading.ts';
import { Part } from './slice.ts';

/** Refusals, this limit's and ambiguous ones, that none of its readings explains. */
export interface Unexplained {
  readonly has: (row: number) => boolean;
  /** All of them, rising. */
  readonly rows: () => readonly number[];
  /** One proof per rule that the readings are refuted by. */
  readonly prove: (row: number) => readonly WrongfulRefusal[];
}

/**
 * @param how under which no refusal is unexplained that another variant explains: the widest, or the declared one
 */
export function unexplainedOf<S extends Judged>(about: LimitCase<S>, how: Variant<S>, evidence: Evidence): Unexplained {
  // By how many readings each row is not explained: a byte a row, whatever their number.
  const failures = new Uint8Array(evidence.size);
  const { readings, bounds } = about;
  const slices = bounds.refusals.provable ? how.slices() : [];
  for (const reading of readings)
    for (const slice of slices)
      for (const position of reading.unexplained(slice, bounds)) {
        const row = slice.row[position] as number;
        failures[row] = (failures[row] as number) + 1;
      }
  const has = (row: number) => readings.length > 0 && failures[row] === readings.length;
  return {
    has,
    rows: () => [...failures.keys()].filter(has),
    prove: (row) => proofs(about, how, evidence, row),
  };
}

function proofs<S extends Judged>(
  { readings, bounds, limit }: LimitCase<S>,
  how: Variant<S>,
  evidence: Evidence,
  row: number,
): readonly WrongfulRefusal[] {
  const byRule = new Map<string, WrongfulRefusal>();
  for (const slice of how.slices()) {
    const position = Array.prototype.indexOf.call(slice.row, row);
    // Where it only may have counted, it is not judged.
    if (position < 0 || slice.part[position] === Part.maybe) continue;
    for (const reading of readings) {
      const draft = reading.wrongfulRefusal(slice, bounds, position);
      const names = { limit, reading: reading.name, counts: how.counts };
      if (!byRule.has(draft.rule))
        byRule.set(draft.rule, certificateOf(draft, names, slice, bounds, evidence) as WrongfulRefusal);
    }
  }
  return [...byRule.values()];
}
