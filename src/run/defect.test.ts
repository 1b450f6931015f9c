import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, spillway, temporaryFolder } from '../testing/cli.ts';
import { resultsIn } from '../testing/results.ts';
import { scenarioFile, WIDE_OPEN } from '../testing/scenarios.ts';
import { typed } from '../testing/typed.ts';

/** Loaded before the command: the so-manieth write of its process to a socket throws, as no socket of Node's does. */
const faulty = (writes: number): string => {
  const file = join(temporaryFolder(), 'faulty.mjs');
  const source = `import { Socket } from 'node:net';
if (process.argv[1]?.endsWith('main.js')) {
  const write = Socket.prototype.write;
  let left = ${writes};
  Socket.prototype.write = function (...given) {
    if (--left === 0) throw new TypeError('injected');
    return write.apply(this, given);
  };
}`;
  writeFileSync(file, source);
  return `--import=${file}`;
};

const scenario = (load: string) => `name: defective
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}, repeat: { times: 9, steps: [readHistory: {}] }] } }
load: [${load}]
`;
const users = '{ model: closed-users, users: 4, duration: 10min }';
const arrivals = '{ model: constant-rate, rate: 5/s, duration: 10min }';

describe.concurrent('a defect of the tool itself in the middle of a run', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['in a callback', users],
    ['in a journey that arrives', arrivals],
    ['where some arrive while others stay', `${arrivals}, ${users}`],
  ])('%s is told with its stack, ends the command with 1, and keeps what was recorded', async (_, load) => {
    const folder = join(temporaryFolder(), 'out');
    const { code, err } = await spillway(['run', scenarioFile(scenario(load)), '--quiet', '--out', folder], {
      env: { NODE_OPTIONS: faulty(45) },
    });
    expect(code, err).toBe(1);
    expect(err).toContain(
      'a defect of the tool itself; please report it with this text:\nTypeError: injected\n    at ',
    );
    const { exchanges, sent, end } = resultsIn(folder);
    expect(end).toBeUndefined();
    expect(sent.length).toBeGreaterThanOrEqual(44);
    // What was on its way when the process ended has no answer; of users and arrivals there are no more than these.
    expect(exchanges.length).toBeGreaterThanOrEqual(sent.length - 10);
    expect((await typed(['report', folder])).code).toBe(0);
  });

  it('loses nothing of a dense run, whose lines wait for their page', async () => {
    const folder = join(temporaryFolder(), 'out');
    const { code, err } = await spillway(['run', scenarioFile(scenario(users)), '--quiet', '--out', folder], {
      env: { NODE_OPTIONS: faulty(9_000) },
    });
    expect(code, err).toBe(1);
    const { exchanges } = resultsIn(folder);
    // One write is one request, but for those of the four users that were on their way.
    expect(exchanges.length).toBeGreaterThanOrEqual(8_999 - 4 - 2);
    const seqs = exchanges.map(({ seq }) => seq).sort((a, b) => a - b);
    expect(seqs.slice(0, -4)).toEqual(seqs.slice(0, -4).map((_, index) => index));
  });
});
