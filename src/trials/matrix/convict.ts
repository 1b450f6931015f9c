import type { LimitName } from '../../api/index.ts';
import { judge, type Verdicts, weigh } from '../../check/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { rateReadingsOf } from '../world/limits.ts';
import type { Case } from './case.ts';

/**
 * Kinds of charges, the strongest first. `verdict`: a limit is violated under every reading, or a refusal is wrongful under all limits.
 * `finding`: another violation is proven. `declared`: a limit is violated under the declared reading. `told`: only an observation.
 * `expected`: an expectation of the scenario is not met.
 */
export const manners = ['verdict', 'finding', 'declared', 'told', 'expected'] as const;
export type Manner = (typeof manners)[number];

export interface Charge {
  readonly manner: Manner;
  /** What is violated, observed or unmet, in one or two words. */
  readonly what: string;
  readonly claim: string;
}

/** The true readings of a service with these settings. */
export function declaredOf({ config }: Pick<Case, 'config'>): Readonly<Partial<Record<LimitName, string>>> {
  const [rate, daily] = [config.limits.rate[0], config.limits.daily[0]];
  const phase = rate && 'phase' in rate ? rate.phase : 0;
  // The most specific true reading: that of aligned windows if windows are aligned.
  const readings = rate ? rateReadingsOf(rate.algorithm, phase) : [];
  const reading = readings.find((name) => name.endsWith('-aligned')) ?? readings[0];
  return {
    ...(reading !== undefined && { rate: reading }),
    concurrency: 'accepted-to-finished',
    ...(daily && { daily: daily.day }),
  };
}

/** All charges that a history supports. */
export function chargesIn(records: readonly JournalRecord[], about: Case): readonly Charge[] {
  const unknown = judge(records);
  // What a limit behaves as is no charge; that it can be said is tried above.
  const declared = judge(records, { declared: declaredOf(about), infers: false });
  return [
    ...proven(unknown, 'verdict'),
    ...proven(declared, 'declared').filter(({ manner }) => manner === 'declared'),
    ...unknown.findings
      .filter(({ basis }) => basis === 'observation')
      .map(({ kind, claim }) => ({ manner: 'told' as const, what: kind, claim })),
    ...records.flatMap((record) =>
      record.kind === 'exchange'
        ? (record.expect?.unmet ?? []).map((claim) => ({ manner: 'expected' as const, what: record.operation, claim }))
        : [],
    ),
  ];
}

const limits: readonly string[] = ['rate', 'concurrency', 'daily', 'wrongful-refusal'];

function proven(verdicts: Verdicts, ofLimits: 'verdict' | 'declared'): Charge[] {
  const becauseOf = (violation: string) => {
    const limit = verdicts.limits.find((one) => one.limit === violation);
    return limit?.verdict === 'violated' ? `${violation} ${limit.because}` : violation;
  };
  return weigh(verdicts, { accepted: [] }).proven.map(({ violation, claim }) => ({
    manner: limits.includes(violation) ? ofLimits : 'finding',
    what: becauseOf(violation),
    claim,
  }));
}

/** The charges that show the defect, because the twin does not have them; unique, the strongest first. */
export function convicting(charges: readonly Charge[], twins: readonly Charge[]): readonly Charge[] {
  const known = new Set(twins.map(keyOf));
  const own = charges.filter((charge) => !known.has(keyOf(charge)));
  const first = own.filter((charge, i) => own.findIndex((other) => keyOf(other) === keyOf(charge)) === i);
  return first.sort((a, b) => manners.indexOf(a.manner) - manners.indexOf(b.manner));
}

const keyOf = ({ manner, what }: Charge) => `${manner} ${what}`;
