import { ExitCode, SpillwayError } from '../base/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { type Budget, budgetMemory, budgetOf } from '../schedule/index.ts';

interface BudgetOptions {
  readonly loaded: Pick<LoadedScenario, 'profile'>;
  readonly target: { readonly kind: 'embedded' | 'remote' };
  /** What others have spent and spend of it; absent: nobody does. */
  readonly spent?: SharedArrayBuffer | undefined;
}

/**
 * The profile's budget as a run keeps it. Of our own sandbox nothing is spared.
 * @param onSpent called once, with what to tell, when the first request is held back for it
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
        `the profile's budget of ${budget[what]} ${what} is spent: nothing more was sent; raise it (budget.${what}), or send less`,
        ExitCode.abortedByGate,
      ),
    ),
  );
}
