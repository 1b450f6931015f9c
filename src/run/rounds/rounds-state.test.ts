import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { GatesDocument } from '../../gates/index.ts';
import type { Rounds } from '../../report/index.ts';
import { judgedTogether, runsBelow, unfinished } from './rounds-state.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-rounds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const list: Rounds = {
  format: 'spillway-rounds',
  version: 1,
  scenario: 's',
  targets: { base: 'sandbox' },
  rounds: 3,
  runs: [{ round: 1, side: 'base', folder: 'round-001/base', runId: 'a', exitCode: 0 }],
};
const both = { base: 'sandbox', candidate: 'https://b.example.com' };
const gatesOver = (...runs: readonly string[]) => ({ runs }) as unknown as GatesDocument;
/** The gates of the first round, judged separately. */
const ofRound = { round: { number: 1, of: 3, side: 'base' }, runs: ['a'] } as unknown as GatesDocument;

describe('rounds', () => {
  it.each<[string, Partial<Rounds>, string | undefined]>([
    ['in a round', { running: { round: 2, side: 'base', folder: 'x' } }, 'in round 2 of 3'],
    [
      'of two sides',
      { targets: both, running: { round: 1, side: 'candidate', folder: 'x' } },
      'in round 1 of 3 (candidate)',
    ],
    ['after a round', {}, 'after round 1 of 3'],
    ['before the first', { runs: [] }, 'before the first began'],
  ])('that neither finished nor were broken off were killed: %s', (_, more, where) => {
    expect(unfinished({ ...list, ...more })).toBe(`were killed ${where}, or are still running`);
  });

  it('that finished or were broken off were not killed', () => {
    expect([unfinished({ ...list, gates: {} }), unfinished({ ...list, brokenOff: 'x' })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each<[string, object | undefined, string]>([
    [
      'they are over',
      { ...list, gates: { base: gatesOver('a', 'b', 'c') } },
      'judged over all 3 rounds together, in rounds.json',
    ],
    [
      'some are invalid',
      { ...list, gates: { base: gatesOver('a', 'b') } },
      'judged over 2 of 3 rounds together, in rounds.json',
    ],
    [
      'this one is invalid',
      { ...list, gates: { base: gatesOver('b') } },
      'judged over 1 of 3 rounds together, in rounds.json; this one is left out, because one of its runs is invalid',
    ],
    ['all are invalid', { ...list, gates: {} }, 'not judged, because no round is valid'],
    ['they were broken off', { ...list, brokenOff: 'why' }, 'not judged, because the rounds were broken off: why'],
    ['they were killed', list, 'not judged, because the rounds were killed after round 1 of 3, or are still running'],
    ['their list cannot be read', {}, 'judged over all 3 rounds together, in rounds.json'],
    ['their list is not there', undefined, 'judged over all 3 rounds together, in rounds.json'],
  ])('show for one of them where its gates are judged: %s', (_, written, told) => {
    const file = join(folder, 'rounds.json');
    rmSync(file, { force: true });
    if (written) writeFileSync(file, JSON.stringify(written));
    expect(judgedTogether(join(folder, 'round-001', 'base'), ofRound)).toBe(told);
  });

  it('are found from within the folder of one of them', () => {
    const before = process.cwd();
    const own = join(folder, 'round-001', 'base');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(folder, 'rounds.json'), JSON.stringify({ ...list, brokenOff: 'why' }));
    try {
      process.chdir(own);
      expect(judgedTogether('.', ofRound)).toBe('not judged, because the rounds were broken off: why');
    } finally {
      process.chdir(before);
    }
  });

  it('show nothing for a run that is not a round', () => {
    expect(judgedTogether(folder, gatesOver('a'))).toBeUndefined();
  });

  it('have runs that can be judged if something is recorded', () => {
    for (const [run, text] of [
      ['round-001/candidate', ''],
      ['round-002/base', 'x'],
      ['round-010/base', 'x'],
    ] as const) {
      mkdirSync(join(folder, run), { recursive: true });
      writeFileSync(join(folder, run, 'history.ndjson'), text);
    }
    expect(runsBelow(folder, 'history.ndjson')).toEqual(
      ['round-002/base', 'round-010/base'].map((run) => join(folder, run)),
    );
  });
});
