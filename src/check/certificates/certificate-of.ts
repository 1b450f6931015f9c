import type { LimitName } from '../../api/index.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Judged } from '../reading.ts';
import type { Arc, Certificate, ExchangeRef } from './certificate.ts';
import { claimOf } from './claim.ts';
import type { ArcDraft, Draft } from './draft.ts';

/** Makes a self-contained certificate from a draft: names instead of positions, and its claim. */
export function certificateOf(
  draft: Draft,
  about: { readonly limit: LimitName; readonly reading: string; readonly counts: string },
  slice: Judged,
  bounds: Bounds,
  evidence: Evidence,
): Certificate {
  const rowOf = (position: number) => slice.row[position] as number;
  const refs = (positions: readonly number[]) => positions.map((position) => evidence.refOf(rowOf(position)));
  const rows = positionsOf(draft).map(rowOf);
  const { limit, reading, counts } = about;
  // No spreading before the other members: Node 20 takes 2 µs for each that a literal adds to what was spread.
  const common = {
    limit,
    reading,
    counts,
    scope: slice.scope,
    max: bounds.max,
    windowUs: bounds.windowUs,
    fromUs: least(rows.map((row) => evidence.sentAt[row] as number)),
    toUs: greatest(rows.map((row) => evidence.until[row] as number)),
    claim: '',
  };
  const certificate: Certificate = Object.assign(common, membersOf(draft, slice, refs));
  return { ...certificate, claim: claimOf(certificate) };
}

type Common = 'limit' | 'reading' | 'counts' | 'scope' | 'max' | 'windowUs' | 'fromUs' | 'toUs' | 'claim';
type OwnOf<C> = C extends Certificate ? Omit<C, Common> : never;

/** What only a certificate of its kind has. */
function membersOf(
  draft: Draft,
  slice: Judged,
  refs: (positions: readonly number[]) => ExchangeRef[],
): OwnOf<Certificate> {
  if ('arcs' in draft) {
    const arcs = draft.arcs.map((arc) => arcOf(arc, refs));
    const { rule, because } = draft;
    return { rule, because, arcs, exchanges: refs(positionsOf(draft)) };
  }
  if (draft.because !== 'wrongful-refusal') {
    const { rule, because, observed, possible, positions } = draft;
    const first = least(positions.map((position) => slice.from[position] as number));
    const last = greatest(positions.map((position) => slice.to[position] as number));
    return { rule, because, spanUs: last - first, observed, possible, exchanges: refs(positions) };
  }
  const { rule, because, refusal, lookBackUs, observed, needed, positions } = draft;
  const refusalRef = refs([refusal])[0] as ExchangeRef;
  return { rule, because, refusal: refusalRef, lookBackUs, observed, needed, exchanges: refs(positions) };
}

function arcOf(arc: ArcDraft, refs: (positions: readonly number[]) => ExchangeRef[]): Arc {
  const { fromUs, toUs } = arc;
  if (arc.says === 'aligned') return { says: arc.says, fromUs, toUs };
  const exchanges = refs(arc.positions);
  if (arc.says !== 'no-boundary-within') return { says: arc.says, fromUs, toUs, exchanges };
  return { says: arc.says, fromUs, toUs, refusal: refs([arc.refusal ?? -1])[0] as ExchangeRef, exchanges };
}

/** Every position in a draft, once each. */
function positionsOf(draft: Draft): number[] {
  if ('arcs' in draft) {
    const named = draft.arcs.flatMap((arc) => [...arc.positions, ...(arc.refusal === undefined ? [] : [arc.refusal])]);
    return [...new Set(named)].sort((a, b) => a - b);
  }
  return draft.because === 'wrongful-refusal' ? [...draft.positions, draft.refusal] : [...draft.positions];
}

const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const greatest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
