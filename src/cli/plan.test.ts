import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.ts';
import { scenarioFile } from '../testing/scenarios.ts';
import { typed } from '../testing/typed.ts';

async function planWith(warmUp: string): Promise<string> {
  const file = scenarioFile(`
name: warm
warmUp: ${warmUp}
journeys: { a: { steps: [createConversation: {}] } }
load: { model: constant-rate, rate: 5/s, duration: 3s }
`);
  const { code, out } = await typed(['plan', file, '--arrivals', '1'], temporaryFolder());
  expect(code).toBe(0);
  return out;
}

// The last arrival is intended at 2.8 s.
it.each([
  ['1s', '  warm-up          until 1.00 s: left out of all metrics\n\n'],
  ['2s', '  warm-up          until 2.00 s: left out of all metrics\n\n'],
  ['3s', '  warm-up          until 3.00 s: the whole plan, so that nothing would be measured\n\n'],
])('plan says that a warm-up of %s leaves out the beginning, or everything', async (warmUp, line) => {
  expect(await planWith(warmUp)).toContain(`5 per second for 3.00 s\n${line}`);
});

it('plan says nothing of a warm-up that a scenario does not have', async () => {
  expect(await planWith('0s')).toContain('5 per second for 3.00 s\n\n');
});
