import { bytes, type Column, floats, words } from './columns.ts';

/** What is kept of each attempt, in the order of the records. */
export interface Rows {
  /** Run time, µs. `until`: the headers, or how long the service may still have acted on it. */
  readonly sentAt: Float64Array;
  readonly until: Float64Array;
  /** An `Answer` each; a doubtful record's is `maybe`. */
  readonly answer: Uint8Array;
  /** Of a 429: which limits it may belong to (`LimitSet`); else 0. */
  readonly refusedBy: Uint8Array;
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

export type RowColumns = { readonly [K in keyof Rows]: Column<Rows[K]> };

export const rowColumns = (): RowColumns => ({
  sentAt: floats(),
  until: floats(),
  answer: bytes(),
  refusedBy: bytes(),
  status: words(),
  operation: bytes(),
  replay: bytes(),
  otherContent: bytes(),
  doubtful: bytes(),
  place: words(),
  message: words(),
  turn: words(),
  seq: floats(),
  worker: words(),
});

export const rowsOf = (columns: RowColumns): Rows => ({
  sentAt: columns.sentAt.values(),
  until: columns.until.values(),
  answer: columns.answer.values(),
  refusedBy: columns.refusedBy.values(),
  status: columns.status.values(),
  operation: columns.operation.values(),
  replay: columns.replay.values(),
  otherContent: columns.otherContent.values(),
  doubtful: columns.doubtful.values(),
  place: columns.place.values(),
  message: columns.message.values(),
  turn: columns.turn.values(),
  seq: columns.seq.values(),
  worker: columns.worker.values(),
});

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
