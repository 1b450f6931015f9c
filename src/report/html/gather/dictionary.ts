/** Stores distinct values once, by index. When it has `most` values, new values are replaced by a common substitute. */
export class Dictionary<T> {
  readonly #most: number;
  readonly #indices = new Map<string, number>();
  readonly #values: T[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** @param rest key and value of the substitute of a value; must have few results, because each is stored */
  indexOf(key: string, value: T, rest: (value: T) => readonly [key: string, value: T]): number {
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    if (this.#values.length < this.#most) return this.#keep(key, value);
    const [commonKey, common] = rest(value);
    return this.#indices.get(commonKey) ?? this.#keep(commonKey, common);
  }

  values(): readonly T[] {
    return this.#values;
  }

  #keep(key: string, value: T): number {
    this.#indices.set(key, this.#values.length);
    return this.#values.push(value) - 1;
  }
}
