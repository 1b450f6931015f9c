import type { LimitName } from '../../api/index.ts';
import { formatCount } from '../../base/index.ts';
import { foreignRefusals, limitBit } from '../evidence/attribution.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { judgeReading, refutation } from '../judging/judge-reading.ts';
import { judgeVariants } from '../judging/judge-variants.ts';
import { attemptsOf, isAnyPossible, type LimitCase, MOST_JUDGED, type Variant } from '../judging/limit-case.ts';
import type { Judged, Reading } from '../reading.ts';
import { beginningOf, isAnyRefused } from './beginning.ts';
import { elsewhereOnly } from './elsewhere.ts';
import { fitsOf } from './fits.ts';
import type { Inference, Possible } from './inference.ts';
import { leastAdmitting } from './numbers.ts';
import { withOtherNumbers } from './other-numbers.ts';
import { canBeFitted, fitted, MOST_FITTED, type Outcome } from './outcome.ts';
import { inPlainestBuckets } from './plainest.ts';
import { propose } from './propose.ts';
import { ruledOutBy } from './ruled-out.ts';
import { behaviour, sentenceOf } from './sentence.ts';
import { countedOf, whoseOf } from './words.ts';

/** By reading, a simpler one that behaves the same and says everything that the former says: the former is then not reported beside it. */
const covered: Readonly<Record<string, string>> = {
  'fixed-window': 'fixed-window-aligned',
  'interval-refill': 'token-bucket',
  'fixed-window-penalty': 'fixed-window-anchored',
};

/**
 * What a limit behaves as. A long history that no reading explains with the declared numbers is too long to try others: then of its
 * beginning. Where not every reading was tried, it says so.
 * @param known outcomes of the readings that the verdict judged
 * @param refused how many refusals are attributed to the limit
 */
export function infer<S extends Judged>(
  about: LimitCase<S>,
  known: readonly Outcome<S>[],
  refused: number,
  evidence: Evidence,
): Inference {
  const found = inferred(about, known, refused, evidence);
  if (refused === 0 || canBeFitted(about)) return found;
  if (found.possible.length > 0)
    return isAnyPossible(about) || attemptsOf(about) <= MOST_JUDGED
      ? found
      : adding(` (others are tried in histories of up to ${formatCount(MOST_JUDGED)} attempts)`, found);
  const beginning = beginningOf(about, MOST_FITTED);
  const untried = (others: string) => adding(` with the declared numbers (others are tried ${others})`, found);
  if (!beginning) return untried(`in histories of up to ${formatCount(MOST_FITTED)} attempts`);
  const attempts = attemptsOf(beginning);
  const begins = `its first ${formatCount(attempts)} attempts`;
  if (!isAnyRefused(beginning)) return untried(`for ${begins}, of which none was certainly refused`);
  return { ...adding(` (by ${begins})`, inferred(beginning, [], refused, evidence)), attempts };
}

function adding(words: string, { behaves: before, ...rest }: Inference): Inference {
  const behaves = `${before}${words}`;
  return { ...rest, behaves, sentence: sentenceOf(behaves, rest.possible, rest.ruledOut) };
}

/**
 * By elimination: readings with the declared numbers; if none is left, with other buckets; if none is left there, with other numbers.
 */
function inferred<S extends Judged>(
  about: LimitCase<S>,
  known: readonly Outcome<S>[],
  refused: number,
  evidence: Evidence,
): Inference {
  const isSmall = attemptsOf(about) <= MOST_JUDGED;
  const outcomes = isSmall ? [...known, ...othersOf(about, known, evidence)] : known;
  const ruledOut = outcomes.flatMap(({ reading, told, isRefuted }) =>
    isRefuted ? ruledOutBy(reading.name, told) : [],
  );
  const survivors = outcomes.filter(({ isRefuted }) => !isRefuted);
  const found = survivors.map((one) => possibleAs(inPlainestBuckets(one, about, evidence), about));
  // Without a refusal, any limit that was never reached would fit.
  const others = refused > 0 && isSmall ? otherwise(about, survivors, evidence) : [];
  const possible = withoutCovered(about, [...found, ...others]).map((one) => withFits(one, about));
  const unrefused =
    refused === 0 && canBeFitted(about)
      ? { needed: leastAdmitting(about), perhaps: mayBeRefused(about.limit, evidence) }
      : undefined;
  const behaves = `${behaviour(possible, unrefused, about.bounds)}${unrefused ? '' : elsewhereOnly(about, possible)}`;
  const experiment = propose(about.limit, possible, about.bounds);
  return {
    behaves,
    sentence: sentenceOf(behaves, possible, ruledOut),
    possible,
    ruledOut,
    ...(experiment && { experiment }),
  };
}

