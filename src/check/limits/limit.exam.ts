import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { runs } from '../../testing/share.ts';
import type { Certificate } from '../certificates/certificate.ts';
import { verifies } from '../verify/certificate.ts';
import { rawHistory } from '../verify.ts';
import { foldedOf, judgeOne, survives } from './judging.exam.ts';
import { simulate } from './simulated-service.exam.ts';
import type { World } from './worlds.exam.ts';

export interface Candidate {
  readonly limit: 'concurrency' | 'daily';
  readonly world: (seed: number, members?: Partial<World>) => World;
  /** The reading that a world's service really has. */
  readonly truth: (world: World) => string;
  /** By name: what makes a service defective, traffic that shows it, and the least share of seeds that must convict it. */
  readonly defects: Readonly<
    Record<string, { readonly members: Partial<World>; readonly convicted: number; readonly because: string }>
  >;
}

/** Set HONEST_HISTORIES for a longer run. */
const HONEST = Number(process.env.HONEST_HISTORIES ?? runs(200));
const DEFECTIVE = 20;

/** Every limit that is judged by turns or by messages must pass this exam. */
export function limitExam(candidate: Candidate): void {
  const { limit, world, truth, defects } = candidate;
  describe(`the judge of the ${limit} limit`, () => {
    it(`accuses none of ${HONEST} honest services, and never refutes the reading that they have`, () => {
      const accused: number[] = [];
      let refused = 0;
      for (let seed = 0; seed < HONEST; seed++) {
        const honest = world(seed);
        const records = simulate(honest);
        refused += records.filter((record) => record.kind === 'exchange' && record.outcome === 'refused').length;
        const judged = judgeOne(records, limit);
        const kept = survives(judged, truth(honest), honest.scope);
        if (judged.verdict.verdict === 'violated' || judged.wrongful > 0 || !kept) accused.push(seed);
      }
      expect(accused).toEqual([]);
      expect(refused).toBeGreaterThan(HONEST);
    }, 600_000);

    it.each(Object.entries(defects))(
      'convicts: %s',
      (_, { members, convicted, because }) => {
        const verdicts = Array.from(
          { length: DEFECTIVE },
          (_, seed) => judgeOne(simulate(world(seed, { rewritten: 0, ...members })), limit).verdict,
        );
        const guilty = verdicts.filter((verdict) => verdict.verdict === 'violated');
        expect(guilty.length).toBeGreaterThanOrEqual(convicted * DEFECTIVE);
        expect(guilty.map((verdict) => verdict.because)).toContain(because);
      },
      60_000,
    );

    it('names in a proof of over-admission nothing that could be spared, and in no proof too little', () => {
      let proofs = 0;
      for (const { members } of Object.values(defects)) {
        for (let seed = 0; seed < runs(4); seed++) {
          const records = simulate(world(seed, members));
          for (const certificate of judgeOne(records, limit).certificates) {
            proofs += 1;
            expect(without(certificate).filter((less) => holds(less, records))).toEqual([]);
          }
        }
      }
      expect(proofs).toBeGreaterThan(runs(20));
    }, 60_000);
  });
}

/**
 * Copies of the certificate with one exchange removed each; for a wrongful refusal, which also lists exchanges that need not have
 * counted, one copy with all removed.
 */
function without(certificate: Certificate): Certificate[] {
  if (certificate.because !== 'over-admission')
    return 'refusal' in certificate && certificate.observed > 0
      ? [{ ...certificate, exchanges: [certificate.refusal] }]
      : [];
  return certificate.exchanges.map((one) => ({
    ...certificate,
    exchanges: certificate.exchanges.filter((other) => other !== one),
  }));
}

function holds(certificate: Certificate, records: readonly JournalRecord[]): boolean {
  return verifies(
    certificate,
    rawHistory([certificate], foldedOf(records), () => records),
  );
}
