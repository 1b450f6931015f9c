import { describe, expect, it } from 'vitest';
import { runVirtualScenario } from '../../testing/virtual.ts';

/** A step that ends at once, without a promise: there is no turn to follow. */
const nothing = { followTurn: {} };
const load = { model: 'per-user-iterations', users: 1, iterations: 1 } as const;

const runOf = (steps: Parameters<typeof runVirtualScenario>[0]['journeys']['a']['steps']) =>
  runVirtualScenario({ users: 1, journeys: { a: { steps } }, load });

describe('steps that end at once', () => {
  const inner = { repeat: { times: 100, steps: [nothing, nothing] } };
  const create = { createConversation: { title: 'round ${iteration}' } };

  it('take no stack, however many there are', async () => {
    const { exchanges, journeys } = await runOf([
      { repeat: { times: 1_000, steps: [nothing, inner] } },
      { createConversation: {} },
    ]);
    expect(exchanges.map(({ operation, step }) => [operation, step])).toEqual([
      ['issueToken', 201_000],
      ['createConversation', 201_000],
    ]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  });

  it('and may be more than a call has arguments', async () => {
    const many = Array.from({ length: 130_000 }, () => nothing);
    const plain = { createConversation: {} };
    const { exchanges, journeys } = await runOf([plain, ...many, { repeat: { times: 2, steps: [plain, ...many] } }]);
    expect(exchanges.map(({ step }) => step)).toEqual([0, 0, 130_001, 260_002]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  });

  it('lead to the next of each round, and the iteration is that of the repeat around', async () => {
    const { exchanges, journeys } = await runOf([{ repeat: { times: 3, steps: [inner, create, inner] } }, create]);
    expect(exchanges.slice(1).map(({ step }) => step)).toEqual([200, 601, 1_002]);
    // Outside a repeat there is no iteration: the journey stops rather than send a hole.
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['stopped']);
  });
});

it('whoever gives a slot back and takes it again in the same turn has not waited', async () => {
  const turn = [{ sendMessage: { message: 'hi' } }, { followTurn: { by: 'poll' } }] as const;
  const waits = async (caps: object, steps: Parameters<typeof runOf>[0]) => {
    const { exchanges } = await runVirtualScenario({ users: 1, journeys: { a: { steps } }, load, caps });
    expect(exchanges.length).toBeGreaterThan(10);
    return exchanges.flatMap(({ capWaitUs }) => capWaitUs ?? []);
  };
  const messages = { repeat: { times: 5, steps: [...turn] } };
  expect(await waits({ openTurns: 1 }, [{ issueToken: {} }, { createConversation: {} }, messages])).toEqual([]);
  expect(await waits({ inFlight: 1 }, [{ issueToken: {} }, { createConversation: {} }, messages])).toEqual([]);
  expect(await waits({ inFlight: 1 }, [{ repeat: { times: 20, steps: [{ issueToken: {} }] } }])).toEqual([]);
});
