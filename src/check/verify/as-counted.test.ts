import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import { type JournalRecord, readJournalSync } from '../../history/index.ts';
import { accepted, end, header, refused, us, written } from '../../testing/history/sample-records.ts';
import { runs } from '../../testing/share.ts';
import type { Certificate } from '../certificates/certificate.ts';
import { claimOf } from '../certificates/claim.ts';
import { drawnJournal, drawnKinds } from '../drawn.exam.ts';
import { judge } from '../index.ts';
import { foldedOf } from '../limits/judging.exam.ts';
import type { Verdicts } from '../verdict.ts';
import { rawHistory } from '../verify.ts';
import { type Altered, alterationsOf } from './alterations-of.exam.ts';
import { isAsCounted } from './as-counted.ts';
import { verifies } from './certificate.ts';
import { misplaced } from './places.ts';
import { ruleNames } from './rules.ts';

/*
 * Real certificates, altered in one member at a time: none is believed, but for what is listed.
 */

/** It takes seconds; on a loaded machine more. */
const PATIENCE_MS = 300_000;
const CORPUS = join(import.meta.dirname, '..', 'corpus');
/** Journals of the corpus that together have a certificate of each rule but these; only one of each is altered. */
const withRules = ['C1', 'C5', 'C8', 'D2', 'D3', 'H10', 'H11', 'O1', 'O16', 'O4', 'S3', 'W10'].map(
  (name) => `${name}.ndjson`,
);
const notInCorpus: readonly Certificate['rule'][] = [
  ...([
    'universal-density',
    'sliding-log-density',
    'fixed-window-anchored-chain',
    'fixed-window-anchored-fit',
  ] as const),
  ...(['fixed-window-anchored-arcs', 'sliding-counter-arcs'] as const),
  ...(['first-use-day-chain', 'wrongful-refusal-first-use-day'] as const),
];

/** A certificate where it stands, and how verdicts look with another in its place. */
interface Place {
  readonly stands: 'limit' | 'reading' | 'refusal';
  /** The reading that is declared. */
  readonly declared: string;
  readonly certificate: Certificate;
  readonly put: (other: Certificate) => Verdicts;
}

function* placesIn(verdicts: Verdicts): Generator<Place> {
  const { limits, refusals } = verdicts;
  for (const [i, limit] of limits.entries()) {
    const putLimit = (other: object) => ({
      ...verdicts,
      limits: limits.with(i, { ...limit, ...other } as typeof limit),
    });
    if (limit.verdict === 'violated')
      yield {
        ...{ stands: 'limit', declared: limit.declared, certificate: limit.certificate },
        put: (certificate) => putLimit({ certificate }),
      };
    for (const [k, reading] of limit.readings.entries())
      if (reading.state === 'refuted')
        yield {
          ...{ stands: 'reading', declared: limit.declared, certificate: reading.certificate },
          put: (certificate) => putLimit({ readings: limit.readings.with(k, { ...reading, certificate }) }),
        };
  }
  for (const [i, one] of refusals.wrongful.entries())
    for (const certificate of one.certificates)
      yield {
        ...{
          stands: 'refusal',
          declared: limits.find(({ limit }) => limit === certificate.limit)?.declared ?? '',
          certificate,
        },
        put: (other) => {
          const wrongful = refusals.wrongful.with(i, { ...one, certificates: [other] as typeof one.certificates });
          return { ...verdicts, refusals: { ...refusals, wrongful } };
        },
      };
}

/** Alterations that change nothing that is claimed, or claim something else that is as true; by why that is so. */
const harmless: Readonly<
  Record<string, (altered: Altered, records: readonly JournalRecord[], place: Place) => boolean>
> = {
  'a list of exchanges has no order': ({ kind }) => kind === 'turned round',
  'a rule is a way to count: where another comes to the same numbers, what is claimed is as true': ({ path }) =>
    path === 'rule',
  'another refusal at the same time, after the same requests, is as wrongful': ({ path, certificate }, records) =>
    path === 'refusal' &&
    'refusal' in certificate &&
    records.some((one) => one.kind === 'exchange' && one.seq === certificate.refusal && one.outcome === 'refused'),
  'one count rules out several readings; where none is declared, each of them is ruled out': (
    { path },
    _,
    { stands, declared },
  ) => path === 'reading' && declared === 'unknown' && stands !== 'reading',
  'other exchanges that were admitted within the same time prove the same, and everything said of them was counted': (
    { path, kind, certificate },
    records,
  ) =>
    kind === 'another exchange' &&
    certificate.because === 'over-admission' &&
    path.includes('exchanges') &&
    wereAdmitted(certificate, records),
  'another refusal between the same admissions blocks as well': ({ kind, certificate: { rule, exchanges } }, records) =>
    kind === 'another exchange' &&
    rule === 'fixed-window-penalty-block' &&
    records.some((one) => one.kind === 'exchange' && one.seq === exchanges[1] && one.outcome === 'refused'),
  'a narrower arc says less of where no window of a sliding counter begins, and as truly; together they still leave none':
    ({ path, certificate, before, after }) =>
      certificate.rule === 'sliding-counter-arcs' &&
      ((path.endsWith('.fromUs') && (after as number) > (before as number)) ||
        (path.endsWith('.toUs') && (after as number) < (before as number))),
};

