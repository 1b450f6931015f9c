import { expect, it } from 'vitest';
import { grouped } from './grouped.ts';

it('keeps values in their order, and keys in the order of their first values', () => {
  expect([...grouped([3, 1, 4, 1, 5, 9, 2, 6], (digit) => digit % 3)]).toEqual([
    [0, [3, 9, 6]],
    [1, [1, 4, 1]],
    [2, [5, 2]],
  ]);
  expect(grouped(new Uint32Array(), String).size).toBe(0);
});
