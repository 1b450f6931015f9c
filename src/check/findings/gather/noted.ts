import { words, wordsThat } from '../../evidence/columns.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { byBeginning } from '../../evidence/rows.ts';

/** Something that is reported once, however many answers show it. */
export interface Noted {
  /** The row that was sent first. */
  readonly first: number;
  readonly count: number;
}

/** By name, the rows that show it. */
export type Notes = Map<string, ReturnType<typeof words>>;

/** Limit of distinct names, because a service may invent any number. */
const MOST_NAMES = 1_000;

export function note(notes: Notes, name: string, row: number): void {
  if (!notes.has(name) && notes.size < MOST_NAMES) notes.set(name, words());
  notes.get(name)?.push(row);
}

/** Without doubtful records, which are known only when all have been read. */
export function believed(notes: Notes, { doubtful, sentAt, seq }: Evidence): ReadonlyMap<string, Noted> {
  const before = byBeginning(sentAt, seq);
  const sound = [...notes].map(([name, rows]) => ({
    name,
    rows: wordsThat(rows.values(), (row) => doubtful[row] === 0),
  }));
  const shown = sound.filter(({ rows }) => rows.length > 0);
  return new Map(
    shown.map(({ name, rows }) => [
      name,
      { first: rows.reduce((first, row) => (before(row, first) < 0 ? row : first)), count: rows.length },
    ]),
  );
}
