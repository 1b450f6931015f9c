import { expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/index.ts';
import { answering } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';

type Input = Omit<ScenarioInput, 'name'>;
const conversation = { createConversation: {} } as const;

/** The bodies with which a scenario asks for tokens. */
async function asked(input: Input, status?: number): Promise<unknown[]> {
  const bodies: unknown[] = [];
  await runVirtualScenario(input, {
    wrap: answering(({ operation, body }) => {
      if (operation !== 'issueToken') return {};
      bodies.push(body);
      return status !== undefined && bodies.length === 2 ? { status, body: {} } : {};
    }),
  });
  return bodies;
}

const moving: Input = {
  sandbox: { tokenLifetime: '2s' },
  tokens: { locale: 'en-US', timezone: 'UTC' },
  users: [{ id: 'a', locale: 'fr-CH' }],
  onError: 'continue',
  journeys: {
    a: {
      steps: [
        conversation,
        { issueToken: { timezone: 'Asia/Tokyo' } },
        { pause: '5s' },
        conversation,
        { issueToken: {} },
        { pause: '5s' },
        conversation,
      ],
    },
  },
  load: { model: 'burst', count: 1 },
};

const tokenOf = (timezone: string) => ({ external_user_id: 'a', locale: 'fr-CH', timezone });

it('a token is asked for as the scenario says of all, of a user, and of a step; those that renew it for the same', async () => {
  expect(await asked(moving)).toEqual(['UTC', 'Asia/Tokyo', 'Asia/Tokyo', 'UTC', 'UTC'].map(tokenOf));
});

it('a step that gets no token leaves what is asked for as it was', async () => {
  expect(await asked(moving, 422)).toEqual(['UTC', 'Asia/Tokyo', 'UTC', 'UTC', 'UTC'].map(tokenOf));
});

it('a token is asked for without what nobody says', async () => {
  const journeys = { a: { steps: [conversation] } };
  expect(await asked({ users: 2, journeys, load: { model: 'burst', count: 2 } })).toEqual([
    { external_user_id: 'spillway-user-1' },
    { external_user_id: 'spillway-user-2' },
  ]);
});

it('a token is asked for in JSON that is written ahead only where each character is one byte', async () => {
  const texts: [string | undefined, unknown][] = [];
  const wrap = answering(({ operation, bodyText, body }) => {
    if (operation === 'issueToken') texts.push([bodyText, body]);
    return {};
  });
  const users = [{ id: 'Ann' }, { id: 'Zoë' }];
  const load = { model: 'burst', count: 2 } as const;
  await runVirtualScenario({ users, journeys: { a: { steps: [conversation] } }, load }, { wrap });
  expect(texts).toEqual([
    ['{"external_user_id":"Ann"}', { external_user_id: 'Ann' }],
    [undefined, { external_user_id: 'Zoë' }],
  ]);
});
