import type { Arcs } from '../certificate.ts';
import { boundariesRuledOut, type RawCounterArc } from './counter.ts';
import type { Decided } from './raw.ts';
import type { Rivals } from './raw-rivals.ts';
import type { Refused } from './wrongful-refusal.ts';

/** An arc of a certificate with the raw decisions behind it. */
export type RawArc =
  | { readonly says: 'boundary-within'; readonly decided: readonly Decided[] }
  | { readonly says: 'no-boundary-within'; readonly refusal: Refused; readonly rivals: Rivals }
  | ({ readonly says: 'counter' } & RawCounterArc)
  | { readonly says: 'aligned'; readonly at: number; readonly plusMinusUs: number };

export interface ArcTerms {
  readonly max: number;
  readonly windowUs: number;
  readonly shortUs: number;
  readonly longUs: number;
  /** By how much a span may look longer to the service. */
  readonly slackUs: number;
  /** By how much a boundary seen at `t` may be off when it is carried back to time 0. */
  readonly slackAt: (t: number) => number;
}

/** Where boundaries must lie, or must not; `undefined` when the arc does not follow from what was recorded. */
interface Span {
  readonly must: boolean;
  readonly from: number;
  readonly to: number;
}

function spanOf(arc: RawArc, terms: ArcTerms): Span | undefined {
  if (arc.says === 'counter') {
    if (!boundariesRuledOut(arc, terms)) return undefined;
    const slack = Math.max(terms.slackAt(arc.from), terms.slackAt(arc.to));
    return { must: false, from: arc.from + slack, to: arc.to - slack };
  }
  if (arc.says === 'aligned') return { must: true, from: arc.at - arc.plusMinusUs, to: arc.at + arc.plusMinusUs };
  if (arc.says === 'boundary-within') {
    const from = Math.min(...arc.decided.map((one) => one.from));
    const to = Math.max(...arc.decided.map((one) => one.to));
    if (arc.decided.length <= terms.max || to - from >= terms.shortUs) return undefined;
    const slack = Math.max(terms.slackAt(from), terms.slackAt(to));
    return { must: true, from: from - slack, to: to + slack };
  }
  const { refusal, rivals } = arc;
  const ends = rivals.to
    .filter((_, i) => rivals.refused[i] === 0 && (rivals.from[i] as number) <= refusal.to && i !== refusal.index)
    .sort();
  const from = ends[ends.length - terms.max] ?? Number.NEGATIVE_INFINITY;
  const to = refusal.from;
  const slack = Math.max(terms.slackAt(to), Number.isFinite(from) ? terms.slackAt(from) : 0);
  return { must: false, from: from + slack, to: to - slack };
}

/** Whether no instant mod W satisfies every arc: only ends of arcs need trying. */
export function holdsArcs(certificate: Arcs, arcs: readonly RawArc[], terms: ArcTerms): boolean {
  const spans = arcs.map((arc) => spanOf(arc, terms));
  if (terms.shortUs <= 0 || spans.some((span) => span === undefined)) return false;
  const known = spans.filter((span) => span !== undefined);
  if (certificate.rule === 'fixed-window-anchored-arcs') return !canBePlaced(known, terms.shortUs);
  const { windowUs } = terms;
  const tolerance = 1e-3;
  const allows = ({ must, from, to }: Span, at: number): boolean => {
    const length = to - from;
    if (must) return length >= windowUs || past(at, from, windowUs) <= length + tolerance;
    if (length > windowUs) return false;
    const reach = past(at, from, windowUs);
    return length <= 0 || reach >= length - tolerance || reach <= tolerance;
  };
  const ends = known.flatMap(({ from, to }) => [from, to].filter(Number.isFinite));
  return ![0, ...ends].some((at) => known.every((span) => allows(span, at)));
}

/** How far `at` lies behind `from`, going round. */
const past = (at: number, from: number, windowUs: number): number => (((at - from) % windowUs) + windowUs) % windowUs;

/**
 * Whether windows that begin at least `shortUs` apart can begin once in every span. Going through the spans by their ends,
 * each new beginning as early as can be is not enough, because a later one may serve two spans: so all that may be the last
 * beginning are kept, as intervals.
 */
function canBePlaced(spans: readonly Span[], shortUs: number): boolean {
  const rising = [...spans].sort((a, b) => a.to - b.to);
  let last: [number, number][] | undefined;
  for (const { from, to } of rising) {
    const earliest = last === undefined ? Number.NEGATIVE_INFINITY : Math.min(...last.map(([begin]) => begin));
    const stays = (last ?? []).flatMap(([begin, end]): [number, number][] =>
      Math.max(begin, from) <= Math.min(end, to) ? [[Math.max(begin, from), Math.min(end, to)]] : [],
    );
    const begins = Math.max(from, earliest + shortUs);
    last = begins <= to ? [...stays, [begins, to]] : stays;
    if (last.length === 0) return false;
  }
  return true;
}
