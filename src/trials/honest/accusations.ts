import type { LimitName } from '../../api/index.ts';
import { checkJournal, judge, type ReadingVerdict, type Verdicts, weigh } from '../../check/index.ts';
import { countingOf } from '../../check/limits/counting.ts';
import { scopeNames } from '../../check/limits/scope.ts';
import { rateReadings, readingNamed } from '../../check/readings/index.ts';
import { countedOperations } from '../../check/verify/raw/raw.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { HonestService } from '../world/service.ts';

/** A false accusation of a correct service. */
export interface Accusation {
  /** `rate`, `wrongful-refusal` or the kind of a finding; `refuted: …` for a true reading that was refuted; `tool` if the judge threw. */
  readonly of: string;
  readonly claim: string;
}

export interface Judged {
  readonly verdicts: Verdicts | undefined;
  readonly accusations: readonly Accusation[];
}

/**
 * Judges the history of a correct service. Every accusation is false.
 * @param records records, or the path of their file
 * @param infers whether to infer what the service behaves as. No verdict depends on it, and it takes half of the time
 */
export function judgeHonest(
  records: readonly JournalRecord[] | string,
  service: HonestService,
  infers: boolean,
): Judged {
  let verdicts: Verdicts;
  try {
    verdicts = typeof records === 'string' ? checkJournal(records, { infers }) : judge(records, { infers });
  } catch (error) {
    return { verdicts: undefined, accusations: [{ of: 'tool', claim: String(error) }] };
  }
  const { proven } = weigh(verdicts, { accepted: [] });
  return {
    verdicts,
    accusations: [
      ...proven.map(({ violation, claim }) => ({ of: violation, claim })),
      ...refutedTruths(verdicts, service),
    ],
  };
}

/** The truth about one limit: its reading under each of its names, its scope, and the name of what counts. */
interface Fact {
  readonly readings: readonly string[];
  readonly scope: string;
  readonly counts: string;
}

function factsOf({ truth }: HonestService): Readonly<Record<LimitName, Fact>> {
  const { counts, countsReplays } = truth.rate;
  return {
    rate: {
      readings: truth.rate.readings.flatMap((name) => readingNamed(rateReadings, name)?.name ?? []),
      scope: truth.rate.scope,
      counts: countingOf(counts, countsReplays).name,
    },
    concurrency: { ...truth.concurrency, counts: 'turns' },
    daily: { ...truth.daily, counts: 'new messages' },
  };
}

/** True readings that were refuted, under the true scope and counting or under ones for which the refutation implies the same. */
function refutedTruths({ limits }: Verdicts, service: HonestService): Accusation[] {
  const facts = factsOf(service);
  return limits.flatMap(({ limit, readings }) =>
    readings.flatMap((one) =>
      one.state === 'refuted' && isFalse(one, facts[limit])
        ? [
            {
              of: `refuted: ${limit} ${one.reading}`,
              claim: `${one.scope}, ${one.counts}: ${one.certificate.because}: ${one.certificate.claim}`,
            },
          ]
        : [],
    ),
  );
}

/** A part of a bucket that over-admits implies that the bucket does; a refusal that a larger bucket cannot explain, the bucket cannot. */
function isFalse(one: Extract<ReadingVerdict, { state: 'refuted' }>, { readings, scope, counts }: Fact): boolean {
  if (!readings.includes(one.reading)) return false;
  if (one.scope === scope && one.counts === counts) return true;
  if (one.because === 'over-admission') return isPart(one.scope, scope) && isWithin(one.counts, counts);
  return one.because === 'wrongful-refusal' && isPart(scope, one.scope) && isWithin(counts, one.counts);
}

/** By scope, those whose buckets each contain whole buckets of it. */
const wider: Readonly<Record<string, readonly string[]>> = {
  narrowest: scopeNames,
  conversation: ['user', 'application', 'address'],
  token: ['user', 'application', 'address'],
  user: ['application', 'address'],
  endpoint: ['application', 'address'],
  application: ['address'],
};

const isPart = (scope: string, whole: string): boolean => scope === whole || (wider[scope]?.includes(whole) ?? false);

/** Whether everything that counts under `counts` also counts under `others`. */
function isWithin(counts: string, others: string): boolean {
  const [few, many] = [countedOperations(counts), countedOperations(others)];
  return few.operations.every((id) => many.operations.includes(id)) && (!few.replays || many.replays);
}
