/** The numbers 0 to n − 1 in a given order, any of which leaves the line at once: a doubly linked list. */
export class Line {
  /** Of each number, its neighbours; number n stands before the first and behind the last. Of one that left: itself. */
  readonly #next: Uint32Array;
  readonly #previous: Uint32Array;

  constructor(order: Uint32Array) {
    const size = order.length;
    this.#next = new Uint32Array(size + 1);
    this.#previous = new Uint32Array(size + 1);
    for (let place = 0; place <= size; place++) this.#join(order[place - 1] ?? size, order[place] ?? size);
  }

  has(one: number): boolean {
    return this.#next[one] !== one;
  }

  /** The first that is none of these; `undefined` if there is no other. */
  firstBut(...others: readonly (number | undefined)[]): number | undefined {
    const end = this.#next.length - 1;
    let one = this.#next[end] as number;
    while (one !== end && others.includes(one)) one = this.#next[one] as number;
    return one === end ? undefined : one;
  }

  remove(one: number): void {
    this.#join(this.#previous[one] as number, this.#next[one] as number);
    this.#next[one] = one;
  }

  #join(one: number, other: number): void {
    this.#next[one] = other;
    this.#previous[other] = one;
  }
}
