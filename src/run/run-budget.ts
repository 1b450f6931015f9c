import { ExitCode, formatCount, SpillwayError } from '../base/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { type Budget, budgetMemory, budgetOf } from '../schedule/index.ts';

interface BudgetOptions {
  readonly loaded: Pick<LoadedScenario, 'profile'>;
  readonly target: { readonly kind: 'embedded' | 'remote' };
  /** Counters shared with other workers and rounds; absent: only this run uses the budget. */
  readonly spent?: SharedArrayBuffer | undefined;
}

/**
 * The profile's budget for a run; `undefined` for the embedded sandbox, or without a budget.
 * @param onSpent called once, with the error to report, when the first request exceeds the budget
 */
export function runBudget(
  { loaded, target, spent = budgetMemory() }: BudgetOptions,
  onSpent: (error: SpillwayError) => void,
): Budget | undefined {
  if (target.kind === 'embedded') return undefined;
  const { budget } = loaded.profile;
  return budgetOf(budget, spent, (what) =>
    onSpent(
      new SpillwayError(
        'BUDGET_SPENT',
        `the profile's budget of ${formatCount(budget[what] ?? 0)} ${what} is spent: nothing more was sent; raise it (budget.${what}), or send less`,
        ExitCode.abortedByGate,
      ),
    ),
  );
}
