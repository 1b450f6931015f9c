import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const given = (program: string, ...args: string[]) => {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const options = { encoding: 'utf8', timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'jiti/register', path, ...args], options);
  return { status, stdout, stderr };
};

it('are listed on request, with their defaults', { timeout: 120_000 }, () => {
  expect(given('memory.ts', '--help')).toEqual({
    status: 0,
    stdout: `npm run bench:memory -- [options]; src/bench/README.md says what they are for
  --seconds …  default 120
  --rate …  default 5000
`,
    stderr: '',
  });
});

it.each(['pacing', 'accuracy'])('are none of %s, which then measures nothing', { timeout: 120_000 }, (name) => {
  const { status, stdout } = given(`${name}.ts`, '--help');
  expect([status, stdout.split(' [')[0]]).toEqual([0, `npm run bench:${name} --`]);
  expect(given(`${name}.ts`, '--rounds', '3')).toMatchObject({ status: 104, stdout: '' });
});

it('that are wrong are named, and nothing is measured', { timeout: 120_000 }, () => {
  expect(given('memory.ts', '--rate', 'fast')).toMatchObject({
    status: 104,
    stderr: expect.stringMatching(
      /^--rate must be a number above 0; write for example --rate 5000\nnpm run bench:memory/,
    ),
  });
  const { status, stdout, stderr } = given('load-speed.ts', '--only', 'nothing of the kind');
  expect([status, stdout]).toEqual([104, '']);
  expect(stderr).toMatch(/^no name contains nothing of the kind; there are: spillway, one operation; /);
});
