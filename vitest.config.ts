import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start processes, which take longest: they come first. */
const processes = /^src\/((bench|cli|run|trials)\/.*|sandbox\/shell\/(bad-input|kill|process)\.test\.ts$)/;

class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => processes.test(relative(import.meta.dirname, moduleId));
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

export default defineConfig({
  test: {
    // One more than cores: most of these tests wait for processes of their own, and the default would leave a core idle.
    maxWorkers: availableParallelism() + 1,
    globalSetup: 'src/testing/temporary-files.ts',
    setupFiles: 'src/testing/set-up.ts',
    // Tests own real sockets and processes; the time they may take covers a loaded two-core machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Files share their process and with it the rooms that are loaded already, which take as long to import as most of the tests to run.
    isolate: false,
    sequence: { sequencer: ProcessesFirst },
    include: ['src/**/*.test.ts'],
    // What is built is run as it is.
    server: { deps: { external: [/\/dist\//] } },
  },
});
