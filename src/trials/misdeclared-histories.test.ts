import { expect, it } from 'vitest';
import { judge } from '../check/index.ts';
import type { Header, JournalRecord } from '../history/index.ts';
import { runs } from '../testing/share.ts';
import { tryHonest } from './honest/try.ts';

/*
 * Services that keep their limits, but not those that they declare: every number is declared twice or half as high. So the judge has
 * something to prove, and each of its proofs has to hold for the verifier, whatever happened to the history. A service that admits
 * less than it declares never admits too much; one that admits more never refuses too early.
 */

const HISTORIES = runs(1_200);
/** A virtual day takes milliseconds; a loaded machine takes longer. */
const PATIENCE_MS = 600_000;

type Limits = Header['limits'];

function declaring(factor: number, records: readonly JournalRecord[]): JournalRecord[] {
  const scaled = <Limit extends { max: number }>(limit: Limit): Limit => ({
    ...limit,
    max: Math.max(1, Math.ceil(limit.max * factor)),
  });
  const limitsOf = ({ rate, concurrency, daily }: Limits): Limits => ({
    rate: scaled(rate),
    concurrency: scaled(concurrency),
    daily: scaled(daily),
  });
  return records.map((record) => (record.kind === 'header' ? { ...record, limits: limitsOf(record.limits) } : record));
}

/** Of each limit that is violated: why. */
const violationsOf = (records: readonly JournalRecord[]): string[] =>
  judge(records, { infers: false }).limits.flatMap((one) => (one.verdict === 'violated' ? [one.because] : []));

it(
  `${HISTORIES} services that declare other numbers are convicted of what they do, with proofs that hold`,
  () => {
    const found = { more: new Map<string, number>(), less: new Map<string, number>() };
    for (let seed = 0; seed < HISTORIES; seed++) {
      const { records } = tryHonest(seed);
      for (const [factor, tally] of [[2, found.more] as const, [0.5, found.less] as const])
        for (const because of violationsOf(declaring(factor, records))) {
          if (because === (factor > 1 ? 'over-admission' : 'wrongful-refusal')) expect.fail(`seed ${seed}: ${because}`);
          tally.set(because, (tally.get(because) ?? 0) + 1);
        }
    }
    expect(found.more.get('wrongful-refusal')).toBeGreaterThan(HISTORIES / 20);
    expect(found.less.get('over-admission')).toBeGreaterThan(HISTORIES / 20);
  },
  PATIENCE_MS,
);
