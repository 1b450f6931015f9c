import type { MarkColumns, MarkKind, Marks } from '../html/page-data.ts';

/** All exchanges of a picture, in order of sending. Grows while a run goes on. */
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
  /** Positions in order of sending. */
  order: number[] = [];

  constructor(marks: Marks) {
    this.counts = marks.counts;
    this.whole = marks.whole;
    this.append(marks, 0, 0);
  }

  get size(): number {
    return this.sentAt.length;
  }

  /** @param kindsFrom where its kinds begin in ours, and its users */
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

  /** The first place in `order` at or after an instant. */
  placeOf(at: number): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sentAt[this.order[middle] ?? 0] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many that count were sent by an application within (from, to), the one at `except` left out. */
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

/** From differences to values; each batch begins with a value of its own. */
function pushSums(target: number[], differences: readonly number[]): void {
  let sum = 0;
  for (const difference of differences) {
    sum += difference;
    target.push(sum);
  }
}

const isRising = (values: readonly number[]): boolean =>
  values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0));
