import { defineConfig } from 'vitest/config';

/** The tests of this room alone: whatever else imports it would notice its mutants later, and at a price. */
export default defineConfig({
  test: { include: ['src/check/**/*.test.ts'], testTimeout: 60_000 },
});
