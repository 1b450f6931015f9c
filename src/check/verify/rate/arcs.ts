import type { Arc, Arcs } from '../../certificates/certificate.ts';
import { greatest, least } from '../raw/extremes.ts';
import type { Decided } from '../raw/raw.ts';
import type { RawHistory } from '../raw/raw-history.ts';
import type { Refused, Rivals } from '../raw/raw-rivals.ts';
import { boundariesRuledOut, type RawCounterArc } from './counter.ts';
import { judgeableRefusal, surelyAdmitted } from './named.ts';
import type { Terms } from './terms.ts';

/** An arc of a certificate with the raw decisions on which it rests. */
export type RawArc =
  | { readonly says: 'boundary-within'; readonly decided: readonly Decided[] }
  | { readonly says: 'no-boundary-within'; readonly refusal: Refused; readonly rivals: Rivals }
  | ({ readonly says: 'counter' } & RawCounterArc)
  | { readonly says: 'aligned'; readonly at: number; readonly plusMinusUs: number };

export type ArcTerms = Pick<Terms, 'max' | 'windowUs' | 'shortUs' | 'longUs' | 'slackUs' | 'slackAt'>;

/** The arcs with their raw decisions; `undefined` if one does not follow from the exchanges that it lists. */
export function rawArcs(certificate: Arcs, history: RawHistory, terms: Terms): readonly RawArc[] | undefined {
  const found = certificate.arcs.map((arc) => rawArc(arc, certificate, history, terms));
  return found.every((arc) => arc !== undefined) ? found : undefined;
}

function rawArc(arc: Arc, certificate: Arcs, history: RawHistory, terms: Terms): RawArc | undefined {
  if (certificate.rule === 'sliding-counter-arcs') return rawCounterArc(arc, certificate, history, terms);
  if (arc.says === 'aligned') {
    const { originUs, phaseUncertaintyUs } = history.timeline;
    return { says: arc.says, at: -(originUs % terms.windowUs), plusMinusUs: phaseUncertaintyUs + terms.slackAt(0) };
  }
  if (arc.says === 'boundary-within') {
    const decided = surelyAdmitted(certificate, arc.exchanges, history);
    return decided && { says: arc.says, decided };
  }
  if (arc.says !== 'no-boundary-within') return undefined;
  const found = judgeableRefusal(arc.refusal, certificate, history, terms);
  return found && { says: arc.says, ...found };
}

/** For a sliding counter, no other kind of arc says where windows begin. */
function rawCounterArc(arc: Arc, certificate: Arcs, history: RawHistory, terms: Terms): RawArc | undefined {
  const [from, to] = [arc.fromUs, arc.toUs];
  if (arc.says === 'overfull-with-boundary-within') {
    const decided = surelyAdmitted(certificate, arc.exchanges, history);
    return decided && { says: 'counter', from, to, decided };
  }
  if (arc.says !== 'no-boundary-within') return undefined;
  const found = judgeableRefusal(arc.refusal, certificate, history, terms);
  return found && { says: 'counter', from, to, ...found };
}

/** Where boundaries must or cannot lie; `undefined` if the arc does not follow from the records. */
interface Span {
  readonly must: boolean;
  readonly from: number;
  /** Before `from` if no boundary can lie there. */
  readonly to: number;
}

/**
 * The most windows that cannot hold all of these: so many begin among them, the last of them by so many windows but one later than the
 * first. Of windows that begin with a request only one is counted, since they need not follow one another at once.
 */
export const crowdedWindows = (
  decided: readonly Decided[],
  { max }: Pick<Terms, 'max'>,
  isAnchored: boolean,
): number => (isAnchored ? 1 : Math.floor((decided.length - 1) / max));

function spanOf(arc: RawArc, terms: ArcTerms, isAnchored: boolean): Span | undefined {
  if (arc.says === 'counter') {
    if (!boundariesRuledOut(arc, terms)) return undefined;
    const slack = Math.max(terms.slackAt(arc.from), terms.slackAt(arc.to));
    return { must: false, from: arc.from + slack, to: arc.to - slack };
  }
  if (arc.says === 'aligned') return { must: true, from: arc.at - arc.plusMinusUs, to: arc.at + arc.plusMinusUs };
  if (arc.says === 'boundary-within') {
    const from = least(arc.decided.map((one) => one.from));
    const to = greatest(arc.decided.map((one) => one.to));
    const windows = crowdedWindows(arc.decided, terms, isAnchored);
    if (arc.decided.length <= terms.max || to - from >= windows * terms.shortUs) return undefined;
    const slack = Math.max(terms.slackAt(from), terms.slackAt(to));
    return { must: true, from: from - slack, to: to - (windows - 1) * terms.windowUs + slack };
  }
  const { refusal, rivals } = arc;
  const from = nthLatestEnd(refusal, rivals, terms.max);
  const to = refusal.from;
  const slack = Math.max(terms.slackAt(to), Number.isFinite(from) ? terms.slackAt(from) : 0);
  return { must: false, from: from + slack, to: to - slack };
}

