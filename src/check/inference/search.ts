/** A search range from `low` to `high`, both included; the value is expected around `near`. */
export interface Within {
  readonly near: number;
  readonly low: number;
  readonly high: number;
  /**
   * Whole numbers are found exactly; others to a ten-thousandth of the value, on the side that passes, and to 1 if none or next to
   * none is expected: a duration, of which parts of a microsecond mean nothing.
   */
  readonly isWhole: boolean;
}

/** The lowest value that passes a test, if all greater values pass, too; `undefined` if `high` does not pass. */
export function leastThat(passes: (value: number) => boolean, within: Within): number | undefined {
  const { near, low, high, isWhole } = within;
  const start = Math.min(Math.max(near, low), high);
  const step = isWhole ? 1 : (high - low) / 1_000;
  const isAbove = passes(start);
  const end = isAbove ? low : high;
  // Moves away from `near` in doubling steps, because the value is usually close.
  let before = start;
  for (let reach = step; before !== end; reach *= 2) {
    const value = isAbove ? Math.max(low, start - reach) : Math.min(high, start + reach);
    if (passes(value) !== isAbove) return between(passes, isAbove ? [value, before] : [before, value], within);
    before = value;
  }
  return isAbove ? low : undefined;
}

/** Bisects until the failing and the passing value are adjacent. */
function between(
  passes: (value: number) => boolean,
  [fails, holds]: [number, number],
  { near, isWhole }: Within,
): number {
  let [failing, passing] = [fails, holds];
  // By the value, not by what is expected: a service may be a hundred times as slow as declared.
  const least = Math.abs(near) / 100;
  const fine = (value: number) => (isWhole || least < 0.01 ? 1 : Math.max(Math.abs(value), least) / 10_000);
  while (passing - failing > fine(passing)) {
    const middle = isWhole ? Math.floor((failing + passing) / 2) : (failing + passing) / 2;
    if (passes(middle)) passing = middle;
    else failing = middle;
  }
  return passing;
}

/** The greatest value that passes a test, if all lower values pass, too; `undefined` if `low` does not pass. */
export function greatestThat(
  passes: (value: number) => boolean,
  { near, low, high, isWhole }: Within,
): number | undefined {
  const found = leastThat((value) => passes(-value), { near: -near, low: -high, high: -low, isWhole });
  return found === undefined ? undefined : -found;
}
