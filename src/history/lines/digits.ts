const ZERO = 0x30;
const MILLION = 1_000_000;
/** 1, 10, 100, … up to the largest power of ten that a safe integer reaches. */
const POWERS = Array.from({ length: 17 }, (_, exponent) => 10 ** exponent);

/** Number of decimal digits of an integer ≥ 0. */
export function digitsOf(value: number): number {
  let digits = 1;
  while (digits < 16 && value >= (POWERS[digits] ?? 0)) digits++;
  return digits;
}

/** Whether a number is an integer with exactly this many decimal digits. */
export const hasDigits = (value: number, digits: number): boolean =>
  Number.isInteger(value) &&
  value < (POWERS[digits] ?? 0) &&
  (digits === 1 ? value >= 0 : value >= (POWERS[digits - 1] ?? 0));

/** Writes an integer with exactly this many digits. @returns the offset after it */
export function putDigits(bytes: Uint8Array, at: number, value: number, digits: number): number {
  const end = at + digits;
  let place = end;
  let rest = value;
  // In 32-bit steps: division of larger numbers is slow.
  if (rest >= MILLION) {
    const high = Math.floor(rest / MILLION);
    let low = (rest - high * MILLION) | 0;
    for (let left = 6; left > 0; left--) {
      const tenth = (low / 10) | 0;
      bytes[--place] = ZERO + low - tenth * 10;
      low = tenth;
    }
    rest = high;
  }
  if (rest >= MILLION) {
    putDigits(bytes, at, rest, place - at);
    return end;
  }
  let low = rest | 0;
  while (place > at) {
    const tenth = (low / 10) | 0;
    bytes[--place] = ZERO + low - tenth * 10;
    low = tenth;
  }
  return end;
}

/** Writes an integer ≥ 0. @returns the offset after it */
export const putNumber = (bytes: Uint8Array, at: number, value: number): number =>
  putDigits(bytes, at, value, digitsOf(value));
