/** So many are told apart from new ones: more than a service keeps of one user at the same time. */
const MOST = 1_000;

/** Labels of the tokens that a user had before the current one; the one used last is forgotten last. */
export class EarlierTokens {
  readonly #labels = new Map<string, string>();

  labelOf(token: string): string | undefined {
    return this.#labels.get(token);
  }

  add(token: string, label: string): void {
    this.#labels.delete(token);
    this.#labels.set(token, label);
    const [oldest] = this.#labels.keys();
    if (this.#labels.size > MOST && oldest !== undefined) this.#labels.delete(oldest);
  }
}
