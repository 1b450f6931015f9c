import type { Certificate, ExchangeRef } from '../certificate.ts';
import { type ReadingJudgement, refutation } from '../judge-reading.ts';
import type { LimitCase, Variant } from '../limit-case.ts';
import type { Judged, Reading } from '../reading.ts';
import { fittingMax, withNumbers } from './fit.ts';
import type { Inference, Possible, RuledOut } from './inference.ts';
import { propose } from './propose.ts';
import { anyOf, nameOf, requestsOf, whoseOf } from './words.ts';

/** What became of one reading under the variants that were tried. */
export interface Outcome<S extends Judged> {
  readonly reading: Reading<S>;
  readonly told: readonly ReadingJudgement[];
  readonly isRefuted: boolean;
}

/** So many are named in the sentence; the data has them all. */
const MOST_NAMED = 3;

/** A plainer reading that behaves so, too, and that says all that the other one says and more: the other is not told beside it. */
const covered: Readonly<Record<string, string>> = {
  'fixed-window': 'fixed-window-aligned',
  'interval-refill': 'token-bucket',
  'fixed-window-penalty': 'fixed-window-anchored',
};

/**
 * What a limit behaves as, by elimination.
 * @param outcomes of every reading of the limit that was judged
 */
export function infer<S extends Judged>(about: LimitCase<S>, outcomes: readonly Outcome<S>[]): Inference {
  const surviving = outcomes.filter(({ isRefuted }) => !isRefuted);
  const names = new Set(surviving.map(({ reading }) => reading.name));
  const plain = surviving.filter(({ reading }) => !names.has(covered[reading.name] ?? ''));
  const possible = plain.length > 0 ? plain.map((one) => asDeclared(about, one)) : withOtherNumbers(about, outcomes);
  const ruledOut = outcomes.flatMap((one) => (one.isRefuted ? ruledOutBy(one) : []));
  const experiment = propose(about.limit, possible, about.bounds);
  return { sentence: sentenceOf(possible, ruledOut), possible, ruledOut, ...(experiment && { experiment }) };
}

function asDeclared<S extends Judged>(about: LimitCase<S>, { reading, told }: Outcome<S>): Possible {
  const survived = told.find((one) => !refutation(one));
  const { scope, counts } = survived ?? about.asDeclared;
  const how = variantOf(about, scope, counts);
  const max = fittingMax(reading, how.slices(), about.bounds);
  return {
    reading: reading.name,
    scope,
    counts,
    says: reading.describe(about.bounds, whoseOf(scope)),
    ...(max && { max }),
  };
}

const variantOf = <S extends Judged>({ asDeclared: declared, unknown }: LimitCase<S>, scope: string, counts: string) =>
  [declared, ...(unknown?.others ?? [])].find((one) => one.scope === scope && one.counts === counts) ?? declared;

/** Where no reading explains what was seen with the declared numbers: those that do with another N. */
function withOtherNumbers<S extends Judged>(about: LimitCase<S>, outcomes: readonly Outcome<S>[]): Possible[] {
  const { asDeclared: how, bounds } = about;
  const fitting = outcomes.flatMap(({ reading }) => {
    const max = fittingMax(reading, how.slices(), bounds);
    return max ? [{ reading, max, how }] : [];
  });
  const names = new Set(fitting.map(({ reading }) => reading.name));
  return fitting
    .filter(({ reading }) => !names.has(covered[reading.name] ?? ''))
    .map(({ reading, max }) => possibleWith(reading, max, how, about));
}

function possibleWith<S extends Judged>(
  reading: Reading<S>,
  max: { readonly from: number; readonly to?: number },
  { scope, counts }: Variant<S>,
  { bounds }: LimitCase<S>,
): Possible {
  const says = reading.describe(withNumbers(bounds, { max: max.from }), whoseOf(scope));
  return { reading: reading.name, scope, counts, says, max };
}

/** By the first proof against it, of those under the declared variant if there is one. */
function ruledOutBy<S extends Judged>({ reading, told }: Outcome<S>): RuledOut[] {
  const certificate = told.flatMap((one) => refutation(one) ?? [])[0];
  if (!certificate) return [];
  const refs = exchangesOf(certificate);
  const [from, to] = [refs[0], refs[refs.length - 1]];
  return from === undefined || to === undefined
    ? []
    : [{ reading: reading.name, because: certificate.because, from, to }];
}

/** In the order of their numbers. */
function exchangesOf(certificate: Certificate): readonly ExchangeRef[] {
  const refs = 'refusal' in certificate ? [...certificate.exchanges, certificate.refusal] : [...certificate.exchanges];
  const number = (ref: ExchangeRef) => (typeof ref === 'number' ? ref : Number(ref.split(':')[1]));
  return refs.sort((a, b) => number(a) - number(b));
}

function sentenceOf(possible: readonly Possible[], ruledOut: readonly RuledOut[]): string {
  const named = possible.slice(0, MOST_NAMED).map(({ says }) => says);
  const more = possible.length - named.length;
  const behaves =
    named.length === 0
      ? 'behaves as no limit that is known here'
      : `behaves as ${named.join(', or as ')}${more > 0 ? `, or as one of ${more} more` : ''}`;
  const kept = new Set(possible.map(({ reading }) => reading));
  const others = ruledOut.filter(({ reading }) => !kept.has(reading));
  const out = others
    .slice(0, MOST_NAMED)
    .map(({ reading, from, to }) => `${nameOf(reading)} is ruled out by ${requestsOf(from, to)}`);
  const rest = others.slice(MOST_NAMED).map(({ reading }) => nameOf(reading));
  return [behaves, ...out, ...(rest.length > 0 ? [`so are ${anyOf(rest)}`] : [])].join('; ');
}
