import { type ColumnDoc, docOf } from '../column-doc.ts';

/** A sentence for each member of a record; ` (µs)` at its end is the unit. A member without one does not compile. */
export type MembersOf<Record> = { readonly [Member in keyof Required<Record>]: string };

/** Rows for a table. @param within name of the member that holds these members, if they are not the record's own */
export const docsOf = (members: Readonly<Record<string, string>>, within?: string): ColumnDoc[] =>
  Object.entries(members).map(([name, text]) => docOf(within === undefined ? name : `${within}.${name}`, text));