/** The N-th latest end of everything that may have counted; −∞ if there are fewer than N. */
export function nthLatestEnd(refusal: Refused, rivals: Rivals, max: number): number {
  const counts = (i: number) => rivals.refused[i] === 0 && (rivals.from[i] as number) <= refusal.to;
  const ends = rivals.to.filter((_, i) => i !== refusal.index && counts(i)).sort();
  return ends[ends.length - max] ?? Number.NEGATIVE_INFINITY;
}

const ANCHORED = 'fixed-window-anchored-arcs';

/** Whether no instant mod W satisfies every arc. */
export const holdsArcs = (certificate: Arcs, arcs: readonly RawArc[], terms: ArcTerms): boolean => {
  const spans = spansOf(certificate, arcs, terms);
  return spans !== undefined && leaveNothing(certificate, spans, terms);
};

/** Whether no instant would satisfy the others, either, if one of the arcs were left out. */
export function isAnyArcSpared(certificate: Arcs, arcs: readonly RawArc[], terms: ArcTerms): boolean {
  const spans = spansOf(certificate, arcs, terms) ?? [];
  return spans.some((_, i) => leaveNothing(certificate, spans.toSpliced(i, 1), terms, MEETING_US));
}

/** `undefined` if one of the arcs does not follow from the records. */
function spansOf({ rule }: Arcs, arcs: readonly RawArc[], all: ArcTerms): readonly Span[] | undefined {
  const isAnchored = rule === ANCHORED;
  // Beginnings of anchored windows are only compared with one another: nothing is carried back to time 0.
  const terms = isAnchored ? { ...all, slackAt: () => 0 } : all;
  const spans = arcs.map((arc) => spanOf(arc, terms, isAnchored));
  return terms.shortUs > 0 && spans.every((span) => span !== undefined) ? spans : undefined;
}

/** Where two arcs meet, rounding decides: then an arc may be needed by one computation and not by the other. */
const MEETING_US = 0.01;

/**
 * Whether no instant mod W satisfies every span; only their ends need to be tried.
 * @param toleranceUs an instant that misses a span by no more than this still satisfies it
 */
function leaveNothing(
  { rule }: Arcs,
  spans: readonly Span[],
  { shortUs, windowUs }: ArcTerms,
  toleranceUs = 1e-3,
): boolean {
  if (rule === ANCHORED) return !canBePlaced(spans, shortUs);
  const allows = ({ must, from, to }: Span, at: number): boolean => {
    const length = to - from;
    if (must) return length >= windowUs || past(at, from, windowUs) <= length + toleranceUs;
    if (length > windowUs) return false;
    const reach = past(at, from, windowUs);
    return length <= 0 || reach >= length - toleranceUs || reach <= toleranceUs;
  };
  const ends = spans.flatMap(({ from, to }) => [from, to].filter(Number.isFinite));
  return ![0, ...ends].some((at) => spans.every((span) => allows(span, at)));
}

/** Distance from `from` forward to `at` on the circle. */
const past = (at: number, from: number, windowUs: number): number => (((at - from) % windowUs) + windowUs) % windowUs;

/**
 * Whether windows that begin at least `shortUs` apart can begin once in every span. Choosing each beginning as early as possible,
 * in the order of the spans' ends, is not enough, because a later one may serve two spans: so all possible last beginnings are
 * kept, as intervals.
 */
function canBePlaced(spans: readonly Span[], shortUs: number): boolean {
  const rising = [...spans].sort((a, b) => a.to - b.to);
  let last: [number, number][] | undefined;
  for (const { from, to } of rising) {
    const earliest = last === undefined ? Number.NEGATIVE_INFINITY : least(last.map(([begin]) => begin));
    const stays = (last ?? []).flatMap(([begin, end]): [number, number][] =>
      Math.max(begin, from) <= Math.min(end, to) ? [[Math.max(begin, from), Math.min(end, to)]] : [],
    );
    const begins = Math.max(from, earliest + shortUs);
    last = begins <= to ? [...stays, [begins, to]] : stays;
    if (last.length === 0) return false;
  }
  return true;
}
