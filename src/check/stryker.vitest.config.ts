import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The tests of this room alone: whatever else imports it would notice its mutants later, and at a price. A mutant is dead at the
 * first test that fails; so those that decide most for the least time come first, and repeat themselves less often.
 */

const last = [
  'readings/readings.laws',
  'readings/slots-and-days.laws',
  'readings/readings',
  'corpus/corpus',
  'judge',
  'inference/inference',
  'limits/limits',
  'findings/findings.laws',
].map((name) => join(import.meta.dirname, `${name}.test.ts`));

class CheapFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => last.indexOf(a.moduleId) - last.indexOf(b.moduleId));
  }
}

export default defineConfig({
  test: {
    include: ['src/check/**/*.test.ts'],
    // Plays every scenario against the sandbox, which takes as long as all else and notices what others notice.
    exclude: ['src/check/findings/honest-runs.test.ts'],
    // Modules are loaded once for all files of a mutant, which is most of its price.
    isolate: false,
    setupFiles: [join(import.meta.dirname, 'stryker.setup.ts')],
    sequence: { sequencer: CheapFirst },
    env: { SPILLWAY_TEST_SHARE: '0.05' },
    testTimeout: 60_000,
  },
});
