import type { ColumnDoc } from '../column-doc.ts';

/** A sentence for each member of a record; ` (µs)` at its end is the unit. A member without one does not compile. */
export type MembersOf<Record> = { readonly [Member in keyof Required<Record>]: string };

/** Rows for a table. @param within name of the member that holds these members, if they are not the record's own */
export function docsOf(members: Readonly<Record<string, string>>, within?: string): ColumnDoc[] {
  return Object.entries(members).map(([name, text]) => {
    const inMicros = text.endsWith(' (µs)');
    return {
      name: within === undefined ? name : `${within}.${name}`,
      ...(inMicros && { unit: 'µs' }),
      meaning: inMicros ? text.slice(0, -5) : text,
    };
  });
}
