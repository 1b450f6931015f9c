import { Replay } from './evidence.ts';
import type { Rows } from './rows.ts';

/** A gap in a worker's numbers: requests that were sent, and of which the history tells nothing. */
interface Gap {
  readonly worker: number;
  readonly seq: number;
  /** No earlier than this were they sent, run time: a worker numbers its requests as it sends them. */
  readonly since: number;
}

/**
 * Where records are missing, a message that was first sent after the first of those may be the replay of one, also where its client
 * does not say that it was sent before: which is free of charge, or holds another's slot. So it is as one that is older than the
 * history.
 * @param has whether there is an exchange of that number
 * @param workers how many sent, as far as is known
 */
export function markAfterLost(rows: Rows, has: (worker: number, seq: number) => boolean, workers: number): void {
  const all = new Set(rows.worker);
  for (let worker = 0; worker < workers; worker++) all.add(worker);
  const gaps = [...all].map((worker) => gapOf(rows, worker, has));
  const { message, replay, doubtful, worker, seq, sentAt } = rows;
  const isAfter = (row: number) =>
    gaps.some((gap) =>
      gap.worker === worker[row] ? (seq[row] as number) > gap.seq : (sentAt[row] as number) >= gap.since,
    );
  const known = new Set<number>();
  for (let row = 0; row < message.length; row++)
    if (doubtful[row] === 0 && !isAfter(row)) known.add(message[row] as number);
  for (let row = 0; row < message.length; row++)
    if (message[row] !== 0 && !known.has(message[row] as number)) replay[row] = Replay.marked;
}

/** The first that is missing; where none is, the next one: what a worker sent last may have left no line. */
function gapOf(
  { worker, seq, sentAt, doubtful }: Rows,
  of: number,
  has: (worker: number, seq: number) => boolean,
): Gap {
  let first = 0;
  while (has(of, first)) first += 1;
  let since = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < seq.length; row++)
    if (worker[row] === of && (seq[row] as number) < first && doubtful[row] === 0)
      since = Math.max(since, sentAt[row] as number);
  return { worker: of, seq: first, since };
}
