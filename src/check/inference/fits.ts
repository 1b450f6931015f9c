import type { LimitName } from '../../api/index.ts';
import { formatCount } from '../../base/index.ts';
import type { Parameters, Range } from '../reading.ts';

const counted: Readonly<Record<LimitName, string>> = { rate: 'request', concurrency: 'turn', daily: 'new message' };

/** `20 to 22 requests; a window of 59.9 s to 60.1 s`; empty if nothing is known. @param declaredUs the declared window */
export function fitsOf(
  limit: LimitName,
  { max, windowUs, capacity, perWindow, releaseGraceUs, phaseUs }: Parameters,
  declaredUs: number,
): string {
  const what = `${counted[limit]}${max?.from === 1 && max.to === 1 ? '' : 's'}`;
  const fits = [
    ...(max ? [`${rangeOf(max, plain)} ${what}`] : []),
    ...(windowUs ? [`a window of ${rangeOf(windowUs, seconds)}`] : []),
    ...(capacity ? [`a capacity of ${rangeOf(capacity, plain)}`] : []),
    ...(perWindow ? [`${rangeOf(perWindow, plain)} regained per window`] : []),
    ...(releaseGraceUs ? [`slots released within ${rangeOf(releaseGraceUs, seconds)}`] : []),
    ...(phaseUs ? beginningsOf(phaseUs, declaredUs) : []),
  ];
  return fits.join('; ');
}

type Rounding = (value: number) => number;
type Say = (value: number, round: Rounding) => string;

/** Rounded outward, so that few digits never leave out a number that fits. */
function rangeOf({ from, to }: Range, say: Say): string {
  if (from === undefined) return `${say(to ?? 0, Math.ceil)} or less`;
  const [least, most] = [say(from, Math.floor), to === undefined ? undefined : say(to, Math.ceil)];
  if (most === undefined) return `${least} or more`;
  return least === most ? least : `${least} to ${most}`;
}

type ArcUs = readonly [number, number];

/** Above this number, arcs are not described. */
const MOST_ARCS = 3;

/** `windows that begin 1.2 s to 1.9 s after each whole 60 s of the service's clock`; empty if they may begin anywhere. */
function beginningsOf(arcs: readonly ArcUs[], windowUs: number): string[] {
  const joined = acrossZero(arcs, windowUs);
  const length = joined.reduce((sum, [from, to]) => sum + to - from, 0);
  if (length >= windowUs || joined.length > MOST_ARCS) return [];
  return [
    `windows that begin ${joined.map(arcText).join(' or ')} each whole ${Number((windowUs / 1e6).toPrecision(6))} s of the service's clock`,
  ];
}

/** Joins arcs that meet at zero; the joined arc begins before zero. So does an arc that passes the end of the circle. */
function acrossZero(arcs: readonly ArcUs[], windowUs: number): readonly ArcUs[] {
  const whole = arcs.map(([from, to]): ArcUs => (from > to ? [from - windowUs, to] : [from, to]));
  const first = whole.find(([from]) => from === 0);
  const last = whole.find(([from, to]) => (to === windowUs && from > 0) || (to === 0 && from < 0));
  if (!first || !last) return whole;
  const others = whole.filter((one) => one !== first && one !== last);
  return [[last[0] - (last[1] === windowUs ? windowUs : 0), first[1]], ...others];
}

function arcText([from, to]: ArcUs): string {
  if (from >= 0) return `${seconds(from, Math.floor)} to ${seconds(to, Math.ceil)} after`;
  const before = seconds(-from, Math.ceil);
  const after = seconds(to, Math.ceil);
  return before === after ? `within ${after} of` : `between ${before} before and ${after} after`;
}

/** Whole numbers are counts, and told whole; others have four digits, as the search is that exact. */
const plain: Say = (value, round) => {
  const told = Number.isInteger(value) ? value : inFourDigits(value, round);
  return Number.isInteger(told) ? formatCount(told) : `${told}`;
};

function seconds(us: number, round: Rounding): string {
  if (us < 1_000) return round(us / 1_000) > 0 ? 'a millisecond' : '0 s';
  return `${inFourDigits(us / 1e6, round)} s`;
}

function inFourDigits(value: number, round: Rounding): number {
  const step = 10 ** (Math.floor(Math.log10(value)) - 3);
  // Twelve digits, so that 54.4 does not become 54.5 by what binary fractions leave over.
  const steps = Number((value / step).toPrecision(12));
  return Number((round(steps) * step).toPrecision(4));
}
