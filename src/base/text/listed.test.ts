import { expect, it } from 'vitest';
import { groupedBy, listed } from './listed.ts';

it('lists what is there, in order, and keeps values that are only falsy', () => {
  expect(listed<string | number>('a', false, undefined, '', 0, 'b')).toEqual(['a', '', 0, 'b']);
});

it('groups items by key, both in the order in which they come', () => {
  const groups = groupedBy([3, 10, 5, 2, 7], (value) => (value % 2 === 0 ? 'even' : 'odd'));
  expect([...groups]).toEqual([
    ['odd', [3, 5, 7]],
    ['even', [10, 2]],
  ]);
  expect(groupedBy([], String).size).toBe(0);
});
