import { operations } from '../api/index.ts';
import { type Bottleneck, plannedEnds, type Summary } from '../collect/index.ts';
import { describeBottleneck, formatCount, isOverBudget, lackSentence } from '../report/index.ts';

const RELIEF =
  'ask for less, run it with --workers, on a quieter machine, or allow more under generator: in the scenario';
const FILES_RELIEF = 'let it open more files (ulimit -n), or ask for fewer connections and streams at once';

/** Errors of a process, or of a machine, that has too many open files. */
export const OUT_OF_FILES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** If the process may open no more files, more threads would only open fewer each. */
const reliefOf = (bottlenecks: readonly Bottleneck[]): string =>
  bottlenecks.every((bottleneck) => bottleneck.what === 'local-failure' && OUT_OF_FILES.has(bottleneck.failure))
    ? FILES_RELIEF
    : RELIEF;

const isAnswered = ({ success, error, refused }: Summary['total']['byOutcome']): boolean =>
  success + error + refused > 0;

/** Why the service is considered silent. Token requests do not count: their answers say nothing about what was to be measured. */
function silence({ run, total, operations }: Summary): string | undefined {
  if (total.count === 0)
    return run.warmUp.exchanges > 0 ? 'nothing was measured: all requests were sent in the warm-up' : undefined;
  if (!isAnswered(total.byOutcome)) return 'nothing was answered';
  const { issueToken: _, ...withoutTokens } = operations;
  const measured = Object.values(withoutTokens);
  return measured.length > 0 && !measured.some(({ byOutcome }) => isAnswered(byOutcome))
    ? 'only token requests were answered'
    : undefined;
}

function slowness({ health }: Summary): string | undefined {
  const { bottlenecks = [], enforced } = health;
  if (bottlenecks.length === 0 || !enforced) return undefined;
  return `the generator was the bottleneck: ${bottlenecks.map(describeBottleneck).join('; ')}; ${reliefOf(bottlenecks)}`;
}

/**
 * Why the run's numbers must not be used; `undefined` if they may.
 * @param of `complete or not`: an incomplete history is not a reason, as its records may still be used
 */
export function invalidBecause(summary: Summary, of: 'complete' | 'complete or not' = 'complete'): string | undefined {
  const [silent, slow] = [silence(summary), slowness(summary)];
  // An overloaded generator that was ended early leaves a service silent that would have answered.
  if (silent !== undefined) return slow === undefined ? silent : `${silent}, and ${slow}`;
  if (lacksToken(summary))
    return `the service gave no token${insteadOfTokens(summary)}, so nothing of the scenario was done${misplaced(summary)}`;
  const { complete, incompleteBecause = '' } = summary.run;
  if (of === 'complete' && !complete && !plannedEnds.has(incompleteBecause)) return lackSentence(summary.run);
  // If every arrival was late, that is why nothing was sent.
  if (slow !== undefined) return slow;
  // Earlier rounds may have used up the budget.
  if (summary.run.exchanges === 0 && !isOverBudget(summary.run)) return 'nothing was sent';
  return unfilled(summary);
}

/** Every journey stopped at a text with a name that has no value: that is not the service's doing. */
function unfilled({ journeys }: Summary): string | undefined {
  const all = Object.values(journeys);
  const stops = all.flatMap(({ stoppedAt }) => stoppedAt);
  const [first] = stops;
  const isOfTexts = first !== undefined && stops.every(({ because }) => because.startsWith('${'));
  return isOfTexts && all.every(({ byOutcome }) => byOutcome.completed === 0)
    ? `no journey reached its end, since ${first.operation} could not be written: ${first.because}`
    : undefined;
}

/** Only token requests were sent, none brought a token, and the scenario does not expect that. */
function lacksToken({ operations, expectations }: Summary): boolean {
  const { issueToken } = operations;
  const isAll = issueToken !== undefined && Object.keys(operations).length === 1;
  return isAll && issueToken.byOutcome.success === 0 && (expectations.checked === 0 || expectations.unmet > 0);
}

/** A base address that has a part of the API's own paths, or lacks a prefix, leads where nothing is. */
function misplaced({ operations: { issueToken }, errors }: Summary): string {
  const [own, ...others] = errors.filter(({ operation }) => operation === 'issueToken');
  return own?.what === '404' && others.length === 0 && issueToken?.byOutcome.refused === 0
    ? `; check the base address, to which ${operations.issueToken.path} is appended`
    : '';
}

/** What token requests brought instead: ` (refused × 3, deadline × 1)`. */
function insteadOfTokens({ operations, errors }: Summary): string {
  const refused = { what: 'refused', count: operations.issueToken?.byOutcome.refused ?? 0 };
  const others = errors.filter(({ operation }) => operation === 'issueToken');
  const told = [refused, ...others].filter(({ count }) => count > 0);
  return told.length === 0 ? '' : ` (${told.map(({ what, count }) => `${what} × ${formatCount(count)}`).join(', ')})`;
}
