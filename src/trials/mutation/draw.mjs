import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/*
 * What this project adds to Stryker: of all mutants, only those that a seed draws are tried. A plugin, and loaded as a reporter,
 * because reporters are shown the plan after the dry run and before the first mutant. JavaScript, because Stryker loads its
 * plugins with plain Node, in processes of its own.
 */

/** A plan's place in an order that depends on the seed and on what the mutant is, not on how many there are. */
const placeOf = (seed, { mutant: { fileName, mutatorName, replacement, location } }) =>
  createHash('sha256')
    .update(JSON.stringify([seed, fileName.replace(/^.*\/src\//, ''), location, mutatorName, replacement]))
    .digest('hex');

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

  /** Stryker does not miss tests of a file that cannot be loaded: their mutants would seem to survive. */
  onDryRunCompleted({ result: { tests } }) {
    const room = join('src', process.env.SPILLWAY_MUTATED_ROOM);
    const ran = new Set(tests.map(({ fileName }) => fileName.replace(/^.*\/src\//, 'src/')));
    const files = readdirSync(room, { recursive: true }).map((name) => join(room, name));
    const left = files.filter((name) => name.endsWith('.test.ts') && !ran.has(name));
    if (left.length > 0) process.stderr.write(`without tests that ran: ${left.join(', ')}\n`);
  }

  /**
   * Stryker goes on with the very plans that it shows: what becomes an early result here is not run. They are run in the order of
   * the draw, so that whatever has been tried when somebody stops it is a sample, too; the test runner loads everything anew
   * for each mutant, so that none has to wait for the others.
   */
  onMutationTestingPlanReady({ mutantPlans }) {
    const { size, seed } = this.#sample;
    const places = new Map(mutantPlans.map((plan) => [plan, placeOf(seed, plan)]));
    mutantPlans.sort((a, b) => (places.get(a) < places.get(b) ? -1 : 1));
    const runnable = mutantPlans.filter(({ plan }) => plan === 'Run');
    for (const plan of runnable) plan.runOptions.reloadEnvironment = false;
    const left = size === 0 ? [] : runnable.slice(size);
    for (const plan of left) {
      plan.plan = 'EarlyResult';
      plan.mutant.status = 'Ignored';
      plan.mutant.statusReason = 'not drawn';
    }
    this.#drawn = runnable.length - left.length;
    process.stderr.write(
      `${this.#drawn} of ${runnable.length} mutants drawn; ${mutantPlans.length} with static ones\n`,
    );
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
