import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExitCode } from '../../base/index.ts';
import type { Rounds } from '../../report/index.ts';
import { compareRounds, exitCodeBrokenOff, exitCodeOfRounds, gatesOfRounds } from './judge-rounds.ts';

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

describe('the exit code of rounds that were finished', () => {
  const passed = { base: { passed: true }, candidate: { passed: true } };
  it.each([
    ['a proof', [0, 11, 10, 99], passed, false, 10],
    ['an invalid run', [0, 11, 99], { base: { passed: false } }, true, 11],
    ['a gate', [0, 0], { base: { passed: true }, candidate: { passed: false } }, false, 99],
    ['a regression', [0, 0], passed, true, 99],
    ['nothing', [0, 99], passed, false, 0],
    ['nothing', [0], {}, undefined, 0],
  ] as const)('is that of %s', (_, codes, gates, regressed, expected) => {
    const judged = { gates, ...(regressed !== undefined && { comparison: { regressed } }) };
    const runs = codes.map((exitCode) => ({ exitCode: exitCode as ExitCode }));
    expect(exitCodeOfRounds(runs, judged as Parameters<typeof exitCodeOfRounds>[1])).toBe(expected);
  });

  it('is that of a gate if a run failed otherwise', () => {
    const runs = [{ exitCode: 99 as ExitCode, failed: 'expectations' }] as Parameters<typeof exitCodeOfRounds>[0];
    expect(exitCodeOfRounds(runs, { gates: {} })).toBe(99);
  });
});

it('rounds of which none is valid have no gates and no comparison', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-rounds-'));
  const invalid = {
    round: 1,
    folder: 'round-001/base',
    runId: 'r1',
    exitCode: 11 as ExitCode,
    invalid: true,
  } as const;
  const rounds: Rounds = {
    format: 'spillway-rounds',
    version: 1,
    scenario: 's',
    targets: { base: 'sandbox', candidate: 'https://b.example.com' },
    rounds: 1,
    runs: [
      { ...invalid, side: 'base' },
      { ...invalid, side: 'candidate' },
    ],
  };
  writeFileSync(join(folder, 'rounds.json'), JSON.stringify(rounds));
  expect([gatesOfRounds(folder), await compareRounds(folder)]).toEqual([{}, undefined]);
  rmSync(folder, { recursive: true });
});
