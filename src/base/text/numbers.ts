const counts = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, signDisplay: 'negative' });

/** Formats a count: `12,345`. Small ones, which are most, without `Intl`, which takes twenty times as long. */
export const formatCount = (count: number): string =>
  Number.isInteger(count) && count >= 0 && count < 1_000 ? String(count) : counts.format(count);

/** `1 turn`, `2 turns`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/**
 * Formats a share: `37.5 %`. It is rounded neither to `100 %` if it is less, nor to `0 %` if it is more.
 * @returns `–` if `whole` is 0
 */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (part < whole && percent > 99.9) return percent > 99.99 ? '> 99.99 %' : `${Math.floor(percent * 100) / 100} %`;
  // Otherwise such a bound would be told as 1.84e-11 %.
  if (percent > 0 && percent < 0.0001) return '< 0.0001 %';
  return `${Number(percent.toPrecision(3))} %`;
}
