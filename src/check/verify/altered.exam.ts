import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { limitNames } from '../../api/index.ts';
import { seededRandom } from '../../base/index.ts';
import type { Exchange, Header, JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { waysToAlter } from '../alterations.exam.ts';
import type { Certificate, ExchangeRef } from '../certificates/certificate.ts';
import { foldedOf } from '../limits/judging.exam.ts';
import { readingNames } from '../readings/index.ts';
import type { Verdicts } from '../verdict.ts';
import { rawHistory } from '../verify.ts';
import { verifies } from './certificate.ts';
import { ruleNames } from './rules.ts';

/** Proofs and their journals, altered in one place: which proofs still hold then. Other tests check which must and must not hold. */

/** Alterations tried per journal. */
const ALTERATIONS = 45;
const SECOND = 1_000_000;

/** One proof of every rule; which of several is chosen varies from journal to journal. */
export function proofsIn({ limits, refusals }: Verdicts, seed: number): Certificate[] {
  const all = [
    ...limits.flatMap(({ readings }) => readings.flatMap((one) => (one.state === 'refuted' ? [one.certificate] : []))),
    ...limits.flatMap((one) => (one.verdict === 'violated' ? [one.certificate] : [])),
    ...refusals.wrongful.flatMap(({ certificates }) => certificates),
  ];
  const ofRule = new Map<string, Certificate[]>();
  for (const one of new Set(all)) {
    const key = `${one.rule} ${one.because}`;
    ofRule.set(key, [...(ofRule.get(key) ?? []), one]);
  }
  return [...ofRule.values()].map((same) => same[(seed * 7) % same.length] as Certificate);
}

const readings = ['every', ...limitNames.flatMap(readingNames)];
const countings = ['all', 'bearer', 'sendMessage', 'bearer, replays free', 'all, invalid free, refused later counted'];
const scopes: readonly Certificate['scope'][] = [
  {},
  { application: 'a1' },
  { application: 'a1', user: 'u1' },
  { application: 'a1', user: 'u2' },
  { application: 'a1', user: 'u1', token: 'k1' },
  { application: 'a1', user: 'u1', conversation: 'c1' },
  { application: 'a1', user: 'u1', token: 'k1', conversation: 'c1', operation: 'readHistory' },
];

/** Copies of the proof with one member changed; what a copy claims may be equally true. */
function* alteredProofs(proof: Certificate): Generator<object> {
  for (const rule of ruleNames) yield { rule };
  for (const reading of readings) yield { reading };
  for (const counts of countings) yield { counts };
  for (const scope of scopes) yield { scope };
  for (const limit of limitNames) yield { limit };
  for (const because of ['over-admission', 'wrongful-refusal', 'inconsistent']) yield { because };
  for (const member of ['max', 'windowUs', 'observed', 'needed', 'lookBackUs', 'spanUs'])
    if (member in proof) for (const by of [-1, 1]) yield { [member]: (proof as never)[member] + by };
  const { exchanges } = proof;
  const naming = (named: readonly ExchangeRef[]) => ({
    exchanges: named,
    ...('observed' in proof && { observed: proof.observed + named.length - exchanges.length }),
  });
  yield { exchanges: [] };
  for (const i of exchanges.keys()) yield naming(exchanges.toSpliced(i, 1));
  for (let other = 0; other < 12; other++) {
    yield naming([...exchanges, other]);
    if (exchanges.length > 0) yield naming([other, ...exchanges.slice(1)]);
    if ('refusal' in proof) yield { refusal: other };
  }
  if (!('arcs' in proof)) return;
  const { arcs } = proof;
  for (const [i, arc] of arcs.entries()) {
    yield { arcs: arcs.toSpliced(i, 1) };
    yield { arcs: arcs.toSpliced(i, 1, { says: 'aligned', fromUs: 0, toUs: 0 }) };
    if (arc.says !== 'aligned') yield { arcs: arcs.toSpliced(i, 1, { ...arc, exchanges: arc.exchanges.slice(1) }) };
    if (arc.says === 'no-boundary-within') yield { arcs: arcs.toSpliced(i, 1, { ...arc, refusal: 1 }) };
  }
}

const onHeaders: Readonly<Record<string, (head: Header) => Partial<Header>>> = {
  'not exclusive': () => ({ exclusive: false }),
  'not flushed': () => ({ flushed: { rate: false, concurrency: false, daily: false } }),
  'of an exact clock': ({ clock }) => ({ clock: { ...clock, driftPpm: 0, granularityUs: us(0) } }),
  'of a clock that drifts': ({ clock }) => ({ clock: { ...clock, driftPpm: 20_000 } }),
  'of a coarse clock': ({ clock }) => ({ clock: { ...clock, granularityUs: us(3 * SECOND) } }),
  'of slow answers': ({ clock }) => ({ clock: { ...clock, maxServerDelayUs: us(300 * SECOND) } }),
  'of one more': ({ limits }) => ({ limits: limitsPlus(limits, 1) }),
  'of one less': ({ limits }) => ({ limits: limitsPlus(limits, -1) }),
};

const limitsPlus = ({ rate, concurrency, daily }: Header['limits'], by: number): Header['limits'] => ({
  rate: { ...rate, max: rate.max + by },
  concurrency: { ...concurrency, max: concurrency.max + by },
  daily: { ...daily, max: daily.max + by },
});

/** Copies of the journal with an altered header, with one altered record, or without one record. */
function alteredJournals(records: readonly JournalRecord[], seed: number): (readonly JournalRecord[])[] {
  const [head, ...rest] = records as readonly [Header, ...JournalRecord[]];
  const ofRecords = records.flatMap((record, i) => [
    ...(record.kind === 'header' ? [] : [records.toSpliced(i, 1)]),
    ...(record.kind === 'exchange' ? [[...records, record]] : []),
    ...[...waysToAlter(record), ...ways(record)]
      .filter(([what, one]) => one !== record && !/page|items|Retry|header|journey/.test(what))
      .map(([, one]) => records.toSpliced(i, 1, one)),
  ]);
  const random = seededRandom(seed, 'alterations');
  return [
    ...Object.values(onHeaders).map((change) => [{ ...head, ...change(head) }, ...rest]),
    records.filter(({ kind }) => kind !== 'end'),
    records.filter(({ kind }) => kind !== 'clock'),
    ...Array.from({ length: ALTERATIONS }, () => ofRecords[random.integer(ofRecords.length)] as JournalRecord[]),
  ];
}

/** Alterations of the size of the units in drawn journals. */
function* ways(record: JournalRecord): Generator<[string, Exchange]> {
  if (record.kind !== 'exchange') return;
  const { headersAt = record.receivedAt } = record;
  for (const by of [-3_600, -60, -3, 3, 60, 3_600]) {
    const [sent, told] = [Math.max(0, record.sentAt + by * SECOND), Math.max(0, headersAt + by * SECOND)];
    yield [`sent ${by} s later`, { ...record, sentAt: us(Math.min(sent, headersAt)) }];
    yield [
      `answered ${by} s later`,
      { ...record, headersAt: us(Math.max(told, record.sentAt)), receivedAt: us(Math.max(told, record.sentAt)) },
    ];
  }
}

/** For each proof: how many alterations of it hold, in how many altered journals it holds, and a digest of which. */
export function heldAltered(records: readonly JournalRecord[], proofs: readonly Certificate[], seed: number): string[] {
  if (proofs.length === 0) return [];
  const folded = foldedOf(records);
  const inAltered = alteredJournals(records, seed).map((altered) => {
    const history = rawHistory(proofs, foldedOf(altered), () => altered);
    return proofs.map((proof) => verifies(proof, history));
  });
  return proofs.map((proof, i) => {
    const altered = [...alteredProofs(proof)].map((members) => ({ ...proof, ...members }) as Certificate);
    const history = rawHistory([proof, ...altered], folded, () => records);
    expect(verifies(proof, history)).toBe(true);
    const held = altered.map((one) => verifies(one, history));
    const heldThere = inAltered.map((all) => all[i] === true);
    return `${proof.rule} of ${proof.reading}: ${told(held)}; in other journals ${told(heldThere)}`;
  });
}

function told(held: readonly boolean[]): string {
  const digest = createHash('sha256').update(held.map(Number).join('')).digest('hex').slice(0, 6);
  return `${held.filter(Boolean).length} of ${held.length} (${digest})`;
}
