import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // One more than cores: most of these tests wait for processes of their own, and the default would leave a core idle.
    maxWorkers: availableParallelism() + 1,
    // What is built is run as it is.
    server: { deps: { external: [/\/dist\//] } },
    // Tests own real sockets and processes; the time they may take covers a loaded two-core machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
