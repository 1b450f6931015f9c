import { type LimitName, limitNames } from '../api/index.ts';
import { limitBit } from './evidence/attribution.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { Finding } from './finding.ts';
import { judgeLimit, type LimitJudgement } from './judging/judge-limit.ts';
import { concurrencyCase } from './limits/concurrency.ts';
import { dailyCase } from './limits/daily.ts';
import { rateCase } from './limits/rate.ts';
import type { DeclaredReadings } from './reading.ts';
import { type Refusals, VERDICTS_FORMAT, VERDICTS_VERSION, type Verdicts } from './verdict.ts';

export interface JudgeOptions {
  /** Readings to judge instead of the declared ones. Absent, or absent for a limit: those of the header. */
  readonly declared?: DeclaredReadings;
  /** Whether to infer what each limit behaves as; no verdict rests on that. Default true. */
  readonly infers?: boolean;
}

type JudgeOfLimit = (evidence: Evidence, declared: string | undefined) => LimitJudgement;

/** For each limit, how its case is made and judged. */
const judges: Readonly<Record<LimitName, JudgeOfLimit>> = {
  rate: (evidence, declared) => judgeLimit(rateCase(evidence, declared), evidence),
  daily: (evidence, declared) => judgeLimit(dailyCase(evidence, declared), evidence),
  concurrency: (evidence, declared) => judgeLimit(concurrencyCase(evidence, declared), evidence),
};

/** Judges evidence. Does not verify certificates: `verify` does so from the records. */
export function judgeEvidence(
  evidence: Evidence,
  findings: readonly Finding[] = [],
  options: JudgeOptions = {},
): Verdicts {
  const judged = limitNames.map((limit) => judges[limit](evidence, options.declared?.[limit]));
  const { explained, ...refusals } = refusalsOf(evidence, judged);
  const { header, complete, skipped } = evidence;
  return {
    format: VERDICTS_FORMAT,
    version: VERDICTS_VERSION,
    limits: judged.map(({ limit, verdict }) =>
      verdict({ attributed: refusals.attributed[limit], explained: explained[limit] }, options.infers ?? true),
    ),
    refusals,
    findings,
    soundness: { exclusive: header.exclusive, flushed: { ...header.flushed }, complete, skipped },
  };
}

/** At most this many wrongful refusals are listed with their proofs; the verdicts of the limits represent the rest. */
const MOST_WRONGFUL = 20;

type Suspect = Pick<LimitJudgement, 'limit' | 'unexplained' | 'mayHaveRefused'>;

/**
 * Attributes each 429 to a limit: by its code, or by excluding limits that cannot have refused it. `explained`: for each limit,
 * how many of its refusals some reading explains.
 */
function refusalsOf(
  evidence: Evidence,
  judged: readonly LimitJudgement[],
): Refusals & { readonly explained: Readonly<Record<LimitName, number>> } {
  const attributed: Record<LimitName | 'ambiguous', number> = { rate: 0, concurrency: 0, daily: 0, ambiguous: 0 };
  const explained: Record<LimitName, number> = { rate: 0, concurrency: 0, daily: 0 };
  const wrongful: Refusals['wrongful'][number][] = [];
  let total = 0;
  let unnamed = 0;
  const suspectsOf = suspectsBySet(judged);
  for (const row of evidence.order) {
    const set = evidence.refusedBy[row] as number;
    if (set === 0 && evidence.foreign[row] === 0) continue;
    total += 1;
    unnamed += evidence.unnamed[row] as number;
    if (set === 0) {
      attributed.ambiguous += 1;
      continue;
    }
    const suspects = suspectsOf[set] as readonly Suspect[];
    const possible = suspects.filter(({ unexplained }) => !unexplained.has(row));
    const candidates = suspects.length === 1 ? suspects : possible;
    const by = candidates.length === 1 ? candidates[0] : undefined;
    attributed[by?.limit ?? 'ambiguous'] += 1;
    if (by && possible.length > 0 && by.mayHaveRefused(row)) explained[by.limit] += 1;
    if (possible.length === 0 && wrongful.length < MOST_WRONGFUL) {
      const certificates = suspects.flatMap(({ unexplained }) => unexplained.prove(row));
      wrongful.push({ exchange: evidence.refOf(row), certificates });
    }
  }
  return { total, unnamed, attributed, wrongful, explained };
}

/** The limits of every `LimitSet`, computed once: there may be a million refusals. */
const suspectsBySet = (judged: readonly LimitJudgement[]): readonly (readonly Suspect[])[] =>
  Array.from({ length: 2 ** limitNames.length }, (_, set) =>
    judged.filter(({ limit }) => (set & limitBit[limit]) !== 0),
  );
