import { expect, it } from 'vitest';
import { limitScopes } from '../../api/index.ts';
import { MADE_UP_TOKEN } from '../../base/index.ts';
import { bucketOf } from './scope.ts';

it('a bucket has the name that its scope tells apart, names that clients choose within their users', () => {
  const of = (labels: { readonly token?: string; readonly conversation?: string }) =>
    limitScopes.map((scope) => [scope, bucketOf(scope, { application: 'a1', user: 'u1', ...labels })]);
  expect(of({ token: 't1', conversation: 'c1' })).toEqual([
    ['application', 'a1'],
    ['user', 'a1/u1'],
    ['token', 't1'],
    ['conversation', 'a1/u1/c1'],
    ['address', ''],
  ]);
  expect(of({}).slice(2, 4)).toEqual([
    ['token', 'a1/u1/'],
    ['conversation', 'a1/u1/'],
  ]);
  expect(bucketOf('token', { application: 'a1', user: 'u1', token: MADE_UP_TOKEN })).toBe(`a1/u1/${MADE_UP_TOKEN}`);
});
