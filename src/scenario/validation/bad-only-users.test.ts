import { describe, expect, test } from 'vitest';
import { ask, at, problemsOf } from './bad-input.exam.ts';
import { onlyUsersFaults } from './only-users.ts';

describe('onlyUsers', () => {
  const faultsWith = (users: string, only: string) =>
    problemsOf({ 's.yaml': `name: o\n${users}\nload: { model: burst, count: 1, onlyUsers: [${only}] }\n${ask}` });
  const [first, second] = ['load.onlyUsers[0]', 'load.onlyUsers[1]'];

  test.each<[string, string, string, readonly string[]]>([
    ['a label of counted users', 'users: 3', 'u1, u3', []],
    ['a label beyond them', 'users: 3', 'u4', [`${at(3, 45, first)}: there is no user "u4"; write u1 to u3`]],
    [
      'labels that no user has',
      'users: 3',
      'u0, u01, u1x',
      [
        `${at(3, 45, first)}: there is no user "u0"; write u1 to u3`,
        `${at(3, 49, second)}: there is no user "u01"; write u1 to u3`,
        `${at(3, 54, 'load.onlyUsers[2]')}: there is no user "u1x"; write u1 to u3`,
      ],
    ],
    ['an empty name', 'users: 3', '""', [`${at(3, 45, first)}: must not be empty`]],
    [
      'a variable that is not set',
      'users: 3',
      '"${env.NOBODY}"',
      [
        `${at(3, 45, first)}: the environment variable NOBODY is not set; set it with export NOBODY=… or pass -e NOBODY=…`,
      ],
    ],
    ['the one default user', 'seed: 1', 'u2', [`${at(3, 45, first)}: there is no user "u2"; write u1`]],
    ['an id and a label of listed users', 'users: [{ id: ann }, { id: bob }]', 'bob, u1', []],
    [
      'a mistyped id',
      'users: [{ id: ann }, { id: bob }]',
      'u2, amn',
      [`${at(3, 49, second)}: there is no user "amn"; did you mean ann?`],
    ],
    [
      'an id of two applications',
      'applications: { a: null, b: null }\nusers: [{ id: ann, application: a }, { id: ann, application: b }]',
      'ann',
      [`${at(4, 45, first)}: several users are called "ann"; write u1 or u2`],
    ],
  ])('%s', async (_, users, only, faults) => {
    expect(await faultsWith(users, only)).toEqual(faults);
  });

  test('a user whose id is no text has only its label', async () => {
    expect(await faultsWith('users: [{ id: {} }]', 'ann')).toEqual([
      expect.stringContaining('users[0].id: must be text, not an object'),
      `${at(3, 45, first)}: there is no user "ann"; write u1`,
    ]);
  });

  test('100,000 names among 100,000 users', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `ann-${index}`);
    const load = { model: 'burst', count: 1, onlyUsers: ids.with(-1, 'ann') };
    expect(onlyUsersFaults({ users: ids.map((id) => ({ id })), load })).toMatchObject([
      { path: ['load', 'onlyUsers', 99_999], message: 'there is no user "ann"' },
    ]);
  });
});
