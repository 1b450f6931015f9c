/** Counts the connections on which unrequested bytes arrived. */
export class Unasked {
  #count = 0;

  readonly add = (): void => {
    this.#count++;
  };

  /** How many since the last call. */
  readonly take = (): number => {
    const taken = this.#count;
    this.#count = 0;
    return taken;
  };
}
