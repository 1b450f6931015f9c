import type { LimitName } from '../../api/index.ts';
import type { Accusation } from './accusations.ts';

/** The result of one history of a correct service. */
export interface Tried {
  readonly seed: number;
  readonly focus: string;
  readonly algorithm: string;
  readonly exchanges: number;
  readonly refused: number;
  readonly verdicts: Readonly<Partial<Record<LimitName, string>>>;
  /** Kinds of findings that are only observations. */
  readonly told: readonly string[];
  /** Names of `happenings`. */
  readonly happened: readonly string[];
  readonly accusations: readonly Accusation[];
}

/** Counts over many histories. Plain data that can be sent between processes. */
export interface Tally {
  histories: number;
  exchanges: number;
  refused: number;
  cpuUs: number;
  /** Counts by algorithm of the rate limit. */
  readonly byAlgorithm: Record<string, Counts>;
  /** `rate consistent`, … */
  readonly verdicts: Record<string, number>;
  readonly told: Record<string, number>;
  /** For each kind that was observed, a seed that shows it. */
  readonly toldIn: Record<string, number>;
  readonly happened: Record<string, number>;
  readonly accused: { readonly seed: number; readonly accusation: Accusation }[];
}

interface Counts {
  histories: number;
  /** How many of these test the rate limit, and in how many of those it was reached. */
  focused: number;
  met: number;
}

/** Maximum of stored accusations; further ones are only counted. */
const MOST_KEPT = 50;

export const emptyTally = (): Tally => ({
  histories: 0,
  exchanges: 0,
  refused: 0,
  cpuUs: 0,
  byAlgorithm: {},
  verdicts: {},
  told: {},
  toldIn: {},
  happened: {},
  accused: [],
});

export function count(tally: Tally, tried: Tried): void {
  tally.histories += 1;
  tally.exchanges += tried.exchanges;
  tally.refused += tried.refused;
  tally.byAlgorithm[tried.algorithm] ??= { histories: 0, focused: 0, met: 0 };
  const counts = tally.byAlgorithm[tried.algorithm] as Counts;
  const isFocused = tried.focus === 'rate' || tried.focus === 'all';
  counts.histories += 1;
  counts.focused += isFocused ? 1 : 0;
  counts.met += isFocused && tried.verdicts.rate !== 'undecided' ? 1 : 0;
  for (const [limit, verdict] of Object.entries(tried.verdicts)) {
    const isTested = limit === 'rate' ? isFocused : tried.focus === 'all' || tried.focus === focusOf[limit];
    if (isTested) bump(tally.verdicts, `${limit} ${verdict}`);
  }
  for (const name of tried.happened) bump(tally.happened, name);
  for (const kind of new Set(tried.told)) {
    bump(tally.told, kind);
    tally.toldIn[kind] ??= tried.seed;
  }
  for (const accusation of tried.accusations)
    if (tally.accused.length < MOST_KEPT) tally.accused.push({ seed: tried.seed, accusation });
    else bump(tally.verdicts, 'further accusations');
}

const focusOf: Readonly<Record<string, string>> = { concurrency: 'slots', daily: 'days' };

const bump = (counts: Record<string, number>, key: string, by = 1) => {
  counts[key] = (counts[key] ?? 0) + by;
};

/** Adds what another process counted. */
export function add(tally: Tally, other: Tally): void {
  tally.histories += other.histories;
  tally.exchanges += other.exchanges;
  tally.refused += other.refused;
  tally.cpuUs += other.cpuUs;
  for (const [name, { histories, focused, met }] of Object.entries(other.byAlgorithm)) {
    tally.byAlgorithm[name] ??= { histories: 0, focused: 0, met: 0 };
    const counts = tally.byAlgorithm[name] as Counts;
    counts.histories += histories;
    counts.focused += focused;
    counts.met += met;
  }
  for (const [key, number] of Object.entries(other.verdicts)) bump(tally.verdicts, key, number);
  for (const [key, number] of Object.entries(other.told)) bump(tally.told, key, number);
  for (const [key, seed] of Object.entries(other.toldIn)) tally.toldIn[key] ??= seed;
  for (const [key, number] of Object.entries(other.happened)) bump(tally.happened, key, number);
  tally.accused.push(...other.accused);
}

const thousands = (number: number) => Math.round(number).toLocaleString('en-US');
const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`);

/** The report for people. @param seeds first and last seed */
export function describe(tally: Tally, seeds: readonly [number, number]): string {
  const { histories, exchanges, refused, cpuUs, byAlgorithm, verdicts, told, toldIn, happened, accused } = tally;
  const sorted = (counts: Readonly<Record<string, number>>, more = (_key: string) => '') =>
    Object.entries(counts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, number]) => `  ${key.padEnd(36)}${thousands(number).padStart(12)}${more(key)}`);
  return [
    `honest histories  ${thousands(histories)}, seeds ${seeds[0]} to ${seeds[1]}`,
    `exchanges         ${thousands(exchanges)}, ${thousands(refused)} of them refused`,
    `speed             ${thousands((1e6 * histories) / cpuUs)} histories and ${thousands((1e6 * exchanges) / cpuUs)} exchanges per CPU second, played and judged`,
    '',
    'by algorithm of the rate limit, and in how many of those that test it the limit was reached',
    ...Object.entries(byAlgorithm)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([name, { histories: all, focused, met }]) =>
          `  ${name.padEnd(36)}${thousands(all).padStart(12)}   ${percent(met, focused)}`,
      ),
    '',
    'verdicts on the limits under test',
    ...sorted(verdicts),
    '',
    'what happened in how many histories',
    ...sorted(happened, (name) => `   ${percent(happened[name] ?? 0, histories)}`),
    '',
    'histories with observations, which are no accusations',
    ...(Object.keys(told).length === 0 ? ['  none'] : sorted(told, (kind) => `   seed ${toldIn[kind]}`)),
    '',
    accused.length === 0
      ? 'false accusations 0'
      : `false accusations ${accused.length}${accused.length >= MOST_KEPT ? ' or more' : ''}`,
    ...accused.map(
      ({ seed, accusation: { of, claim } }) =>
        `  seed ${seed}: ${of}: ${claim}\n    npm run trials -- --seed ${seed} --count 1 --journal accused-${seed}.ndjson`,
    ),
  ].join('\n');
}
