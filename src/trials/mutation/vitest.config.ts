import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Only the tests of the mutated room run: tests of other rooms would notice its mutants later and at a higher cost. A mutant is
 * dead at the first failing test, so tests that decide most in the least time come first, and repeat less often.
 */

const source = join(import.meta.dirname, '..', '..');
const room = process.env.SPILLWAY_MUTATED_ROOM ?? 'check';

/** The slowest tests that notice something. */
const last = [
  'check/findings/altered',
  'check/corpus/corpus',
  'check/drawn',
  'check/honest-services',
  'check/certificates',
  'check/judge',
  'check/inference/inference',
  'check/readings/concurrency.laws',
  'check/readings/days.laws',
].map((name) => join(source, `${name}.test.ts`));

/** Slow tests that notice nothing more than the others: searches for false accusations, and measurements of power. */
const unused = [
  'check/findings/honest-runs.test.ts',
  'check/findings/findings.laws.test.ts',
  'check/readings/readings.test.ts',
  'check/readings/readings.laws.test.ts',
  'check/limits/limits.test.ts',
];

class CheapFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => last.indexOf(a.moduleId) - last.indexOf(b.moduleId));
  }
}

export default defineConfig({
  test: {
    include: [`src/${room}/**/*.test.ts`],
    exclude: unused.map((name) => `src/${name}`),
    // All files of a mutant share loaded modules; loading is most of its cost.
    isolate: false,
    globalSetup: join(source, 'testing', 'temporary-files.ts'),
    setupFiles: [join(import.meta.dirname, 'set-up.ts'), join(source, 'testing', 'set-up.ts')],
    sequence: { sequencer: CheapFirst },
    env: { SPILLWAY_TEST_SHARE: '0.05' },
    // Counting what covers what makes some tests ten times as slow. Mutants have Stryker's own, shorter limit.
    testTimeout: 600_000,
  },
});
