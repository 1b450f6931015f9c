import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // The default leaves a core idle, which on two cores is half of them.
    maxWorkers: '100%',
    // Tests own real sockets and processes; the time they may take covers a loaded two-core machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
