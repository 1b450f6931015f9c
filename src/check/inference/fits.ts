import type { LimitName } from '../../api/index.ts';
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

function rangeOf({ from, to }: Range, say: (value: number) => string): string {
  if (from === undefined) return `${say(to ?? 0)} or less`;
  if (to === undefined) return `${say(from)} or more`;
  return say(from) === say(to) ? say(from) : `${say(from)} to ${say(to)}`;
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
    `windows that begin ${joined.map(arcText).join(' or ')} each whole ${seconds(windowUs)} of the service's clock`,
  ];
}

/** Joins arcs that meet at zero; the joined arc begins before zero. So does an arc that passes the end of the circle. */
function acrossZero(arcs: readonly ArcUs[], windowUs: number): readonly ArcUs[] {
  const whole = arcs.map(([from, to]): ArcUs => (from > to ? [from - windowUs, to] : [from, to]));
  const first = whole.find(([from]) => from === 0);
  const last = whole.find(([from, to]) => to === windowUs && from > 0);
  if (!first || !last) return whole;
  const others = whole.filter((one) => one !== first && one !== last);
  return [[last[0] - windowUs, first[1]], ...others];
}

function arcText([from, to]: ArcUs): string {
  if (from >= 0) return `${seconds(from)} to ${seconds(to)} after`;
  const [before, after] = [seconds(-from), seconds(to)];
  return before === after ? `within ${after} of` : `between ${before} before and ${after} after`;
}

const plain = (value: number) => `${Number(value.toPrecision(3))}`;
const seconds = (us: number) => (us > 0 && us < 1_000 ? 'a millisecond' : `${Number((us / 1e6).toPrecision(3))} s`);
