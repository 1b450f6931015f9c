import { expect, it } from 'vitest';
import { ScenarioSchema } from './schema.ts';
import { askedTimezones } from './timezones.ts';

const asked = (users: unknown, tokens: object, ...timezones: readonly string[]) => {
  const steps = [...timezones.map((timezone) => ({ issueToken: { timezone } })), { createConversation: {} }];
  const journeys = { j: { steps: [{ repeat: { times: 2, steps } }] } };
  return askedTimezones(
    ScenarioSchema.parse({ name: 's', users, tokens, journeys, load: { model: 'burst', count: 1 } }),
  );
};

it.each([
  ['nobody asks for one', 3, [], []],
  ['users without one', [{ id: 'a' }, { id: 'b' }], [], []],
  [
    'users of one',
    [
      { id: 'a', timezone: 'UTC' },
      { id: 'b', timezone: 'UTC' },
    ],
    [],
    ['UTC'],
  ],
  [
    'users of two, and a step',
    [
      { id: 'a', timezone: 'UTC' },
      { id: 'b', timezone: 'Asia/Tokyo' },
    ],
    ['America/Santiago', 'UTC'],
    ['UTC', 'Asia/Tokyo', 'America/Santiago'],
  ],
  ['one user with, one without', [{ id: 'a', timezone: 'UTC' }, { id: 'b' }], [], undefined],
  ['a step with, users without', 1, ['UTC'], undefined],
  ['no name of a zone', [{ id: 'a', timezone: 'Mars/Olympus' }], [], undefined],
  ['a text that depends on the journey', [{ id: 'a', timezone: 'UTC' }], ['${arrival}'], undefined],
])('time zones that tokens are asked for with: %s', (_, users, steps, expected) => {
  expect(asked(users, {}, ...steps)).toEqual(expected);
});

it.each([
  ['any number of users', 3, [], ['Asia/Tokyo']],
  ['a user who has none, and one who has', [{ id: 'a' }, { id: 'b', timezone: 'UTC' }], [], ['Asia/Tokyo', 'UTC']],
  ['a step beside them', 1, ['UTC'], ['Asia/Tokyo', 'UTC']],
])('a zone of all tokens is that of %s', (_, users, steps, expected) => {
  expect(asked(users, { timezone: 'Asia/Tokyo' }, ...steps)).toEqual(expected);
});
