import { expect, it } from 'vitest';
import { readGates } from '../../metrics/index.ts';
import type { ScenarioInput } from '../../scenario/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import { noon, say, start } from './priced-plans.exam.ts';
import { unreachedLimitNotes } from './unreached-limits.ts';

const held = { 'limit.rate': 'held', 'limit.concurrency': 'held', 'limit.daily': 'held' };

interface Situation {
  readonly gates: Readonly<Record<string, unknown>>;
  readonly sandbox: object;
  readonly load: ScenarioInput['load'];
  readonly rounds: number;
}

/** Of messages, each from a new conversation, to another service. */
async function notesOf({ gates = held, sandbox = {}, load, rounds }: Partial<Situation>) {
  const scenario = loadedFrom({
    journeys: { a: { steps: [start, say, { followTurn: { by: 'stream' } }] } },
    load: load ?? { model: 'burst', count: 3, gap: '1min' },
    sandbox,
  });
  const planned = await planScenario({ ...scenario, gates: readGates(gates).gates }, { embedded: false, now: noon });
  return unreachedLimitNotes(planned.unreachedLimits, rounds);
}

const note = (limit: string, use: string, unless = '') =>
  `the gate limit.${limit}: held needs a refusal by this limit, and the forecast has none (${use})${unless}: undecided, it would fail the run; send more, or require "not violated"`;

it('names the limits that gates want to be held and that the plan does not reach, in the order of the gates', async () => {
  expect(await notesOf({})).toEqual([note('rate', '3 of 20'), note('concurrency', '1 of 2'), note('daily', '3 of 50')]);
});

it('says nothing of a limit that will refuse', async () => {
  const load = { model: 'burst', count: 60 } as const;
  expect(await notesOf({ load, gates: { 'limit.rate': 'held' } })).toEqual([]);
  // What the rate limit refuses never comes to the others.
  expect(await notesOf({ load })).toEqual([note('concurrency', '0 of 2'), note('daily', '0 of 50')]);
  // Nine messages at once, for two of which there are slots.
  expect(await notesOf({ load: { model: 'burst', count: 9 } })).toEqual([
    note('rate', '20 of 20'),
    note('daily', '2 of 50'),
  ]);
});

it('says nothing of a gate that passes all the same', async () => {
  const gates = { 'limit.rate': 'not violated', 'limit.daily': [{ threshold: 'held', allowNoData: true }] };
  expect(await notesOf({ gates })).toEqual([]);
});

it('says nothing of a sandbox with faults or defects, which a forecast does not know', async () => {
  const scenario = loadedFrom({
    journeys: { a: { steps: [start, say] } },
    load: { model: 'burst', count: 1 },
    sandbox: { defects: ['O24'] },
  });
  const { unreachedLimits } = await planScenario(
    { ...scenario, gates: readGates(held).gates },
    { embedded: true, now: noon },
  );
  expect(unreachedLimits).toEqual([]);
});

it('says that users who go on for a time send more to a faster service', async () => {
  const load = { model: 'closed-users', users: 1, duration: '10s' } as const;
  expect(await notesOf({ load, gates: { 'limit.daily': 'held' } })).toEqual([
    expect.stringMatching(/ has none \(\d of 50\), unless the service is faster than assumed: /),
  ]);
});

it('says nothing where rounds in a row may reach the limit together, which turns of one round do not wait for', async () => {
  expect(await notesOf({ rounds: 6 })).toEqual([
    note('rate', '3 of 20'),
    note('concurrency', '1 of 2'),
    note('daily', '3 of 50'),
  ]);
  expect(await notesOf({ rounds: 7 })).toEqual([note('concurrency', '1 of 2'), note('daily', '3 of 50')]);
  expect(await notesOf({ rounds: 17 })).toEqual([note('concurrency', '1 of 2')]);
});
