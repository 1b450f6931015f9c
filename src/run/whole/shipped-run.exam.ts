import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { ExitCode } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import type * as Built from '../../testing/built.ts';
import { root, shipped, spillway, temporaryFolder } from '../../testing/cli.ts';
import { type Results, resultsIn } from '../../testing/results.ts';

/** Runs a scenario by the compiled command. @returns its exit code and what it said was wrong */
async function commanded(file: string, out: string) {
  const { code, err } = await spillway(['run', file, '--quiet', '--out', out]);
  return { code, wrong: err };
}

/** As the command does, but in this process: starting one would cost more than most of these runs. */
async function within(file: string, out: string) {
  const { loadScenario, runScenario } = (await import(
    pathToFileURL(join(root, 'dist/testing/built.js')).href
  )) as typeof Built;
  const loaded = await loadScenario(file, { env: {} });
  const terminal = { tell: () => undefined, finish: () => undefined };
  const { exitCode, invalid = '' } = await runScenario({ loaded, env: {}, commandLine: [], terminal, out });
  return { code: exitCode, wrong: `is invalid: ${invalid}` };
}

/**
 * Runs a shipped scenario against the embedded sandbox; it must end with 0 and a whole history. Or with 11, for this reason
 * alone: the machine, busy with other tests, was too slow for the numbers; what they show is the same.
 * @param wasLate whether the run's own records show that the machine was too slow for the scenario's times: expectations that depend
 * on them may then be unmet
 */
export async function run(
  file: string,
  wasLate: (results: Results) => boolean = () => false,
): Promise<Results & { readonly wasSlow: boolean; readonly wasLate: boolean }> {
  const folder = join(temporaryFolder(), 'results');
  const { code, wrong } = await (file === 'tour.yaml' ? commanded : within)(shipped(file), folder);
  const wasSlow = code === 11 && wrong.includes('is invalid: the generator was the bottleneck: ');
  const results = resultsIn(folder);
  const late = wasLate(results);
  if (!wasSlow) expect(late ? [ExitCode.ok, ExitCode.gateFailed] : [ExitCode.ok], wrong).toContain(code);
  expect(results.end).toMatchObject({ complete: true, drops: 0, exchanges: results.exchanges.length });
  expect(results.exchanges).toHaveLength(results.sent.length);
  const sentAt = inOrder(results.exchanges).map((exchange) => exchange.sentAt);
  expect(sentAt, 'seq orders sentAt').toEqual([...sentAt].sort((a, b) => a - b));
  expect(results.journeys.every(({ outcome }) => outcome !== 'interrupted')).toBe(true);
  if (!late) expect(results.summary().expectations.unmet).toBe(0);
  return { ...results, wasSlow, wasLate: late };
}

export const inOrder = (exchanges: readonly Exchange[]) => [...exchanges].sort((a, b) => a.seq - b.seq);
export const of = (exchanges: readonly Exchange[], operation: Exchange['operation']) =>
  inOrder(exchanges).filter((exchange) => exchange.operation === operation);
export const statuses = (exchanges: readonly Exchange[]) => exchanges.map(({ status }) => status);
