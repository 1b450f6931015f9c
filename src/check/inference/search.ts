/** Where a value is looked for: around `near`, from `low` to `high`, both included. */
export interface Within {
  readonly near: number;
  readonly low: number;
  readonly high: number;
  /** Whole numbers are found exactly; others to a thousandth of `near`, on the side that passes. */
  readonly isWhole: boolean;
}

/** The least value that passes a test which every greater one passes, too; `undefined` when `high` does not. */
export function leastThat(passes: (value: number) => boolean, within: Within): number | undefined {
  const { near, low, high, isWhole } = within;
  const start = Math.min(Math.max(near, low), high);
  const step = isWhole ? 1 : (high - low) / 1_000;
  const isAbove = passes(start);
  const end = isAbove ? low : high;
  // Away from what is near, by steps that double: mostly it is near.
  let before = start;
  for (let reach = step; before !== end; reach *= 2) {
    const value = isAbove ? Math.max(low, start - reach) : Math.min(high, start + reach);
    if (passes(value) !== isAbove) return between(passes, isAbove ? [value, before] : [before, value], within);
    before = value;
  }
  return isAbove ? low : undefined;
}

/** Halves until the two are next to each other: the one that fails, the one that passes. */
function between(
  passes: (value: number) => boolean,
  [fails, holds]: [number, number],
  { near, isWhole }: Within,
): number {
  let [failing, passing] = [fails, holds];
  const fine = isWhole ? 1 : Math.max(Math.abs(near) / 1_000, 1);
  while (passing - failing > fine) {
    const middle = isWhole ? Math.floor((failing + passing) / 2) : (failing + passing) / 2;
    if (passes(middle)) passing = middle;
    else failing = middle;
  }
  return passing;
}

/** The greatest value that passes a test which every lesser one passes, too; `undefined` when `low` does not. */
export function greatestThat(
  passes: (value: number) => boolean,
  { near, low, high, isWhole }: Within,
): number | undefined {
  const found = leastThat((value) => passes(-value), { near: -near, low: -high, high: -low, isWhole });
  return found === undefined ? undefined : -found;
}
