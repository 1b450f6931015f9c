import { countingOf } from '../../check/counting.ts';
import { judge, type Verdicts, weigh } from '../../check/index.ts';
import { rateReadings, readingNamed } from '../../check/readings/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { HonestService } from '../world/service.ts';

/** Something false that the judge said of an honest service. */
export interface Accusation {
  /** `rate`, `wrongful-refusal`, the kind of a finding; `refuted: …` for a true reading that did not survive; `tool`. */
  readonly of: string;
  readonly claim: string;
}

export interface Judged {
  readonly verdicts: Verdicts | undefined;
  readonly accusations: readonly Accusation[];
}

/** Judges the history of an honest service. Whatever is held against it is false. */
export function judgeHonest(records: readonly JournalRecord[], service: HonestService): Judged {
  let verdicts: Verdicts;
  try {
    verdicts = judge(records);
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

/**
 * Readings that are true of the service and did not survive: under the scope and the counting that are true of it, or, by what
 * can only be worse there, under the narrowest or the widest that is judged (the first and the last of each reading's extremes).
 */
function refutedTruths({ limits }: Verdicts, { truth, profile }: HonestService): Accusation[] {
  const { counts, countsReplays } = profile.limits.rate;
  const truths = {
    rate: {
      readings: truth.rate.readings.flatMap((name) => readingNamed(rateReadings, name)?.name ?? []),
      scope: truth.rate.scope,
      counts: countingOf(counts, countsReplays).name,
    },
    concurrency: { ...truth.concurrency, counts: 'turns' },
    daily: { ...truth.daily, counts: 'new messages' },
  };
  return limits.flatMap(({ limit, readings }) => {
    const { readings: names, scope, counts } = truths[limit];
    return readings.flatMap((one) => {
      if (one.state !== 'refuted' || !names.includes(one.reading)) return [];
      const isTrue = one.scope === scope && one.counts === counts;
      const [narrowest, , widest] = readings.filter(({ reading }) => reading === one.reading);
      const isExtreme =
        (one === narrowest && one.because === 'over-admission') ||
        (one === widest && one.because === 'wrongful-refusal');
      const of = `refuted: ${limit} ${one.reading}`;
      return isTrue || isExtreme ? [{ of, claim: `${one.scope}, ${one.counts}: ${one.certificate.claim}` }] : [];
    });
  });
}
