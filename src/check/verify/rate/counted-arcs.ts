import type { Arc, Arcs } from '../../certificates/certificate.ts';
import type { Recounted } from '../counted.ts';
import { greatest, least } from '../raw/extremes.ts';
import type { Decided } from '../raw/raw.ts';
import type { RawHistory } from '../raw/raw-history.ts';
import { near, type Refused, type Rivals } from '../raw/raw-rivals.ts';
import { crowdedWindows, isAnyArcSpared, nthLatestEnd, type RawArc, rawArcs } from './arcs.ts';
import { overfullWithin } from './counter.ts';
import type { Terms } from './terms.ts';

/** What a certificate of arcs has to print, given what each arc rests on. */
export function countedArcs(certificate: Arcs, history: RawHistory, terms: Terms): Recounted | undefined {
  const raw = rawArcs(certificate, history, terms);
  if (!raw || isAnyArcSpared(certificate, raw, terms)) return undefined;
  const isAnchored = certificate.rule === 'fixed-window-anchored-arcs';
  const counted = raw.flatMap(
    (one, i) => countedArc(one, certificate.arcs[i] as Arc, isAnchored, history, terms) ?? [],
  );
  if (counted.length !== raw.length) return undefined;
  const arcs = counted.map(({ arc }) => arc);
  const { attempts } = history;
  const rows = [...new Set(counted.flatMap((one) => one.rows))];
  const members = { because: becauseOf(arcs), arcs, exchanges: rows.map((row) => attempts.refOf(row)) };
  return { members, stamps: rows.map((row) => attempts.stampsAt(row)) };
}

function becauseOf(arcs: readonly Arc[]): Arcs['because'] {
  const speaking = arcs.filter(({ says }) => says !== 'aligned');
  const refused = speaking.filter(({ says }) => says === 'no-boundary-within').length;
  if (refused === 0) return 'over-admission';
  return refused === speaking.length ? 'wrongful-refusal' : 'inconsistent';
}

/** An arc and the attempts that it names. */
interface CountedArc {
  readonly arc: Arc;
  readonly rows: readonly number[];
}

function countedArc(
  raw: RawArc,
  arc: Arc,
  isAnchored: boolean,
  history: RawHistory,
  terms: Terms,
): CountedArc | undefined {
  if (raw.says === 'aligned') {
    const { at, plusMinusUs } = raw;
    return { arc: { says: raw.says, fromUs: at - plusMinusUs, toUs: at + plusMinusUs }, rows: [] };
  }
  if (arc.says === 'aligned') return undefined;
  const { exchanges } = arc;
  const rows = exchanges.flatMap((ref) => history.attempts.attempt(ref)?.index ?? []);
  if (raw.says === 'counter') {
    // Its ends may be as printed: an arc narrower than possible claims less, and is equally true.
    if ('refusal' in raw) return refusedArc(raw, raw, history, terms.longUs);
    const within = overfullWithin(raw, terms);
    const says = 'overfull-with-boundary-within';
    return within && { arc: { says, fromUs: within.from, toUs: within.to, exchanges }, rows };
  }
  if (raw.says === 'no-boundary-within') {
    const from = nthLatestEnd(raw.refusal, raw.rivals, terms.max);
    return refusedArc(raw, { from, to: raw.refusal.from }, history);
  }
  const { decided } = raw;
  const windows = crowdedWindows(decided, terms, isAnchored);
  if (decided.length !== windows * terms.max + 1) return undefined;
  const fromUs = least(decided.map(({ from }) => from));
  const toUs = greatest(decided.map(({ to }) => to)) - (windows - 1) * terms.windowUs;
  return { arc: { says: raw.says, fromUs, toUs, exchanges }, rows };
}

/** Lists everything that may have counted since the arc begins; for a sliding counter, also in the window before. */
function refusedArc(
  { refusal, rivals }: { readonly refusal: Refused; readonly rivals: Rivals },
  { from, to }: Decided,
  history: RawHistory,
  windowUs?: number,
): CountedArc {
  const back = windowUs === undefined ? Math.max(0, to - from) : refusal.from - from + windowUs;
  const counts = (i: number) => windowUs !== undefined || rivals.refused[i] === 0;
  const indices = [...near(refusal, rivals, refusal.from - back)].filter(counts);
  const { attempts } = history;
  const rows = indices.map((i) => rivals.attemptAt(i));
  const row = rivals.attemptAt(refusal.index);
  const exchanges = rows.map((one) => attempts.refOf(one));
  const says = 'no-boundary-within';
  return { arc: { says, fromUs: from, toUs: to, refusal: attempts.refOf(row), exchanges }, rows: [...rows, row] };
}
