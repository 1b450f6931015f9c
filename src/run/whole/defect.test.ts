import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, spillway, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WIDE_OPEN } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

/** NODE_OPTIONS for a file that each thread of the command loads first; the sandbox's process, which has a parent, stays as it is. */
function preloaded(source: string): string {
  const file = join(temporaryFolder(), 'preloaded.cjs');
  writeFileSync(
    file,
    `const { isMainThread, workerData } = require('node:worker_threads');
const { performance } = require('node:perf_hooks');
const { Socket } = require('node:net');
if (process.send === undefined) {
${source}
}`,
  );
  return `--require=${file}`;
}

/**
 * At the nth write of a thread to a socket a defect is thrown, which says what was to be written. During the last 700 writes before it
 * the thread's clock stands still: so they are dense on any machine (a thousand records in a second are, two of each request), and no
 * line of theirs is written because it has waited long enough.
 */
const faulty = (nth: number, where: string, how: string): string =>
  preloaded(`const write = Socket.prototype.write;
  let left = ${nth};
  if (${where}) Socket.prototype.write = function (...given) {
    left -= 1;
    if (left === 700) {
      const still = performance.now();
      performance.now = () => still;
    }
    if (left === 0) {
      const defect = new TypeError('injected: ' + given[0]);
      ${how}
    }
    return write.apply(this, given);
  };`);

/** By the write itself, as no socket of Node's does. */
const byWrite = 'throw defect;';
const inCallback = 'process.nextTick(() => { throw defect; });';

/** Writes of a thread until it throws, where the last lines are buffered. */
const DENSE = 800;

const scenario = (load: string) => `name: defective
users: 4
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}, repeat: { times: 9, steps: [readHistory: {}] }] } }
load: [${load}]
`;
const users = '{ model: closed-users, users: 4, duration: 10min }';
const arrivals = '{ model: constant-rate, rate: 5/s, duration: 10min }';

describe.concurrent('a defect of the tool itself in the middle of a run', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['in a callback of a dense run, whose lines are buffered,', users, DENSE, 6, inCallback],
    ['in a journey that arrives', arrivals, 45, 10, byWrite],
    ['where some arrive while others stay', `${arrivals}, ${users}`, 45, 10, byWrite],
  ])('%s is reported with its stack, ends the command with 1, and keeps the recorded data', async (...given) => {
    const [, load, nth, underWay, how] = given;
    const folder = join(temporaryFolder(), 'out');
    const { code, err } = await spillway(['run', scenarioFile(scenario(load)), '--quiet', '--out', folder], {
      env: { NODE_OPTIONS: faulty(nth, 'isMainThread', how) },
    });
    expect(code, err).toBe(1);
    expect(err).toContain(
      'this is a defect in spillway itself; please report it with this text:\nTypeError: injected: ',
    );
    expect(err).toMatch(/\n {4}at /);
    expect(err).toContain(`everything recorded so far is kept: spillway report ${folder}`);
    // A stack is sent to others.
    expect(err.match(/^authorization: .*$/gm)).toEqual(['authorization: Bearer [redacted]']);
    const { exchanges, sent, end } = resultsIn(folder);
    expect(end).toBeUndefined();
    expect(sent.length).toBeGreaterThanOrEqual(44);
    // One write is one request. What was on its way when the process ended has no answer.
    expect(exchanges.length).toBeGreaterThanOrEqual(nth - 1 - underWay);
    const seqs = exchanges.map(({ seq }) => seq).sort((a, b) => a - b);
    expect(seqs.slice(0, -underWay)).toEqual(seqs.slice(0, -underWay).map((_, index) => index));
    expect((await typed(['report', folder])).code).toBe(0);
  });

  it.each([
    ['in a callback', inCallback],
    // Otherwise at a later write.
    ['in a promise', "if (defect.stack.includes(' new Promise ')) throw defect; else left = 1;"],
  ])('of one worker %s ends the others, and keeps the records of all', async (_, how) => {
    const folder = join(temporaryFolder(), 'out');
    const args = ['run', scenarioFile(scenario(users)), '--quiet', '--out', folder, '--workers', '2'];
    const env = { NODE_OPTIONS: `${faulty(DENSE, 'workerData?.worker === 2', how)} --stack-trace-limit=30` };
    const { code, err } = await spillway(args, { env });
    expect(code, err).toBe(1);
    expect(err).toContain('TypeError: injected: ');
    expect(err).toContain(`spillway report ${folder}`);
    const { exchanges, end } = resultsIn(folder);
    expect(end).toBeUndefined();
    const [first = [], second = []] = [1, 2].map((worker) => exchanges.filter((one) => one.worker === worker));
    expect(first.length).toBeGreaterThan(0);
    expect(second.length).toBeGreaterThanOrEqual(DENSE - 1 - 6);
  });

  it('leaves no folder if the run has not started', async () => {
    const folder = join(temporaryFolder(), 'out');
    // As from a callback of the tool's own: a stack without any of its files is the scenario's.
    const thrown = preloaded(`Socket.prototype.connect = () => {
    const defect = new TypeError('injected');
    defect.stack += '\\n    at callback (' + require('node:fs').realpathSync(process.argv[1]) + ':1:1)';
    setImmediate(() => { throw defect; });
    return new Socket();
  };`);
    const { code, err } = await spillway(['run', scenarioFile(scenario(users)), '--quiet', '--out', folder], {
      env: { NODE_OPTIONS: thrown },
    });
    expect(code, err).toBe(1);
    expect(err).toContain('please report it with this text:\nTypeError: injected\n    at ');
    expect(err).not.toContain('is kept');
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ['in a timer', `setInterval(() => { if (hasExchanges()) throw new TypeError('no luck'); }, 20);`],
    [
      'in a promise',
      `const late = async () => { while (!hasExchanges()) await sleep(20); throw new TypeError('no luck'); }; void late();`,
    ],
  ])('is not an exception that a TypeScript scenario throws %s during the run', async (_, thrower) => {
    const folder = join(temporaryFolder(), 'out');
    const file = join(temporaryFolder(), 's.ts');
    const journal = JSON.stringify(join(folder, 'history.ndjson'));
    writeFileSync(
      file,
      `import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const hasExchanges = () => existsSync(${journal}) && readFileSync(${journal}, 'utf8').includes('"kind":"exchange"');
${thrower}
export default {
  name: 'late',
  users: 4,
  journeys: { read: { steps: [{ createConversation: {} }] } },
  load: [{ model: 'constant-rate', rate: '20/s', duration: '1min' }],
};
`,
    );
    const { code, err } = await spillway(['run', file, '--quiet', '--out', folder]);
    expect(code, err).toBe(107);
    expect(err).toContain(
      'code of the scenario, or of a module that it imports, threw during the run:\nTypeError: no luck\n',
    );
    expect(err).toContain(`${file}:4:`);
    expect(err).toContain(`everything recorded so far is kept: spillway report ${folder}`);
    expect(resultsIn(folder).exchanges.length).toBeGreaterThan(0);
  });
});
