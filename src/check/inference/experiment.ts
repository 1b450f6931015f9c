import { type Model, type ModelKind, models, type RateNumbers } from './models.ts';

/** `requests` sent at once, `atUs` after the first burst. */
export interface Burst {
  readonly atUs: number;
  readonly requests: number;
}

/** What to send to distinguish readings of the rate limit, after a whole window without any request. */
export interface Experiment {
  readonly bursts: readonly Burst[];
  readonly requests: number;
  readonly lastsUs: number;
  /** What each reading would admit of each burst at its most frequent phases, and in how many of a hundred phases. */
  readonly expected: readonly {
    readonly reading: string;
    readonly admitted: readonly number[];
    readonly percent: number;
  }[];
  /** How many pairs of readings it distinguishes in at least nine of ten phases, and how many pairs there are. */
  readonly pairs: readonly [told: number, all: number];
}

const PHASES = 60;
/**
 * The time for the search grows with the square of the limit: some ten milliseconds for this limit, seconds for thousands. Nor
 * would anybody send bursts of thousands to learn how a limit counts: a profile with a lower limit does as well.
 */
const HIGHEST_MAX = 200;
/** An experiment distinguishes two readings if they show the same in at most this many of a hundred phases. */
const CONFUSED_PERCENT = 10;

/** Shapes of bursts that distinguish readings with few requests, found by a search over bursts and phases (fractions of N and of W). */
const shapes: readonly ((numbers: RateNumbers) => readonly Burst[])[] = [
  ({ max, windowUs }) => [
    burst(0, 1),
    burst(windowUs / (20 * max) + 1, max >> 1),
    burst((1.05 * windowUs) / max, max - (max >> 1)),
  ],
  ({ max, windowUs }) => [burst(0, 1), burst((1.05 * windowUs) / max, max), burst(1.002 * windowUs, 2)],
  ({ max, windowUs }) => [burst(0, 1), burst((1.05 * windowUs) / max, 1), burst(1.002 * windowUs, max)],
  ({ max, windowUs }) => [burst(0, 1), burst(0.99 * windowUs, max), burst(1.002 * windowUs, 2)],
  ({ max, windowUs }) => [burst(0, 1), burst(0.95 * windowUs, max >> 1), burst(1.002 * windowUs, max - (max >> 1))],
  ({ max, windowUs }) => [
    burst(0, Math.ceil(max / 4)),
    burst(0.95 * windowUs, max),
    burst(1.05 * windowUs, (max >> 1) + 1),
    burst(2.02 * windowUs, max >> 1),
  ],
];

const burst = (atUs: number, requests: number): Burst => ({ atUs: Math.round(atUs), requests: Math.max(1, requests) });

/**
 * The experiment that distinguishes the most pairs of these readings and, among equals, takes the fewest requests. `undefined` if
 * none does, if there is nothing to distinguish, or if the limit is above 200.
 * @param readings names of readings of the rate limit
 */
export function experimentFor(readings: readonly string[], numbers: RateNumbers): Experiment | undefined {
  const known = readings.flatMap((reading) => {
    const model = models[reading];
    return model ? [{ reading, model }] : [];
  });
  if (known.length < 2 || numbers.max > HIGHEST_MAX) return undefined;
  const tried = shapes.map((shape) => tryOut(shape(numbers), known, numbers));
  const [best] = tried.sort((a, b) => b.pairs[0] - a.pairs[0] || a.requests - b.requests || a.lastsUs - b.lastsUs);
  return best && best.pairs[0] > 0 ? best : undefined;
}

function tryOut(
  bursts: readonly Burst[],
  readings: readonly { readonly reading: string; readonly model: ModelKind }[],
  numbers: RateNumbers,
): Experiment {
  const outcomes = readings.map(({ model }) => outcomesOf(bursts, model, numbers));
  const expected = readings.map(({ reading }, i) => {
    const [usual] = [...(outcomes[i] as Outcomes)].sort(([, a], [, b]) => b - a);
    const admitted = usual?.[0].split(' ').map(Number) ?? [];
    return { reading, admitted, percent: Math.round((100 * (usual?.[1] ?? 0)) / PHASES) };
  });
  let [told, all] = [0, 0];
  outcomes.forEach((one, i) => {
    for (const other of outcomes.slice(i + 1)) {
      all += 1;
      if (confusion(one, other) <= CONFUSED_PERCENT) told += 1;
    }
  });
  const requests = bursts.reduce((sum, one) => sum + one.requests, 0);
  return { bursts, requests, lastsUs: bursts[bursts.length - 1]?.atUs ?? 0, expected, pairs: [told, all] };
}

/** What is admitted of each burst, as text, with the number of phases. */
type Outcomes = ReadonlyMap<string, number>;

function outcomesOf(bursts: readonly Burst[], { make, hasPhase }: ModelKind, numbers: RateNumbers): Outcomes {
  const shownAt = (phase: number): string => {
    const admits = make(numbers, ((phase + 0.5) * numbers.windowUs) / PHASES);
    return bursts.map((one) => admittedOf(one, admits)).join(' ');
  };
  if (!hasPhase) return new Map([[shownAt(0), PHASES]]);
  const outcomes = new Map<string, number>();
  for (let phase = 0; phase < PHASES; phase++) {
    const shown = shownAt(phase);
    outcomes.set(shown, (outcomes.get(shown) ?? 0) + 1);
  }
  return outcomes;
}

function admittedOf({ atUs, requests }: Burst, admits: Model): number {
  let admitted = 0;
  for (let i = 0; i < requests; i++) if (admits(atUs + i)) admitted += 1;
  return admitted;
}

/** In how many of a hundred phases one reading shows what the other can show, too; the lower of both directions. */
function confusion(a: Outcomes, b: Outcomes): number {
  const share = (one: Outcomes, other: Outcomes) => {
    let phases = 0;
    for (const [shown, count] of one) if (other.has(shown)) phases += count;
    return (100 * phases) / PHASES;
  };
  return Math.max(share(a, b), share(b, a));
}
