import { expect, it } from 'vitest';
import { type Rival, rivalsOf } from '../raw/rivals.exam.ts';
import { neverLeftAlone } from './counter.ts';

const terms = { max: 5, shortUs: 60, longUs: 60, slackUs: 0 };
const at = (from: number, to = from) => ({ from, to });
/** Between what was decided at 0 and at 100. */
const kept = (between: readonly Rival[], named = [at(0), at(100)]) =>
  neverLeftAlone(named, rivalsOf([[100, 100], ...between, [0, 0]]), terms);

it('a counter that surely met a request within every window was not left alone', () => {
  expect(kept([])).toBe(false);
  expect(kept([[50, 50]])).toBe(true);
  expect(kept([[50, 50, 'refused']])).toBe(true);
  expect(kept([[50, 50, 'perhaps']])).toBe(false);
  expect(kept([[39, 39]])).toBe(false);
  expect(kept([[41, 59]])).toBe(true);
  // Decided at 40 or before, or at 60 or later, it leaves a window beside it.
  expect(kept([[40, 59]])).toBe(false);
  expect(kept([[41, 60]])).toBe(false);
});

it('what is left alone before or behind those that are named does not matter', () => {
  expect(kept([[50, 50]], [at(0), at(50)])).toBe(true);
  expect(kept([], [at(100)])).toBe(true);
  expect(kept([[300, 300]], [at(100)])).toBe(true);
  expect(
    kept([
      [50, 50],
      [300, 300],
    ]),
  ).toBe(true);
  // One that is named may itself have been decided behind the pause.
  expect(kept([[50, 50]], [at(0), at(100, 170)])).toBe(false);
});
