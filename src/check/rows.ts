/** What is kept of each attempt, in the order of the records. */
export interface Rows {
  /** Run time, µs. `until`: the headers, or how long the service may still have acted on it. */
  readonly sentAt: Float64Array;
  readonly until: Float64Array;
  /** An `Answer` each; a doubtful record's is `maybe`. */
  readonly answer: Uint8Array;
  /** Of a 429: which limits it may belong to (`LimitSet`); else 0. */
  readonly refusedBy: Uint8Array;
  /** 1: a 429 whose error code names no limit, or that has none, as one of an intermediary. */
  readonly unnamed: Uint8Array;
  /** HTTP status; 0 when none came, or with a body that cannot be used, so that it may be an intermediary's. */
  readonly status: Uint32Array;
  /** Index into `operationIds`. */
  readonly operation: Uint8Array;
  /** A `Replay` each. */
  readonly replay: Uint8Array;
  /** 1: its content differs from that of the first record with its client_message_id. */
  readonly otherContent: Uint8Array;
  /** 1: an impossible record (`doubtAbout`) or one of several with one sequence number. */
  readonly doubtful: Uint8Array;
  /** Number of the place (`Places`). */
  readonly place: Uint32Array;
  /** Number of the client_message_id within its conversation, or what the profile's `idempotency.scope` says; 0 is absence. */
  readonly message: Uint32Array;
  readonly turn: Uint32Array;
  readonly seq: Float64Array;
  readonly worker: Uint32Array;
}

/** So many rows there is room for at first: most histories are small, and many are judged in a row. */
const FEW = 64;

/** One shape, and each column of one type: writing to them is then a matter of nanoseconds. */
const columnsFor = (rows: number): Rows => ({
  sentAt: new Float64Array(rows),
  until: new Float64Array(rows),
  answer: new Uint8Array(rows),
  refusedBy: new Uint8Array(rows),
  unnamed: new Uint8Array(rows),
  status: new Uint32Array(rows),
  operation: new Uint8Array(rows),
  replay: new Uint8Array(rows),
  otherContent: new Uint8Array(rows),
  doubtful: new Uint8Array(rows),
  place: new Uint32Array(rows),
  message: new Uint32Array(rows),
  turn: new Uint32Array(rows),
  seq: new Float64Array(rows),
  worker: new Uint32Array(rows),
});

const names = Object.keys(columnsFor(0)) as readonly (keyof Rows)[];

/** Rows while they come: columns that grow together. */
export class GrowingRows {
  #columns = columnsFor(FEW);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** To be read and written below `size`; other arrays after each `add`. */
  get columns(): Rows {
    return this.#columns;
  }

  /** Makes room for a row, all zeros. @returns its index */
  add(): number {
    if (this.#size === this.#columns.seq.length) {
      const larger = columnsFor(this.#size * 2);
      for (const name of names) larger[name].set(this.#columns[name]);
      this.#columns = larger;
    }
    this.#size += 1;
    return this.#size - 1;
  }

  /** The rows so far; not a copy. */
  finish(): Rows {
    const all = names.map((name) => [name, this.#columns[name].subarray(0, this.#size)]);
    return Object.fromEntries(all) as Rows;
  }
}

/** Rows in rising order of `from`; equal instants in that of `seq`. Records come almost in order, which insertion likes. */
export function risingOrder(from: Float64Array, seq: Float64Array): Uint32Array {
  const before = (a: number, b: number) =>
    (from[a] as number) - (from[b] as number) || (seq[a] as number) - (seq[b] as number) || a - b;
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
