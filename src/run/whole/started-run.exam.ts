import { join } from 'node:path';
import { expect } from 'vitest';
import { type Spillway, startSpillway, temporaryFolder, until } from '../../testing/cli.ts';
import { journalLines, type Results, resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE, WIDE_OPEN } from '../../testing/scenarios.ts';
import { someCredentials } from '../../testing/service.ts';

/** Starts a run and waits until its journal contains a given text. */
export async function startRun(
  scenario: string,
  isThere: (lines: readonly string[]) => boolean,
  ...args: readonly string[]
) {
  const folder = join(temporaryFolder(), 'out');
  const command = startSpillway(['run', scenarioFile(scenario), '--quiet', '--out', folder, ...args], {
    env: someCredentials,
  });
  await until(
    () => command.child.exitCode !== null || isThere(journalLines(folder)),
    `the journal tells of it: ${command.text.err}`,
  );
  expect(command.child.exitCode, command.text.err).toBe(null);
  return { command, folder };
}

/** What an interrupted run leaves: everything that was sent, and no journey that went on. */
export async function interrupted(command: Spillway, folder: string): Promise<Results> {
  const { code, err } = await command.finished;
  expect(code, err).toBe(105);
  const results = resultsIn(folder);
  expect(results.end).toMatchObject({ complete: false, reason: 'interrupted', exchanges: results.exchanges.length });
  expect(results.exchanges).toHaveLength(results.sent.length);
  expect(results.summary().run).toMatchObject({
    complete: false,
    incompleteBecause: 'interrupted',
    inFlightAtEnd: 0,
    missingSeq: 0,
  });
  expect(results.journeys.map(({ outcome }) => outcome)).toEqual(results.journeys.map(() => 'interrupted'));
  return results;
}

export const linesOf = (lines: readonly string[], part: string) => lines.filter((line) => line.includes(part)).length;

/** Users who read as fast as the machine can. */
export const traffic = `
name: traffic
${WHATEVER_THE_MACHINE}
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}, repeat: { times: 10, steps: [readHistory: {}] }] } }
load: { model: closed-users, users: 3, duration: 10min }
`;
