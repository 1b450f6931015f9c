import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start processes. */
const processes =
  /^src\/((bench|cli|run|trials)\/.*|sandbox\/shell\/(bad-input|endless-input|kill|process)\.test\.ts$)/;

/**
 * Tests that start processes wait for much of their time, all others keep a core busy. Evenly mixed, they use all cores from beginning
 * to end.
 */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const startsProcesses = ({ moduleId }: TestSpecification) =>
      processes.test(relative(import.meta.dirname, moduleId));
    const sorted = await super.sort(files);
    const placed = [sorted.filter(startsProcesses), sorted.filter((file) => !startsProcesses(file))].flatMap((kind) =>
      kind.map((file, index) => ({ file, place: index / kind.length })),
    );
    return placed.sort((a, b) => a.place - b.place).map(({ file }) => file);
  }
}

/**
 * V8 optimises code once it has run this often, in its own measure: fifteen times later than by default. Most code of a test runs
 * too seldom to pay for the compiler, which took a quarter of the CPU of the judge's tests. Only the V8 of Node 20 has the option;
 * later ones have a cheaper compiler in between, and refuse to start with it.
 */
const OPTIMISED_LATER = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=1000000'] : [];

/** MiB for new objects instead of 1 to 16: what a test has finished with is then dead before it is copied. A tenth of the CPU. */
const ROOM_FOR_NEW = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/** V8 makes machine code of what runs, without interpreting it first to see whether it runs again. A thirtieth of the CPU. */
const COMPILED_AT_ONCE = '--always-sparkplug';

export default defineConfig({
  test: {
    execArgv: [...OPTIMISED_LATER, ...ROOM_FOR_NEW, COMPILED_AT_ONCE],
    // Where a machine names authorities of its own, every Node process parses them all first: 50 ms, for hundreds that tests start.
    // None of them talks to anything but loopback.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // One more than cores: most of these tests wait for processes of their own, and the default would leave a core idle.
    maxWorkers: availableParallelism() + 1,
    globalSetup: 'src/testing/temporary-files.ts',
    setupFiles: 'src/testing/set-up.ts',
    // Tests own real sockets and processes; the time they may take covers a loaded two-core machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Files share their process and with it the rooms that are loaded already, which take as long to import as most of the tests to run.
    isolate: false,
    sequence: { sequencer: Mixed },
    include: ['src/**/*.test.ts'],
    // What is built is run as it is.
    server: { deps: { external: [/\/dist\//] } },
  },
});
