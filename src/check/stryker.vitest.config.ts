import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Only the tests of this room run: tests of other rooms would notice its mutants later and at a higher cost. A mutant is dead at
 * the first failing test, so tests that decide most in the least time come first, and repeat less often.
 */

const last = [
  'findings/altered',
  'corpus/corpus',
  'drawn',
  'honest-services',
  'certificates',
  'judge',
  'inference/inference',
  'readings/slots-and-days.laws',
].map((name) => join(import.meta.dirname, `${name}.test.ts`));

class CheapFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => last.indexOf(a.moduleId) - last.indexOf(b.moduleId));
  }
}

export default defineConfig({
  test: {
    include: ['src/check/**/*.test.ts'],
    // Slow tests that notice nothing more than the others: searches for false accusations, and measurements of power.
    exclude: [
      'findings/honest-runs.test.ts',
      'findings/findings.laws.test.ts',
      'readings/readings.test.ts',
      'readings/readings.laws.test.ts',
      'limits/limits.test.ts',
    ].map((name) => `src/check/${name}`),
    // All files of a mutant share loaded modules; loading is most of its cost.
    isolate: false,
    setupFiles: [join(import.meta.dirname, 'stryker.setup.ts')],
    sequence: { sequencer: CheapFirst },
    env: { SPILLWAY_TEST_SHARE: '0.05' },
    testTimeout: 60_000,
  },
});