/** Whether any 429 may be by this limit. */
const mayBeRefused = (limit: LimitName, evidence: Evidence): boolean =>
  evidence.refusedBy.some((set) => (set & limitBit[limit]) !== 0) || foreignRefusals(limit, evidence) > 0;

/** The other readings of the limit, under every variant that the profile leaves open, as the verdict judges its own. */
function othersOf<S extends Judged>(
  about: LimitCase<S>,
  known: readonly Outcome<S>[],
  evidence: Evidence,
): Outcome<S>[] {
  const judged = new Set(known.map(({ reading }) => reading));
  const readings = about.family.filter((reading) => !judged.has(reading));
  return judgeVariants({ ...about, readings }, evidence).map(({ told, refuted }, i) =>
    fitted({ reading: readings[i] as Reading<S>, told, isRefuted: refuted !== undefined }, about),
  );
}

function outcomeOf<S extends Judged>(
  reading: Reading<S>,
  how: Variant<S>,
  about: LimitCase<S>,
  evidence: Evidence,
): Outcome<S> {
  const one = judgeReading(reading, how, about, evidence);
  return fitted({ reading, told: [one], isRefuted: refutation(one) !== undefined }, about);
}

/**
 * If the declared reading is refuted, tries it in other buckets, then with other numbers; if no reading is left, all of them, so that
 * the declared one is not told as what the limit behaves as where others explain as much.
 */
function otherwise<S extends Judged>(
  about: LimitCase<S>,
  survivors: readonly Outcome<S>[],
  evidence: Evidence,
): readonly Possible[] {
  const fits = (readings: readonly Reading<S>[]) =>
    inOtherBuckets(readings, about, evidence) ?? withOtherNumbers(readings, about);
  const isLeft = ({ name }: Reading<S>) => survivors.some(({ reading }) => reading.name === name);
  const own = about.family.filter((reading) => reading.name === about.declared && !isLeft(reading));
  const others = survivors.length > 0 ? [] : about.family.filter((reading) => !own.includes(reading));
  return [own, others].flatMap((readings) => (readings.length > 0 ? fits(readings) : []));
}

function inOtherBuckets<S extends Judged>(
  readings: readonly Reading<S>[],
  about: LimitCase<S>,
  evidence: Evidence,
): readonly Possible[] | undefined {
  for (const how of about.elsewhere) {
    const found = readings.map((reading) => outcomeOf(reading, how, about, evidence));
    const survivors = found.filter(({ isRefuted }) => !isRefuted);
    if (survivors.length > 0) return survivors.map((one) => possibleAs(one, about));
  }
  return undefined;
}

function withFits<S extends Judged>(one: Possible, { limit, bounds }: LimitCase<S>): Possible {
  const fits = one.parameters && fitsOf(limit, one.parameters, bounds.windowUs);
  return fits ? { ...one, fits } : one;
}

/**
 * Without those that a simpler one covers. The declared reading comes first, even if another covers it. Then those that fit
 * buckets as declared: one that fits narrower buckets alone means little, since few requests share them.
 */
function withoutCovered<S extends Judged>(
  { declared, asDeclared }: LimitCase<S>,
  possible: readonly Possible[],
): readonly Possible[] {
  const names = new Set(possible.map(({ reading }) => reading));
  const isDeclared = ({ reading }: Possible) => reading === declared;
  const others = possible.filter((one) => !isDeclared(one) && !names.has(covered[one.reading] ?? ''));
  const isInDeclaredBuckets = ({ scope }: Possible) => scope === asDeclared.scope;
  return [
    ...possible.filter(isDeclared),
    ...others.filter(isInDeclaredBuckets),
    ...others.filter((one) => !isInDeclaredBuckets(one)),
  ];
}

function possibleAs<S extends Judged>({ reading, told }: Outcome<S>, { bounds, asDeclared }: LimitCase<S>): Possible {
  const survived = told.find((one) => !refutation(one));
  const { scope, counts } = survived ?? asDeclared;
  const counting = scope === asDeclared.scope && counts !== asDeclared.counts ? ` (counting ${countedOf(counts)})` : '';
  const says = `${reading.describe(bounds, whoseOf(scope))}${counting}`;
  const parameters = survived?.parameters;
  return { reading: reading.name, scope, counts, says, ...(parameters && { parameters }) };
}
