import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // Tests own real sockets and processes; the time they may take covers a loaded two-core machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
