/** What is kept of each attempt, in the order of the records. */
export interface Rows {
  /** Run time, µs. `until`: arrival of the headers, or the latest instant at which the service may have acted on it. */
  readonly sentAt: Float64Array;
  readonly until: Float64Array;
  /** An `Answer` per row; `maybe` for a doubtful record. */
  readonly answer: Uint8Array;
  /** For a 429, the limits that may have refused it (`LimitSet`); otherwise 0. */
  readonly refusedBy: Uint8Array;
  /** 1 for a 429 without an error code, or whose code names no limit: it may be an intermediary's. */
  readonly unnamed: Uint8Array;
  /** 1 for a 429 whose body is not the service's error: it may be an intermediary's, so it is no evidence of a limit. */
  readonly foreign: Uint8Array;
  /** HTTP status. 0 if none came, or if the body is unusable, so that the answer may be an intermediary's. */
  readonly status: Uint32Array;
  /** Index into `operationIds`. */
  readonly operation: Uint8Array;
  /** A `Replay` per row. */
  readonly replay: Uint8Array;
  /** Which attempt at its request it is, from 1 on; 0 if there were more than 255. */
  readonly attempt: Uint8Array;
  /** 1 if its content differs from that of the first record with its client_message_id. */
  readonly otherContent: Uint8Array;
  /** 1 for an impossible record (`doubtAbout`) or one of several with the same sequence number. */
  readonly doubtful: Uint8Array;
  /** Number of the place (`Places`). */
  readonly place: Uint32Array;
  /** Number of the client_message_id within the scope of the profile's `idempotency.scope` (default: the conversation); 0 if absent. */
  readonly message: Uint32Array;
  readonly turn: Uint32Array;
  readonly seq: Float64Array;
  readonly worker: Uint32Array;
}

/** What is known of the rows while records are still being read. */
export interface KnownRows {
  readonly columns: Pick<Rows, 'sentAt' | 'until' | 'seq' | 'worker' | 'turn'>;
  /** Number of the conversation (`Places`); 0 if it names none. */
  readonly conversationOf: (row: number) => number;
}

/** Initial capacity in rows: most histories are small, and many are judged in succession. */
const FEW = 64;

const ROW_BYTES = 3 * 8 + 5 * 4 + 9;

/**
 * All objects have one shape and each column has one type, so that a write takes nanoseconds. One buffer for all of them, the widest
 * first, as each must begin at a multiple of its width: one for each column takes four times as long.
 */
function columnsFor(rows: number): Rows {
  const buffer = new ArrayBuffer(rows * ROW_BYTES);
  let end = 0;
  const from = (width: number) => {
    end += rows * width;
    return end - rows * width;
  };
  const floats = () => new Float64Array(buffer, from(8), rows);
  const words = () => new Uint32Array(buffer, from(4), rows);
  const bytes = () => new Uint8Array(buffer, from(1), rows);
  return {
    sentAt: floats(),
    until: floats(),
    seq: floats(),
    status: words(),
    place: words(),
    message: words(),
    turn: words(),
    worker: words(),
    answer: bytes(),
    refusedBy: bytes(),
    unnamed: bytes(),
    foreign: bytes(),
    operation: bytes(),
    replay: bytes(),
    attempt: bytes(),
    otherContent: bytes(),
    doubtful: bytes(),
  };
}

const names = Object.keys(columnsFor(0)) as readonly (keyof Rows)[];

/** Rows while they are being added: columns that grow together. */
export class GrowingRows {
  #columns = columnsFor(FEW);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Valid below `size`; replaced by other arrays at each `add`. */
  get columns(): Rows {
    return this.#columns;
  }

  /** Adds a row of zeros. @returns its index */
  add(): number {
    if (this.#size === this.#columns.seq.length) {
      const larger = columnsFor(this.#size * 2);
      for (const name of names) larger[name].set(this.#columns[name]);
      this.#columns = larger;
    }
    this.#size += 1;
    return this.#size - 1;
  }

  /** The rows so far; a view, not a copy. */
  finish(): Rows {
    const all = names.map((name) => [name, this.#columns[name].subarray(0, this.#size)]);
    return Object.fromEntries(all) as Rows;
  }
}

/** Compares rows by `from`; equal instants by `seq`. */
export const byBeginning =
  (from: Float64Array, seq: Float64Array) =>
  (a: number, b: number): number =>
    (from[a] as number) - (from[b] as number) || (seq[a] as number) - (seq[b] as number) || a - b;

/** Rows sorted by their beginning. Records are nearly sorted, for which insertion sort is fast. */
export function risingOrder(from: Float64Array, seq: Float64Array): Uint32Array {
  const before = byBeginning(from, seq);
  const order = new Uint32Array(from.length);
  let moves = from.length * 32;
  for (let i = 0; i < from.length; i++) {
    let at = i;
    while (at > 0 && before(order[at - 1] as number, i) > 0) {
      order[at] = order[at - 1] as number;
      at -= 1;
      moves -= 1;
    }
    order[at] = i;
    if (moves < 0) return order.map((_, k) => k).sort(before);
  }
  return order;
}
