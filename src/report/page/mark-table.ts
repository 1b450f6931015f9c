import type { MarkColumns, MarkKind, Marks } from '../html/page-data.ts';

/** The exchanges of a page as columns. Grows while a run is in progress. */
export class MarkTable {
  sentAt: number[] = [];
  service: number[] = [];
  waited: number[] = [];
  kind: number[] = [];
  user: number[] = [];
  seq: number[] = [];
  worker: number[] = [];
  kinds: MarkKind[] = [];
  users: string[] = [];
  named = new Set<number>();
  counts: Marks['counts'];
  whole: boolean;
  /** Indices in order of sending. */
  order: number[] = [];

  constructor(marks: Marks) {
    this.counts = marks.counts;
    this.whole = marks.whole;
    this.append(marks, 0, 0);
  }

  get size(): number {
    return this.sentAt.length;
  }

  /** @param kindsFrom index at which the kinds of `marks` begin in `this.kinds` @param usersFrom the same for users */
  append(marks: Marks, kindsFrom: number, usersFrom: number): void {
    const before = this.size;
    const { columns } = marks;
    pushSums(this.sentAt, columns.sentAt);
    pushSums(this.seq, columns.seq);
    for (const name of ['service', 'waited', 'kind', 'user'] as const) pushAll(this[name], columns[name]);
    pushAll(this.worker, columns.worker ?? columns.seq.map(() => -1));
    this.kinds = [...this.kinds.slice(0, kindsFrom), ...marks.kinds];
    this.users = [...this.users.slice(0, usersFrom), ...marks.users];
    for (const index of marks.named) this.named.add(before + index);
    this.counts = marks.counts;
    this.whole = marks.whole;
    for (let i = before; i < this.size; i++) this.order.push(i);
    if (!isRising(this.sentAt)) this.order.sort((a, b) => (this.sentAt[a] ?? 0) - (this.sentAt[b] ?? 0));
  }

  kindAt(index: number): MarkKind | undefined {
    return this.kinds[this.kind[index] ?? -1];
  }

  /** The first position in `order` at or after an instant. */
  placeOf(at: number): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sentAt[this.order[middle] ?? 0] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Number of counted exchanges of an application sent from `from` to `to`, without the one at index `except`. */
  countedWithin(application: string, from: number, to: number, except: number): number {
    let counted = 0;
    for (let place = this.placeOf(from); place < this.order.length; place++) {
      const index = this.order[place] ?? 0;
      if ((this.sentAt[index] ?? 0) > to) break;
      const kind = this.kindAt(index);
      if (index !== except && kind?.counted && kind.application === application) counted += 1;
    }
    return counted;
  }
}

function pushAll(target: number[], values: MarkColumns['service']): void {
  for (const value of values) target.push(value);
}

/** Appends values given as differences; the first difference of each batch is absolute. */
function pushSums(target: number[], differences: readonly number[]): void {
  let sum = 0;
  for (const difference of differences) {
    sum += difference;
    target.push(sum);
  }
}

const isRising = (values: readonly number[]): boolean =>
  values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0));
