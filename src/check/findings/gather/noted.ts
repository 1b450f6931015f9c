import type { Exchange } from '../../../history/index.ts';
import type { Evidence } from '../../evidence/evidence.ts';

/** Something that is reported once, however many answers show it. */
export interface Noted {
  /** The row that was sent first. */
  readonly first: number;
  readonly count: number;
}

export interface Noting extends Noted {
  readonly sentAt: number;
  readonly seq: number;
}

/** Limit of distinct names, because a service may invent any number. */
const MOST_NAMES = 1_000;

export function note(notes: Map<string, Noting>, name: string, { sentAt, seq }: Exchange, row: number): void {
  const known = notes.get(name);
  if (!known && notes.size >= MOST_NAMES) return;
  const stands = known && (known.sentAt < sentAt || (known.sentAt === sentAt && known.seq < seq));
  notes.set(name, { ...(stands ? known : { first: row, sentAt, seq }), count: (known?.count ?? 0) + 1 });
}

/** Without what a doubtful record showed first. */
export const believed = (notes: ReadonlyMap<string, Noted>, { doubtful }: Evidence): ReadonlyMap<string, Noted> =>
  new Map([...notes].filter(([, { first }]) => doubtful[first] === 0));
