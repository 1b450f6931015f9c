import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WIDE_OPEN } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

/** Runs a scenario whose sandbox loads `source` first. */
async function runWith(source: string, load: string, ...more: readonly string[]) {
  const [folder, file] = [join(temporaryFolder(), 'out'), join(temporaryFolder(), 'preloaded.cjs')];
  writeFileSync(file, `if (process.send !== undefined) {\n${source}\n}`);
  const scenario = `name: short-lived
users: 4
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}, repeat: { times: 9, steps: [readHistory: {}] }] } }
load: ${load}
`;
  const args = ['run', scenarioFile(scenario), '--quiet', '--out', folder, ...more];
  return { folder, ...(await typed(args, undefined, { NODE_OPTIONS: `--require=${file}` })) };
}

/** Acts on a message from the parent. A plain listener would consume messages before the sandbox listens. */
const hearing = (said: string, then: string) => `const hear = process.emit;
  process.emit = function (...given) {
    if (given[0] === 'message' && given[1] === '${said}') ${then};
    return hear.apply(this, given);
  };`;

/** Ends the sandbox at its nth request since the run started; earlier requests are its own warm-up. */
const endingAt = (nth: number, end: string) => `let left = Infinity;
  ${hearing('begin', `left = ${nth}`)}
  const { Server } = require('node:http');
  const { emit } = Server.prototype;
  Server.prototype.emit = function (...given) {
    if (given[0] === 'request' && --left === 0) ${end};
    return emit.apply(this, given);
  };`;
/** Ends the sandbox at the first connection that a run opens to it. */
const endingAtConnection = (end: string) => `let isReady = false;
  const { emit: emitServer } = require('node:http').Server.prototype;
  const { send } = process;
  process.send = function (message, ...rest) {
    isReady ||= message.kind === 'ready';
    return send.call(this, message, ...rest);
  };
  require('node:http').Server.prototype.emit = function (...given) {
    if (isReady && given[0] === 'connection') ${end};
    return emitServer.apply(this, given);
  };`;
const killed = "process.kill(process.pid, 'SIGKILL')";
const KILLED = 'its process was ended by SIGKILL, as where no memory is left';

const users = '{ model: closed-users, users: 4, duration: 10min }';
const once = '{ model: burst, count: 1 }';

describe.concurrent('an embedded sandbox that ends by itself', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['1', killed, KILLED],
    ['2', killed, KILLED],
    ['1', 'process.exit(0)', 'its process exited with 0'],
  ])(
    'ends a run of %s worker(s) with 1 and its reason, and all that was recorded is kept (%s)',
    async (workers, end, why) => {
      const { folder, code, err } = await runWith(endingAt(100, end), users, '--workers', workers);
      expect(code, err).toBe(1);
      expect(err).toContain(`spillway: the embedded sandbox failed in the middle of the run: ${why}\n`);
      expect(err).not.toContain('a defect in spillway itself');
      const { exchanges, end: last, summary } = resultsIn(folder);
      expect(last).toMatchObject({ complete: false, reason: 'sandbox', exchanges: exchanges.length });
      // One of the four users is at its 100th request, and the others may be.
      const answered = exchanges.filter(({ outcome }) => outcome === 'answered').length;
      expect(answered).toBeGreaterThanOrEqual(96);
      expect(answered).toBeLessThanOrEqual(99);
      // Users who are refused again and again, until the death is noticed, may send so fast that \`sent\` lines are left out.
      const whole = { missingSeq: 0, inFlightAtEnd: 0 };
      expect(summary().run).toMatchObject({ complete: false, incompleteBecause: 'sandbox', ...whole });
    },
  );

  it.each([
    ['at the first of its requests', 1, endingAt(1, killed), 1, 0],
    ['at the last of its requests', 1, endingAt(11, killed), 11, 10],
    ['after it', 1, hearing('still there?', killed), 11, 11],
    ['after it', 2, hearing('still there?', killed), 22, 22],
  ])(
    'is reported even if that is %s (%i worker(s), with one journey each)',
    async (_, workers, source, asked, answered) => {
      const load = `{ model: burst, count: ${workers} }`;
      const { folder, code, err } = await runWith(source, load, '--workers', `${workers}`);
      expect([code, err]).toEqual([1, expect.stringContaining(`failed in the middle of the run: ${KILLED}\n`)]);
      const { exchanges, end } = resultsIn(folder);
      expect(end).toMatchObject({ complete: false, reason: 'sandbox', exchanges: asked });
      expect(exchanges.filter(({ outcome }) => outcome === 'answered')).toHaveLength(answered);
    },
  );

  it.each(['1', '2'])(
    'is named as the cause while the sockets are opened by %s worker(s), and nothing is written',
    async (workers) => {
      const { folder, code, err } = await runWith(endingAtConnection(killed), users, '--workers', workers);
      expect([code, err]).toEqual([
        1,
        expect.stringContaining(`the embedded sandbox failed in the middle of the run: ${KILLED}\n`),
      ]);
      expect(existsSync(folder)).toBe(false);
    },
  );

  it('ends rounds, and their list says why', async () => {
    const { code, err } = await runWith(endingAt(3, killed), once, '--repeat', '2');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        `round 1 of the base ended all rounds: the embedded sandbox failed in the middle of the run: ${KILLED}\n`,
      ),
    ]);
  });
});

describe('an embedded sandbox that is closed', { timeout: PATIENCE_MS }, () => {
  it('is killed if its process stands still, and the run says so', async () => {
    const { folder, code, err } = await runWith(hearing('still there?', "process.kill(process.pid, 'SIGSTOP')"), once);
    const told =
      /^spillway: the embedded sandbox did not end within 3 s, so its process \((\d+)\) was killed; what it left unanswered shows that it stood still, or that this machine is overloaded\n$/;
    expect(err).toMatch(told);
    expect(() => process.kill(Number(told.exec(err)?.[1]), 0)).toThrow('ESRCH');
    expect(code).toBe(0);
    expect(resultsIn(folder).end).toMatchObject({ complete: true, exchanges: 11 });
  });

  it('has not failed, however it exits', async () => {
    const { folder, code, err } = await runWith("process.once('disconnect', () => process.exit(3));", once);
    expect([code, err]).toEqual([0, '']);
    expect(resultsIn(folder).end).toMatchObject({ complete: true, exchanges: 11 });
  });
});
