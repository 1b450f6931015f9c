import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { type JourneyState, keepTurn, type OpenTurn } from '../journeys/journey-state.ts';

type Keeper = Parameters<typeof keepTurn>[0];

const keeperOf = (isUnlimited: boolean, steps: readonly object[]): Keeper => ({
  turns: [],
  forgetAt: 0,
  caps: { openTurns: { isUnlimited } } as JourneyState['caps'],
  journey: { steps } as unknown as JourneyState['journey'],
});

const all = { followTurn: { turns: 'all' } };
const last = { followTurn: { turns: 'last' } };

/** A turn that counts how often anybody asked whether it was followed. */
function turnOf(id: number, asked: { times: number }): OpenTurn {
  let isFollowed = false;
  return {
    id: `t${id}`,
    conversation: 'c',
    finished: () => undefined,
    get followed() {
      asked.times++;
      return isFollowed;
    },
    set followed(is) {
      isFollowed = is;
    },
  };
}

const unfollowed = (turns: readonly OpenTurn[]) => turns.filter(({ followed }) => !followed).map(({ id }) => id);

describe('the turns that a journey keeps', () => {
  /** How many messages are sent, and how many of the newest turns are then followed. */
  const doings = fc.array(fc.record({ sent: fc.nat(40), followed: fc.nat(40) }), { maxLength: 12 });

  it('are those that may still be followed and the newest, as if none was forgotten; the others are few', () => {
    fc.assert(
      fc.property(doings, fc.constantFrom(all, last, { repeat: { steps: [{ pause: '1s' }, all] } }), (rounds, step) => {
        const keeper = keeperOf(true, [{ sendMessage: {} }, step]);
        const every: OpenTurn[] = [];
        let most = 0;
        for (const { sent, followed } of rounds) {
          for (let i = 0; i < sent; i++) {
            const turn = turnOf(every.length, { times: 0 });
            every.push(turn);
            keepTurn(keeper, turn);
            most = Math.max(most, unfollowed(every).length);
            expect(keeper.turns.at(-1)).toBe(turn);
            expect(unfollowed(keeper.turns)).toEqual(unfollowed(every));
            expect(keeper.turns.length).toBeLessThanOrEqual(2 * most + 8);
          }
          for (let i = 0; i < followed; i++) {
            const newest = every.findLast((turn) => !turn.followed);
            if (newest) newest.followed = true;
          }
        }
      }),
    );
  });

  it('are looked at a few times each, although none can be forgotten', () => {
    const asked = { times: 0 };
    const keeper = keeperOf(true, [all]);
    for (let i = 0; i < 40_000; i++) keepTurn(keeper, turnOf(i, asked));
    expect(asked.times).toBeLessThan(2 * 40_000);
    expect(keeper.turns).toHaveLength(40_000);
  });

  it('may be more than a call has arguments', () => {
    const keeper = keeperOf(false, []);
    for (let i = 0; i < 140_000; i++) keepTurn(keeper, turnOf(i, { times: 0 }));
    expect(keeper.turns).toHaveLength(140_000);
  });

  it('are forgotten where nothing follows them and nobody counts them, but for the newest, which texts may name', () => {
    const keeper = keeperOf(true, [{ sendMessage: {} }]);
    for (let i = 0; i < 1_000; i++) {
      keepTurn(keeper, turnOf(i, { times: 0 }));
      expect(keeper.turns.at(-1)?.id).toBe(`t${i}`);
    }
    expect(keeper.turns.length).toBeLessThan(10);
  });
});

it.each([7, 8, 9, 20])('after %i messages, each step that follows the last turn follows another', async (times) => {
  const { exchanges } = await runVirtualScenario({
    sandbox: { limits: { rate: { max: 1_000 }, concurrency: { max: 100 } } },
    journeys: {
      a: {
        steps: [
          { createConversation: {} },
          { repeat: { times, steps: [{ sendMessage: { message: 'Hello' } }] } },
          { repeat: { times, steps: [{ followTurn: { by: 'stream' } }] } },
        ],
      },
    },
    load: { model: 'burst', count: 1 },
  });
  const turnsOf = (operation: string) =>
    exchanges.filter((one) => one.operation === operation).map(({ turn }) => turn?.id);
  expect(turnsOf('openStream')).toEqual(turnsOf('sendMessage').reverse());
  expect(turnsOf('sendMessage')).toHaveLength(times);
});
