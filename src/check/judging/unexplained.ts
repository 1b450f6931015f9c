import type { WrongfulRefusal } from '../certificates/certificate.ts';
import { certificateOf } from '../certificates/certificate-of.ts';
import { limitBit } from '../evidence/attribution.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { isRefusal, Part } from '../evidence/slice.ts';
import type { Judged, Reading } from '../reading.ts';
import { isAnyPossible, type LimitCase, tellingSlices, type Variant } from './limit-case.ts';

/** Refusals, by this limit or ambiguous, that none of its readings explains. */
export interface Unexplained {
  readonly has: (row: number) => boolean;
  /** All such rows, rising. */
  readonly rows: () => readonly number[];
  /** One proof per rule that refutes the readings. */
  readonly prove: (row: number) => readonly WrongfulRefusal[];
}

/** What no reading explains even if everything counts that counts under any variant. */
export function unexplainedOf<S extends Judged>(about: LimitCase<S>, evidence: Evidence): Unexplained {
  const { asDeclared, unknown, readings } = about;
  const how = unknown?.widest ?? asDeclared;
  // The widest variant explains everything that the declared one explains: if that is every refusal, it need not be tried.
  const declared = failuresOf(about, asDeclared, evidence);
  const isDecided = how === asDeclared || (!declared && holdsEveryRefusal(about, evidence));
  const failures = isDecided ? declared : failuresOf(about, how, evidence);
  const isSure = failures && isAnyPossible(about) ? whateverBlocks(about, how, evidence) : () => true;
  const isFree = unknown?.mayBeFree ?? (() => false);
  const has = (row: number) => failures?.[row] === readings.length && !isFree(row) && isSure(row);
  return {
    has,
    rows: () => (failures ? [...failures.keys()].filter(has) : []),
    prove: (row) => proofs(about, how, evidence, row),
  };
}

/** Refusals that cannot result from blocking after an earlier refusal, or that no reading with blocking explains. */
function whateverBlocks<S extends Judged>(
  { every, bounds }: LimitCase<S>,
  how: Variant<S>,
  { size }: Evidence,
): (row: number) => boolean {
  if (!every.unblocked) return () => true;
  const sure = new Uint8Array(size);
  for (const slice of how.slices()) {
    for (const position of every.unexplained(slice, bounds)) sure[slice.row[position] as number] = 1;
    const isUnblocked = every.unblocked(slice, bounds);
    for (let i = 0; i < slice.part.length; i++)
      if (slice.part[i] !== Part.admitted && isUnblocked(i)) sure[slice.row[i] as number] = 1;
  }
  return (row) => sure[row] === 1;
}

/** Which readings a refusal that is certainly this limit's rules out even if refusals may block, under the widest variant. */
export function refusingRegardless<S extends Judged>(
  about: LimitCase<S>,
  evidence: Evidence,
): (reading: Pick<Reading<S>, 'unexplained'>) => boolean {
  const { unknown, bounds } = about;
  if (!unknown || !isAnyPossible(about) || !bounds.refusals.provable) return () => false;
  const { widest, mayBeFree = () => false } = unknown;
  let isSure: ((row: number) => boolean) | undefined;
  return (reading) =>
    widest.slices().some((slice) => {
      isSure ??= whateverBlocks(about, widest, evidence);
      for (const position of reading.unexplained(slice, bounds)) {
        const row = slice.row[position] as number;
        if (slice.part[position] === Part.refused && !mayBeFree(row) && isSure(row)) return true;
      }
      return false;
    });
}

/** Whether the declared variant includes every refusal that may be this limit's: what does not count there may count elsewhere. */
function holdsEveryRefusal<S extends Judged>({ asDeclared, limit }: LimitCase<S>, { refusedBy }: Evidence): boolean {
  const bit = limitBit[limit];
  let refusals = 0;
  for (let row = 0; row < refusedBy.length; row++) if (((refusedBy[row] as number) & bit) !== 0) refusals += 1;
  for (const { part } of asDeclared.slices())
    for (let i = 0; i < part.length; i++) if (isRefusal(part[i])) refusals -= 1;
  return refusals === 0;
}

/** Per row, the number of readings that do not explain it, one byte per row. `undefined` if one reading explains all. */
function failuresOf<S extends Judged>(
  about: LimitCase<S>,
  how: Variant<S>,
  { size }: Evidence,
): Uint8Array | undefined {
  const { readings, bounds } = about;
  if (!bounds.refusals.provable || readings.length === 0) return undefined;
  const failures = new Uint8Array(size);
  const slices = tellingSlices(about, how);
  for (const reading of readings) {
    let some = false;
    for (const slice of slices)
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
    // A row that only may have counted here is not judged.
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
