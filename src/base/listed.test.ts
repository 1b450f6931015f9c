import { expect, it } from 'vitest';
import { listed } from './listed.ts';

it('lists what is there, in order, and keeps values that are only falsy', () => {
  expect(listed<string | number>('a', false, undefined, '', 0, 'b')).toEqual(['a', '', 0, 'b']);
});
