import { describe, expect, it } from 'vitest';
import type { ExitCode } from '../base/index.ts';
import { exitCodeBrokenOff } from './judge-rounds.ts';

describe('the exit code of rounds that were broken off', () => {
  it.each([
    ['what ended them', [0, 105], 105],
    ['a gate that ended them', [0, 99, 108], 108],
    ['a proof of an earlier round before an interruption', [10, 105], 10],
    ['a proof of an earlier round before a gate that ended them', [0, 10, 108], 10],
    ['a target that cannot be used before a proof', [10, 12], 12],
  ] as const)('is %s', (_, codes, expected) => {
    const runs = codes.map((exitCode) => ({ exitCode: exitCode as ExitCode }));
    expect(exitCodeBrokenOff(runs, runs[runs.length - 1] as (typeof runs)[number])).toBe(expected);
  });
});
