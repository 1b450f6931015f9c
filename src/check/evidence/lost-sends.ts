import { Replay } from './evidence.ts';
import type { Rows } from './rows.ts';

/** A gap in a worker's sequence numbers: requests that were sent and are missing from the history. */
interface Gap {
  readonly worker: number;
  readonly seq: number;
  /** The earliest run time at which they can have been sent: a worker numbers its requests as it sends them. */
  readonly since: number;
}

/**
 * If records are missing, a message first sent after the first missing one may repeat it, even if its client does not say so. A
 * replay may be free of charge, or share another attempt's slot. So such a message is treated like one that is older than the
 * history.
 * @param has whether there is an exchange with that number
 * @param workers number of workers that sent, as far as is known
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

/** From the first missing number on; if none is missing, from the next number: the last request of a worker may have left no line. */
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
