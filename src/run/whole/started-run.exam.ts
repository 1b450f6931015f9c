import { join } from 'node:path';
import { expect } from 'vitest';
import { startSpillway, temporaryFolder, until } from '../../testing/cli.ts';
import { journalLines } from '../../testing/results.ts';
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

export const linesOf = (lines: readonly string[], part: string) => lines.filter((line) => line.includes(part)).length;

/** Users who read as fast as the machine can. */
export const traffic = `
name: traffic
${WHATEVER_THE_MACHINE}
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}, repeat: { times: 10, steps: [readHistory: {}] }] } }
load: { model: closed-users, users: 3, duration: 10min }
`;
