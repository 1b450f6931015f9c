import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The tests of this room alone: whatever else imports it would notice its mutants later, and at a price. A mutant is dead at the
 * first test that fails; so those that decide most for the least time come first, and repeat themselves less often.
 */

const last = [
  'findings/altered',
  'corpus/corpus',
  'drawn',
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
    // What takes long and notices nothing that the others do not: searches for false accusations, and power measured.
    exclude: [
      'findings/honest-runs.test.ts',
      'findings/findings.laws.test.ts',
      'readings/readings.test.ts',
      'readings/readings.laws.test.ts',
      'limits/limits.test.ts',
    ].map((name) => `src/check/${name}`),
    // Modules are loaded once for all files of a mutant, which is most of its price.
    isolate: false,
    setupFiles: [join(import.meta.dirname, 'stryker.setup.ts')],
    sequence: { sequencer: CheapFirst },
    env: { SPILLWAY_TEST_SHARE: '0.05' },
    testTimeout: 60_000,
  },
});
