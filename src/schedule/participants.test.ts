import { expect, it } from 'vitest';
import { ScenarioSchema } from '../scenario/index.ts';
import { participantsOf } from './participants.ts';

const basic = { kind: 'basic', id: 'i', secret: 's' } as const;

it.each([
  ['a number of users', 5, ['a1', 'b2', 'c3', 'a1', 'b2']],
  ['listed users', [{ id: 'ann' }, { id: 'bob', application: 'c3' }, { id: 'eve' }], ['a1', 'c3', 'a1']],
])('%s belongs to applications in turn, or to those that are named', (_, users, applications) => {
  const { tokens, ...scenario } = ScenarioSchema.parse({
    name: 'test',
    users,
    journeys: { a: { steps: [{ createConversation: {} }] } },
    load: { model: 'burst', count: 1 },
  });
  const credentials = new Map(['a1', 'b2', 'c3'].map((label) => [label, basic]));
  const made = participantsOf({ users: scenario.users, tokens }, credentials as never);
  expect(made.users.map(({ application }) => application)).toEqual(applications);
  expect(made.users.map(({ label }) => label)).toEqual(applications.map((_, index) => `u${index + 1}`));
});

it('every user asks for tokens with the locale and time zone of the scenario, but for what is its own', () => {
  const credentials = new Map([['a1', basic]]) as never;
  const tokens = { locale: 'en-US', timezone: 'UTC' };
  const settingsOf = (users: Parameters<typeof participantsOf>[0]['users']) =>
    participantsOf({ users, tokens }, credentials).users.map(({ locale, timezone }) => [locale, timezone]);
  expect(settingsOf(1)).toEqual([['en-US', 'UTC']]);
  expect(settingsOf([{ id: 'ann' }, { id: 'bob', locale: 'fr-CH' }, { id: 'eve', timezone: 'Asia/Tokyo' }])).toEqual([
    ['en-US', 'UTC'],
    ['fr-CH', 'UTC'],
    ['en-US', 'Asia/Tokyo'],
  ]);
});
