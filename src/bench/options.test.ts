import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { expect, it, vi } from 'vitest';

/** What a program said and how it ended. */
interface Given {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let programs = 0;

/**
 * Runs a program of this folder with these arguments in this process, up to its end by `process.exit`. A process of its own would
 * compile half of the tool first, a second of CPU.
 */
async function given(program: string, ...args: string[]): Promise<Given> {
  const printed = { stdout: '', stderr: '' };
  const { argv } = process;
  const into =
    (name: keyof typeof printed) =>
    (...what: readonly unknown[]) => {
      printed[name] += `${format(...what)}\n`;
    };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(into('stdout')),
    vi.spyOn(console, 'error').mockImplementation(into('stderr')),
    vi.spyOn(process, 'exit').mockImplementation((status) => {
      throw new Ended(Number(status));
    }),
  ];
  process.argv = [process.execPath, program, ...args];
  try {
    programs += 1;
    // Under a new name, or it would run only the first time.
    await import(/* @vite-ignore */ `./${program}?${programs}`);
    return { status: null, ...printed };
  } catch (end) {
    if (!(end instanceof Ended)) throw end;
    return { status: end.status, ...printed };
  } finally {
    process.argv = argv;
    for (const spy of spies) spy.mockRestore();
  }
}

class Ended extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`ended with ${status}`);
    this.status = status;
  }
}

it('are listed on request, with their defaults, by the program that npm starts', { timeout: 120_000 }, async () => {
  const path = fileURLToPath(new URL('memory.ts', import.meta.url));
  const args = ['--import', 'jiti/register', path, '--help'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `npm run bench:memory -- [options]; src/bench/README.md says what they are for
  --seconds …  default 120
  --rate …  default 5000
`,
    stderr: '',
  });
  expect(await given('memory.ts', '--help')).toEqual({ status, stdout, stderr });
});

it.each(['pacing', 'accuracy'])('are none of %s, which then measures nothing', { timeout: 120_000 }, async (name) => {
  const { status, stdout } = await given(`${name}.ts`, '--help');
  expect([status, stdout.split(' [')[0]]).toEqual([0, `npm run bench:${name} --`]);
  expect(await given(`${name}.ts`, '--rounds', '3')).toMatchObject({ status: 104, stdout: '' });
});

it('that are wrong are named, and nothing is measured', { timeout: 120_000 }, async () => {
  expect(await given('memory.ts', '--rate', 'fast')).toMatchObject({
    status: 104,
    stderr: expect.stringMatching(
      /^--rate must be a number above 0; write for example --rate 5000\nnpm run bench:memory/,
    ),
  });
  const { status, stdout, stderr } = await given('load-speed.ts', '--only', 'nothing of the kind');
  expect([status, stdout]).toEqual([104, '']);
  expect(stderr).toMatch(/^no name contains nothing of the kind; there are: spillway, one operation; /);
});
