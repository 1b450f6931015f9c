import { expect, it } from 'vitest';
import { templateMembers } from './template-members.ts';

it('finds every member of a step that has templates, or contains some', () => {
  const known = ['as', 'city', 'commune', 'conversation', 'locale', 'location', 'message', 'timezone', 'title'];
  expect([...templateMembers].sort()).toEqual(expect.arrayContaining(known));
  expect(
    ['follow', 'rating', 'count', 'expect', 'capture', 'steps'].filter((name) => templateMembers.has(name)),
  ).toEqual([]);
});
