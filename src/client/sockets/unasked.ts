/** Counts the connections on which something came that no request had asked for. */
export class Unasked {
  #count = 0;

  readonly add = (): void => {
    this.#count++;
  };

  /** How many since it was last asked. */
  readonly take = (): number => {
    const taken = this.#count;
    this.#count = 0;
    return taken;
  };
}
