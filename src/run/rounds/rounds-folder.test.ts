import { describe, expect, it } from 'vitest';
import { ConfigurationError, ExitCode } from '../../base/index.ts';
import type { RoundRun, Rounds } from '../../report/index.ts';
import { sideOf } from './rounds-folder.ts';

const run = (round: number, exitCode: ExitCode, invalid: boolean, side: 'base' | 'candidate' = 'base'): RoundRun => ({
  round,
  side,
  folder: `round-00${round}/${side}`,
  runId: `${round}${side}`,
  exitCode,
  ...(invalid && { invalid }),
});
const slow = run(1, ExitCode.invalidRun, true);
const interrupted = (round: number) => run(round, ExitCode.interrupted, true);

/** The error for rounds of which none can be compared; undefined if one can. */
function problemOf(more: Partial<Rounds>, side: 'base' | 'candidate' = 'base'): string | undefined {
  const targets = { base: 'sandbox', candidate: 'https://b.example.com' };
  const rounds: Rounds = {
    format: 'spillway-rounds',
    version: 1,
    scenario: 's',
    targets,
    rounds: 3,
    runs: [],
    ...more,
  };
  try {
    sideOf({ folder: 'r', rounds }, side);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

describe('rounds without a comparable one', () => {
  const endedAll = (round: number) => `round ${round} of the base ended all rounds: interrupted`;

  it.each<[string, Partial<Rounds>, string]>([
    [
      'all of them were invalid',
      { runs: [slow], gates: {} },
      '; run the rounds again on a less busy machine, or with less load',
    ],
    [
      'the first was interrupted',
      { runs: [interrupted(1)], brokenOff: endedAll(1) },
      `: ${endedAll(1)}; run the rounds again`,
    ],
    [
      'one was interrupted after one that was invalid',
      { runs: [slow, interrupted(2)], brokenOff: endedAll(2) },
      `: ${endedAll(2)}; run the rounds again on a less busy machine, or with less load`,
    ],
    [
      'they were killed after one that was invalid',
      { runs: [slow], running: { round: 2, side: 'base', folder: 'x' } },
      ': they were killed in round 2 of 3 (base), or are still running; run the rounds again on a less busy machine, or with less load',
    ],
  ])('explain why: %s', (_, rounds, told) => {
    const message = `r: has no valid round${told}`;
    expect([problemOf(rounds), problemOf(rounds, 'candidate')]).toEqual([message, message]);
  });

  it('explain why if none has finished', () => {
    expect(problemOf({ brokenOff: 'why' })).toBe('r: has no finished round: why; run the rounds again');
  });

  it('do not include rounds broken off after a valid one', () => {
    const runs = [run(1, ExitCode.ok, false), run(1, ExitCode.ok, false, 'candidate'), interrupted(2)];
    expect(problemOf({ runs, brokenOff: endedAll(2) })).toBeUndefined();
  });
});
