import { limitBit } from './attribution.ts';
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

/** What no reading explains where everything counts that any variant counts. */
export function unexplainedOf<S extends Judged>(about: LimitCase<S>, evidence: Evidence): Unexplained {
  const { asDeclared, unknown } = about;
  const how = unknown?.widest ?? asDeclared;
  // The widest variant explains all that the declared one explains: it need not be asked where that is every refusal.
  const declared = failuresOf(about, asDeclared, evidence);
  const isDecided = how === asDeclared || (!declared && holdsEveryRefusal(about, evidence));
  const failures = isDecided ? declared : failuresOf(about, how, evidence);
  const has = (row: number) => failures !== undefined && failures[row] === about.readings.length;
  return {
    has,
    rows: () => (failures ? [...failures.keys()].filter(has) : []),
    prove: (row) => proofs(about, how, evidence, row),
  };
}

/** Whether the declared variant has all that may have been refused by this limit: what does not count there may count elsewhere. */
function holdsEveryRefusal<S extends Judged>({ asDeclared, limit }: LimitCase<S>, { refusedBy }: Evidence): boolean {
  const bit = limitBit[limit];
  let refusals = 0;
  for (let row = 0; row < refusedBy.length; row++) if (((refusedBy[row] as number) & bit) !== 0) refusals += 1;
  for (const { part } of asDeclared.slices())
    for (let i = 0; i < part.length; i++) if (part[i] === Part.refused || part[i] === Part.ambiguous) refusals -= 1;
  return refusals === 0;
}

/** By how many readings each row is not explained: a byte a row, whatever their number. `undefined` when one explains all. */
function failuresOf<S extends Judged>(
  { readings, bounds }: LimitCase<S>,
  how: Variant<S>,
  { size }: Evidence,
): Uint8Array | undefined {
  if (!bounds.refusals.provable || readings.length === 0) return undefined;
  const failures = new Uint8Array(size);
  for (const reading of readings) {
    let some = false;
    for (const slice of how.slices())
      for (const position of reading.unexplained(slice, bounds)) {
        const row = slice.row[position] as number;
        failures[row] = (failures[row] as number) + 1;
        some = true;
      }
    if (!some) return undefined;
  }
  return failures;
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
