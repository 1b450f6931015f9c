import { expect, it } from 'vitest';
import { ScenarioSchema } from './schema/schema.ts';
import { askedTimezones, timezoneNotes } from './timezones.ts';

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

it('a zone that may be mistyped is told with the nearest one, once, unless its step expects an answer', () => {
  const notesOf = (tokens: object, users: unknown, ...steps: object[]) =>
    timezoneNotes(
      ScenarioSchema.parse({
        name: 's',
        users,
        tokens,
        journeys: { j: { steps: [{ repeat: { times: 2, steps: [...steps, { createConversation: {} }] } }] } },
        load: { model: 'burst', count: 1 },
      }),
    );
  const issue = (timezone: string) => ({ issueToken: { timezone } });
  const known = [issue('asia/tokyo'), issue('${zone}'), { issueToken: {} }];
  expect(notesOf({ timezone: 'UTC' }, [{ id: 'a', timezone: 'US/Pacific' }], ...known)).toEqual([]);
  expect(notesOf({ timezone: 'Europe/Zurch' }, [{ id: 'a', timezone: 'UTX' }], issue('Europe/Zurch'))).toEqual([
    'the time zone "Europe/Zurch" is unknown here and sent as it is; did you mean Europe/Zurich?',
    'the time zone "UTX" is unknown here and sent as it is; did you mean UTC?',
  ]);
  expect(notesOf({}, 1, issue('Mars/Olympus\u001b[1m'))).toEqual([
    'the time zone "Mars/Olympus\\u{1b}[1m" is unknown here and sent as it is',
  ]);
  expect(notesOf({}, 1, { ...issue('Mars/Olympus'), expect: { status: 422 } })).toEqual([]);
});
