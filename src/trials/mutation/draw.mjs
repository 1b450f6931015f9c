import { createHash } from 'node:crypto';

/*
 * What this project adds to Stryker: of all mutants, only those that a seed draws are tried. A plugin, and loaded as a reporter,
 * because reporters are shown the plan after the dry run and before the first mutant. JavaScript, because Stryker loads its
 * plugins with plain Node, in processes of its own.
 */

/** Those of `all` that come first in an order that depends on the seed and on what each is, not on how many there are. */
function drawnOf(all, { size, seed }) {
  const keyOf = ({ mutant: { fileName, mutatorName, replacement, location } }) =>
    createHash('sha256')
      .update(JSON.stringify([seed, fileName.replace(/^.*\/src\//, ''), location, mutatorName, replacement]))
      .digest('hex');
  const keyed = all.map((plan) => ({ plan, key: keyOf(plan) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return new Set(keyed.slice(0, size === 0 ? all.length : size).map(({ plan }) => plan));
}

class Draw {
  static inject = ['options'];
  #sample;
  #done = 0;
  #drawn = 0;
  #alive = 0;

  /** @param {{ sample: { size: number, seed: number } }} options a size of 0: all */
  constructor({ sample }) {
    this.#sample = sample;
  }

  /** Stryker goes on with the very plans that it shows: what becomes an early result here is not run. */
  onMutationTestingPlanReady({ mutantPlans }) {
    const runnable = mutantPlans.filter(({ plan }) => plan === 'Run');
    const drawn = drawnOf(runnable, this.#sample);
    for (const plan of runnable) {
      if (drawn.has(plan)) continue;
      plan.plan = 'EarlyResult';
      plan.mutant.status = 'Ignored';
      plan.mutant.statusReason = 'not drawn';
    }
    this.#drawn = drawn.size;
    process.stderr.write(`${drawn.size} of ${runnable.length} mutants drawn; ${mutantPlans.length} with static ones\n`);
  }

  onMutantTested({ status, fileName, location, mutatorName, replacement }) {
    if (status === 'Ignored') return;
    this.#done += 1;
    const isAlive = status === 'Survived' || status === 'NoCoverage';
    if (isAlive) this.#alive += 1;
    const { line, column } = location.start;
    const place = `${fileName.replace(/^.*\/src\//, 'src/')}:${line}:${column}`;
    const said = `${status} ${place} ${mutatorName}: ${replacement.replace(/\s+/g, ' ').slice(0, 120)}`;
    process.stderr.write(`${this.#done} of ${this.#drawn}, ${this.#alive} alive; ${said}\n`);
  }
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'draw', injectableClass: Draw }];
