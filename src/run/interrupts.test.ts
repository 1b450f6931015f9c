import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, temporaryFolder, until } from '../testing/cli.ts';
import { resultsIn } from '../testing/results.ts';
import { scenarioFile } from '../testing/scenarios.ts';
import { typed } from '../testing/typed.ts';
import { ignoreFirstInterrupt, interruptsOfRounds, onInterrupt, stopper } from './interrupts.ts';
import { traffic } from './whole/started-run.exam.ts';

describe('signals of rounds', () => {
  const listeners = () => (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => process.listenerCount(signal));
  const idle = listeners();

  it.each(['SIGINT', 'SIGTERM'] as const)('are handled once: a second %s ends the process', (signal) => {
    const told: string[] = [];
    const interrupts = interruptsOfRounds((text) => told.push(text));
    process.emit(signal);
    expect([interrupts.isRequested, told.length]).toEqual([true, 1]);
    const [int = 0, term = 0, hangUp = 0] = idle;
    // The shell repeats a SIGHUP; it counts only once.
    expect(listeners()).toEqual([int, term, hangUp + 1]);
    process.emit('SIGHUP');
    expect(told).toHaveLength(1);
    interrupts.release();
    expect(listeners()).toEqual(idle);
  });

  it('are handled by the run while it sends', () => {
    const told: string[] = [];
    const interrupts = interruptsOfRounds((text) => told.push(`rounds: ${text}`));
    const stopping = stopper();
    const release = onInterrupt(stopping, (text) => told.push(`run: ${text}`), interrupts);
    process.emit('SIGINT');
    expect([stopping.signals.finish.aborted, stopping.signals.abort.aborted]).toEqual([true, false]);
    process.emit('SIGINT');
    expect(stopping.signals.abort.aborted).toBe(true);
    expect(told).toEqual([expect.stringMatching(/^run: stopping: /)]);
    release();
    const [int, term, hangUp = 0] = idle;
    expect([interrupts.isRequested, listeners()]).toEqual([true, [int, term, hangUp + 1]]);
    interrupts.release();
  });

  it('that arrive before a round sends end it before it sends anything', () => {
    const interrupts = interruptsOfRounds(() => undefined);
    process.emit('SIGTERM');
    const stopping = stopper();
    onInterrupt(stopping, () => undefined, interrupts)();
    interrupts.release();
    expect([stopping.reason, stopping.signals.abort.aborted]).toEqual(['interrupted', false]);
  });
});

it('while reports are written, the first signal only shows a message, and no listener remains for the next', () => {
  const told: string[] = [];
  const listeners = process.listenerCount('SIGINT');
  const release = ignoreFirstInterrupt((text) => told.push(text));
  expect(process.listenerCount('SIGINT')).toBe(listeners + 1);
  process.emit('SIGINT');
  expect(told).toEqual([
    'the reports are being written (again to stop without them; spillway report can write them later)',
  ]);
  expect(process.listenerCount('SIGINT')).toBe(listeners);
  release();
  expect(process.listenerCount('SIGTERM')).toBe(process.listenerCount('SIGINT'));
});

describe('interrupted rounds', { timeout: PATIENCE_MS }, () => {
  it('write the reports of the current round and end, if it has sent everything already', async () => {
    const folder = join(temporaryFolder(), 'out');
    const few = traffic.replace(/^load.*$/m, 'load: { model: burst, count: 6 }');
    const finished = typed(['run', scenarioFile(few), '-q', '--json', '--repeat', '3', '--out', folder]);
    const round = join(folder, 'round-001', 'base');
    await until(() => existsSync(round), 'the first round begins');
    const watcher = watch(round, (_, name) => {
      if (!name?.startsWith('report.html')) return;
      watcher.close();
      process.emit('SIGINT');
    });
    const { code, out, err } = await finished;
    expect(code, err).toBe(105);
    expect(err).toContain(
      'stopping: the reports of this round are written, and no further round starts (again to stop at once)\n',
    );
    const brokenOff = 'interrupted after round 1 of the base';
    expect(JSON.parse(out)).toMatchObject({ folder, exitCodes: [0], gates: {}, brokenOff });
    expect(resultsIn(round).summary().run).toMatchObject({ complete: true, exchanges: 67 });
    expect(existsSync(join(round, 'junit.xml'))).toBe(true);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain(`broken off: ${brokenOff}`);
    expect(existsSync(join(folder, 'round-002'))).toBe(false);
  });
});