function wereAdmitted({ exchanges, fromUs, toUs }: Certificate, records: readonly JournalRecord[]): boolean {
  const found = records.flatMap((one) => (one.kind === 'exchange' && exchanges.includes(one.seq) ? [one] : []));
  return found.every(
    ({ sentAt, headersAt = Number.POSITIVE_INFINITY, outcome }) =>
      outcome === 'answered' && sentAt >= fromUs && headersAt < toUs,
  );
}

const seen = { alterations: 0, byRule: new Map<string, number>() };

/** Alterations that are believed and listed nowhere. */
function believed(records: readonly JournalRecord[], verdicts: Verdicts, most: number): string[] {
  const folded = foldedOf(records);
  const rare = [...placesIn(verdicts)].filter(({ certificate: { rule } }) => (seen.byRule.get(rule) ?? 0) < most);
  const refs = records.flatMap((one) => (one.kind === 'exchange' ? [one.seq] : []));
  return rare.flatMap((place) => {
    const { certificate, put } = place;
    if ((seen.byRule.get(certificate.rule) ?? 0) >= most) return [];
    seen.byRule.set(certificate.rule, (seen.byRule.get(certificate.rule) ?? 0) + 1);
    const all = [...alterationsOf(certificate, refs)].flatMap((one) => {
      const claimed = { ...one.certificate, claim: claimOrNone(one.certificate) };
      return claimed.claim === one.certificate.claim || one.path === 'claim'
        ? [one]
        : [one, { ...one, certificate: claimed }];
    });
    const history = rawHistory(
      [certificate, ...all.map((one) => one.certificate).filter(isNamed)],
      folded,
      () => records,
    );
    expect(misplaced(put(certificate), history.header)).toBeUndefined();
    expect(verifies(certificate, history) && isAsCounted(certificate, history), JSON.stringify(certificate)).toBe(true);
    seen.alterations += all.length;
    return all
      .filter((one) => isBelieved(one.certificate, put, history))
      .filter((one) => !Object.values(harmless).some((isHarmless) => isHarmless(one, records, place)))
      .map(
        ({ path, kind, before, after }) => `${certificate.rule}: ${path}, ${kind}: ${JSON.stringify([before, after])}`,
      );
  });
}

const isNamed = ({ exchanges, scope, counts }: Certificate) =>
  Array.isArray(exchanges) && typeof scope === 'object' && typeof counts === 'string';

function claimOrNone(certificate: Certificate): string {
  try {
    return claimOf(certificate);
  } catch {
    return '';
  }
}

function isBelieved(one: Certificate, put: Place['put'], history: ReturnType<typeof rawHistory>): boolean {
  try {
    // The place last: it is compared with all other certificates, and few alterations come that far.
    return verifies(one, history) && isAsCounted(one, history) && misplaced(put(one), history.header) === undefined;
  } catch {
    // No certificate at all.
    return false;
  }
}

it('a certificate holds whose sums are rounded otherwise, as where nobody knows how far the clock was set', () => {
  const daily = { ...written.daily, max: 3, day: 'token-timezone' };
  const records = [
    header({
      profile: TargetProfileSchema.parse({ errorCodes: { known: true }, limits: { daily } }),
      limits: { ...header().limits, daily: { max: 3 } },
      // A rate, and no record of the clock, which is written at the start of every run that has one.
      clock: { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(60_001_000), rate: 1 },
    }),
    accepted(0, 'a', 0, 10),
    refused(1, 2_138_500_321, 'daily_quota_exceeded', { message: { id: 'b', digest: 'b' } }),
    end({ exchanges: 2 }),
  ];
  const [wrongful] = judge(records).refusals.wrongful;
  expect(wrongful?.certificates.map(({ reading }) => reading)).toContain('token-timezone');
});

describe('a certificate of which one member is otherwise is not believed', () => {
  it.each(Object.entries(drawnKinds))(
    'in drawn journals about %s',
    (_, kind) => {
      seen.byRule.clear();
      for (let seed = 0; seed < runs(40, 10); seed++) {
        const records = drawnJournal(kind, seed);
        expect(believed(records, judge(records, { infers: false }), 2), `seed ${seed}`).toEqual([]);
      }
      expect(seen.byRule.size).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );

  it(
    'in the corpus',
    () => {
      seen.byRule.clear();
      for (const file of withRules) {
        const records = [...readJournalSync(join(CORPUS, file))];
        expect(believed(records, judge(records, { infers: false }), 1), file).toEqual([]);
      }
      expect([...seen.byRule.keys(), ...notInCorpus].sort()).toEqual([...ruleNames].sort());
      expect(seen.alterations).toBeGreaterThan(10_000);
    },
    PATIENCE_MS,
  );
});
