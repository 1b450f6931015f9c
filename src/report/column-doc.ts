/** Documentation of a column or member of an export. The README's tables and the CSV headers are generated from the same list. */
export interface ColumnDoc {
  readonly name: string;
  /** `µs`, `ms`, `bytes`, …; absent if there is no unit. */
  readonly unit?: string;
  /** A sentence without a full stop. Includes the meaning of an empty field, if it can be empty. */
  readonly meaning: string;
}
