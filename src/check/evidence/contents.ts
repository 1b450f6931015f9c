import { floats } from './columns.ts';

/** How many hexadecimal digits of a digest are kept: 52 bits, which a double holds exactly. */
const KEPT_DIGITS = 13;

/** Remembers the content of each message in eight bytes, to distinguish a resend with the same content from one with another. */
export class Contents {
  readonly #first = floats();

  /**
   * @param message number of the message; new ones come in rising order, from 1
   * @returns the stored form of a content that differs from the message's first record; `undefined` if it is the same
   */
  another(message: number, digest: string): number | undefined {
    const kept = keptOf(digest);
    if (message > this.#first.size) {
      this.#first.push(kept);
      return undefined;
    }
    return this.#first.values()[message - 1] === kept ? undefined : kept;
  }
}

/**
 * Digests are hexadecimal (`digestWith`). Anything else is folded into two numbers of 26 bits, so that different values rarely become
 * equal. One of 52 bits would have to be multiplied beyond what a double holds exactly, which loses the last characters.
 */
function keptOf(digest: string): number {
  if (/^[0-9a-f]{32}$/.test(digest)) return Number.parseInt(digest.slice(0, KEPT_DIGITS), 16);
  let [high, low] = [7, 7];
  for (let i = 0; i < digest.length; i++) {
    const code = digest.charCodeAt(i);
    high = (high * 31 + code) % 67_108_859;
    low = (low * 37 + code) % 67_108_837;
  }
  return high * 2 ** 26 + low;
}
