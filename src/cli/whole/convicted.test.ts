import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shipped } from '../../testing/cli.ts';
import { typed } from '../../testing/typed.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

it('a defect that is put into the sandbox on the command line is proven, as the README shows', async () => {
  const assignment = 'sandbox.defects=[O24]';
  const claim =
    /rate: violated \(over-admission\)\n {2}41 requests were admitted within \d+(?:\.\d)? s; no reading of 20 per 60 s admits more than 40\n {2}rule universal-2N, /;
  expect(readme).toContain(`npx spillway run scenarios/rate-limit-20-per-minute.yaml --set '${assignment}'\n`);
  expect(readme).toMatch(claim);
  const { code, out } = await typed([
    'run',
    shipped('rate-limit-20-per-minute.yaml'),
    '--set',
    assignment,
    '--out',
    'out',
  ]);
  expect([code, out]).toEqual([10, expect.stringMatching(claim)]);
}, 60_000);
