/** Documentation of a column or member of an export. The README's tables and the CSV headers are generated from the same list. */
export interface ColumnDoc {
  readonly name: string;
  /** `µs`, `ms`, `bytes`, …; absent if there is no unit. */
  readonly unit?: string;
  /** A sentence without a full stop. Includes the meaning of an empty field, if it can be empty. */
  readonly meaning: string;
}

const MICROS = ' (µs)';

/** Documentation of a member. @param text its meaning; ` (µs)` at the end is the unit */
export const docOf = (name: string, text: string): ColumnDoc =>
  text.endsWith(MICROS) ? { name, unit: 'µs', meaning: text.slice(0, -MICROS.length) } : { name, meaning: text };
