import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that start processes, which take longest: they come first, since projects run in the order of their names. */
const processes = ['src/{bench,cli,run,trials}/**/*.test.ts', 'src/sandbox/shell/{bad-input,kill,process}.test.ts'];

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
    // What is built is run as it is.
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      { extends: true, test: { name: 'processes', include: processes } },
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['src/**/*.test.ts'],
          exclude: processes,
        },
      },
    ],
  },
});
