import { describe, expect, it } from 'vitest';
import { ExitCode } from '../base/index.ts';
import type { Summary } from '../collect/index.ts';
import { outcomes, slow, summary } from './ended-run.exam.ts';
import { exitCodeOf } from './exit-code.ts';
import { invalidBecause } from './validity.ts';

const whole = summary(true, 1);
const spent = { ...whole, run: { ...whole.run, complete: false, incompleteBecause: 'budget' } };
const unsent = { ...spent, run: { ...spent.run, exchanges: 0 }, total: { ...spent.total, count: 0 } };
const proven = ['rate'];
const gates = { passed: true };
const failed = { passed: false };
describe('the exit code of a run', () => {
  it.each([
    ['nothing wrong', { summary: summary(true, 0), stopped: undefined, proven: [], gates }, ExitCode.ok],
    ['an expectation', { summary: summary(true, 1), stopped: undefined, proven: [], gates }, ExitCode.gateFailed],
    ['a violation before an expectation', { summary: summary(true, 1), stopped: undefined, proven, gates }, 10],
    ['a violation before an incomplete history', { summary: summary(false, 0), stopped: undefined, proven, gates }, 10],
    ['a violation before an interruption', { summary: summary(false, 0), stopped: 'interrupted', proven, gates }, 10],
    ['an unusable target before a violation', { summary: summary(false, 0), stopped: 'target', proven, gates }, 12],
    [
      'a sandbox that failed before a violation',
      { summary: summary(false, 0), stopped: 'sandbox', proven, gates },
      ExitCode.toolDefect,
    ],
    ['a full disk before a violation', { summary: summary(false, 0), stopped: 'disk', proven, gates }, 12],
    [
      'an incomplete history before an expectation',
      { summary: summary(false, 1), stopped: undefined, proven: [], gates },
      11,
    ],
    ['a failed gate', { summary: summary(true, 0), stopped: undefined, proven: [], gates: failed }, 99],
    ['a budget that was spent', { summary: spent, stopped: 'budget', proven: [], gates: failed }, 108],
    ['a budget of which nothing was left', { summary: unsent, stopped: 'budget', proven: [], gates }, 108],
    ['a violation before a budget that was spent', { summary: spent, stopped: 'budget', proven, gates }, 10],
    ['a gate that ended the run', { summary: summary(true, 1), stopped: 'gate', proven: [], gates: failed }, 108],
    [
      'a violation before a gate that ended the run',
      { summary: summary(true, 0), stopped: 'gate', proven, gates: failed },
      10,
    ],
    [
      'an incomplete history before a failed gate',
      { summary: summary(false, 0), stopped: undefined, proven: [], gates: failed },
      11,
    ],
    [
      'an interruption before a failed gate',
      { summary: summary(false, 0), stopped: 'interrupted', proven: [], gates: failed },
      105,
    ],
    [
      'a generator that is the bottleneck, before an expectation',
      { summary: summary(true, 1, { ...slow, enforced: true }), stopped: undefined, proven: [], gates },
      11,
    ],
    [
      'an expectation, where such a generator is only told of',
      { summary: summary(true, 1, { ...slow, enforced: false }), stopped: undefined, proven: [], gates },
      99,
    ],
    [
      'a violation before such a generator',
      { summary: summary(true, 1, { ...slow, enforced: true }), stopped: undefined, proven, gates },
      10,
    ],
  ] as const)('is the first that applies: %s', (_, ending, code) => {
    expect(exitCodeOf(ending)).toBe(code);
  });

  it.each([
    [{ checked: 0, neverChecked: true as const }, 99],
    [{ checked: 0 }, 0],
    [{ checked: 1 }, 0],
  ])('of a run with the expectations %o is %d', (expectations, code) => {
    const ending = { summary: summary(true, 0, {}, expectations), stopped: undefined, proven: [], gates };
    expect(exitCodeOf(ending)).toBe(code);
  });

  it.each([
    { success: 0, checked: 0, unmet: 0, others: {}, code: 11 },
    { success: 0, checked: 1, unmet: 1, others: {}, code: 11 },
    // A scenario of made-up credentials that expects to be refused.
    { success: 0, checked: 1, unmet: 0, others: {}, code: 0 },
    { success: 1, checked: 0, unmet: 0, others: {}, code: 0 },
    { success: 0, checked: 0, unmet: 0, others: { readHistory: outcomes({ success: 1 }) }, code: 0 },
    // What was to be measured was never answered, whatever became of the tokens.
    { success: 9, checked: 0, unmet: 0, others: { readHistory: outcomes({ failed: 4, censored: 1 }) }, code: 11 },
    { success: 9, checked: 0, unmet: 0, others: { readHistory: outcomes({ failed: 4, refused: 1 }) }, code: 0 },
    {
      success: 9,
      checked: 0,
      unmet: 0,
      others: { readHistory: outcomes({ failed: 4 }), sendMessage: outcomes({ error: 1 }) },
      code: 0,
    },
  ])('of a run with $success tokens, $unmet of $checked expectations unmet and $others is $code', (row) => {
    const issueToken = { byOutcome: { success: row.success } };
    const of = {
      ...summary(true, row.unmet, {}, { checked: row.checked }),
      operations: { issueToken, ...row.others },
      errors: [],
    };
    const ending = { summary: of as unknown as Summary, stopped: undefined, proven: [], gates };
    expect(exitCodeOf(ending)).toBe(row.code);
  });
});

it.each([
  [['404'], 0, ' (404 × 1)', true],
  [['404', '500'], 0, ' (404 × 1, 500 × 1)', false],
  [['500'], 0, ' (500 × 1)', false],
  // What refuses some of them is there.
  [['404'], 2, ' (refused × 2, 404 × 1)', false],
])(
  'doubts the base address if all token requests were answered 404: %j and %d refusals',
  (errors, refused, told, doubts) => {
    const of = {
      ...summary(true, 0, {}, { checked: 0 }),
      operations: { issueToken: outcomes({ error: errors.length, refused }) },
      errors: errors.map((what) => ({ operation: 'issueToken', what, count: 1 })),
    };
    const doubt = doubts ? '; check the base address, to which /api/partners/v1/tokens is appended' : '';
    expect(invalidBecause(of as unknown as Summary)).toBe(
      `the service gave no token${told}, so nothing of the scenario was done${doubt}`,
    );
  },
);

it('says that nothing was measured if everything belongs to the warm-up', () => {
  const all = {
    total: { count: 0, ...outcomes({}) },
    run: { exchanges: 14, warmUp: { exchanges: 14 }, complete: true },
  };
  const of = { ...summary(true, 0), ...all } as unknown as Summary;
  expect(invalidBecause(of)).toBe('nothing was measured: all requests were sent in the warm-up');
  expect(exitCodeOf({ summary: of, stopped: undefined, proven: [], gates })).toBe(ExitCode.invalidRun);
});
