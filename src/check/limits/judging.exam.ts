import type { LimitName } from '../../api/index.ts';
import { type JournalRecord, profileWords } from '../../history/index.ts';
import type { Certificate } from '../certificates/certificate.ts';
import { EvidenceFold } from '../evidence/evidence-fold.ts';
import { judgeLimit } from '../judging/judge-limit.ts';
import type { LimitVerdict, Verdicts } from '../verdict.ts';
import { RawLedger } from '../verify/raw/ledger.ts';
import { type Folded, verify } from '../verify.ts';
import { concurrencyCase } from './concurrency.ts';
import { dailyCase } from './daily.ts';

export interface Judged {
  readonly verdict: LimitVerdict;
  /** Number of refusals that no reading explains under any scope. */
  readonly wrongful: number;
  /** Verified certificates: of every refuted reading, of the verdict and of those refusals. */
  readonly certificates: readonly Certificate[];
}

/** Judges one limit and verifies every proof. @param infers see `JudgeOptions` @throws if a proof does not hold */
export function judgeOne(
  records: readonly JournalRecord[],
  limit: Exclude<LimitName, 'rate'>,
  declared?: string,
  infers = true,
): Judged {
  const [header] = records;
  if (header?.kind !== 'header') throw new Error('no header');
  const folded = foldedOf(records);
  const { evidence } = folded;
  const judgement =
    limit === 'daily'
      ? judgeLimit(dailyCase(evidence, declared), evidence)
      : judgeLimit(concurrencyCase(evidence, declared), evidence);
  const verdict = judgement.verdict({ attributed: 1, explained: 1 }, infers);
  const certificates = judgement.unexplained.rows().flatMap((row) => judgement.unexplained.prove(row));
  const wrongful = certificates.map((one) => ({ exchange: one.refusal, certificates: [one] }));
  verify({ limits: [verdict], refusals: { wrongful }, findings: [] } as unknown as Verdicts, folded, () => records);
  const refuted = verdict.readings.flatMap((reading) => (reading.state === 'refuted' ? [reading.certificate] : []));
  return { verdict, wrongful: certificates.length, certificates: [...refuted, ...certificates] };
}

/** Whether the service's real reading survived under its real scope. */
export function survives(judged: Judged, reading: string, scope: string): boolean {
  return !judged.verdict.readings.some(
    (one) => one.reading === reading && one.scope === scope && one.state === 'refuted',
  );
}

/** What `verify` needs for records in memory. */
export function foldedOf(records: readonly JournalRecord[]): Folded {
  const [header] = records;
  if (header?.kind !== 'header') throw new Error('no header');
  const [evidence, ledger] = [new EvidenceFold(header), new RawLedger(profileWords(header.profile))];
  for (const record of records) {
    evidence.add(record);
    ledger.add(record);
  }
  return { evidence: evidence.finish(), ledger };
}
