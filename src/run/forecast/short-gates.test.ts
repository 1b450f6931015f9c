import { expect, it } from 'vitest';
import { readGates } from '../../metrics/index.ts';
import type { ScenarioInput } from '../../scenario/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import { noon, say, start } from './priced-plans.exam.ts';
import { shortGateNotes } from './short-gates.ts';

interface Situation {
  readonly rounds: number;
  readonly embedded: boolean;
  readonly sandbox: object;
  readonly load: ScenarioInput['load'];
  readonly deadline: string;
  readonly by: 'poll' | 'stream';
}

const oneAMinute = { model: 'burst', count: 10, gap: '1min' } as const;

/** Of ten messages, each from a new conversation. */
async function notesOf(
  gates: Readonly<Record<string, unknown>>,
  { rounds = 1, embedded = false, sandbox = {}, load = oneAMinute, deadline, by = 'stream' }: Partial<Situation> = {},
) {
  const scenario = loadedFrom({
    journeys: { a: { steps: [start, say, { followTurn: { by } }] } },
    load,
    sandbox,
    ...(deadline !== undefined && { deadline }),
  });
  const loaded = { ...scenario, gates: readGates(gates).gates };
  return shortGateNotes((await planScenario(loaded, { embedded, now: noon })).shortGates, rounds);
}

const short = (gate: string, needed: number, samples = 10) =>
  `the gate ${gate} needs ${needed} samples, and the forecast has ${samples} at most: undecided, it would fail the run; lengthen the load, pool earlier runs, or require less`;

it('tells which gates have too few samples, before anything is sent', async () => {
  const gates = {
    'http_req_duration{operation:sendMessage,outcome:success}': ['p(50)<300', 'p(90)<300', 'max<2000'],
    turn_completion: 'bound(p(95))<8000',
    http_req_failed: 'rate<0.01',
    'turn_not_completed{journey:a}': 'bound(rate)<0.1',
    'limit.rate': 'held',
  };
  const notes = [
    short('http_req_duration{operation:sendMessage,outcome:success}: p(90)<300', 29),
    short('turn_completion: bound(p(95))<8000', 59),
    short('turn_not_completed{journey:a}: bound(rate)<0.1', 29),
  ];
  expect(await notesOf(gates)).toEqual(notes);
  expect(await notesOf(gates, { embedded: true })).toEqual(notes);
});

it('counts the samples of all rounds together', async () => {
  const gates = { turn_completion: ['p(90)<8000', 'p(95)<8000'] };
  expect(await notesOf(gates, { rounds: 2 })).toEqual([
    short('turn_completion: p(90)<8000', 29, 20),
    short('turn_completion: p(95)<8000', 59, 20),
  ]);
  expect(await notesOf(gates, { rounds: 3 })).toEqual([short('turn_completion: p(95)<8000', 59, 30)]);
  const load = { model: 'burst', count: 1 } as const;
  const median = { turn_completion: 'p(50)<8000' };
  expect(await notesOf(median, { load, rounds: 4 })).toEqual([short('turn_completion: p(50)<8000', 5, 4)]);
  expect(await notesOf(median, { load, rounds: 5 })).toEqual([]);
});

it('looks at turns of any assumed length: longer ones are polled more often', async () => {
  const polls = 'http_req_duration{operation:readTurn}';
  // There are ten to ninety.
  expect(await notesOf({ [polls]: ['p(90)<300', 'p(99)<300'] }, { by: 'poll' })).toEqual([
    short(`${polls}: p(99)<300`, 299, 90),
  ]);
});

it('says nothing of a gate that passes without data, or that judges windows', async () => {
  const threshold = 'p(95)<8000';
  expect(await notesOf({ turn_completion: [{ threshold, allowNoData: true }] })).toEqual([]);
  expect(await notesOf({ turn_completion: [{ threshold, window: 60_000 }] })).toEqual([]);
});

it('says nothing of what the forecast does not know: waits for connections, and what faults and defects of the sandbox bring about', async () => {
  expect(await notesOf({ cap_wait: 'p(50)<50', 'cap_wait{cap:token}': 'p(50)<50' })).toEqual([]);
  const gates = { turn_completion: 'p(90)<8000' };
  for (const sandbox of [{ faults: ['sendMessage:status-503:p=0.8'] }, { defects: ['O24'] }]) {
    expect(await notesOf(gates, { embedded: true, sandbox })).toEqual([]);
    // Another service has none of them.
    expect(await notesOf(gates, { sandbox })).toHaveLength(1);
  }
});

it('says that users who go on for a time do more at a faster service', async () => {
  const load = { model: 'closed-users', users: 1, duration: '10s' } as const;
  const [note] = await notesOf({ turn_completion: 'p(95)<8000' }, { load });
  expect(note).toMatch(
    /needs 59 samples, and the forecast has \d+ at most \(more if the service is faster than assumed\): /,
  );
  const fixed = { model: 'shared-iterations', users: 1, iterations: 2 } as const;
  expect(await notesOf({ turn_completion: 'p(95)<8000' }, { load: fixed })).toEqual([
    short('turn_completion: p(95)<8000', 59, 2),
  ]);
});

it('says so too of journeys that the deadline of the run ends', async () => {
  const gates = { turn_completion: 'p(90)<8000' };
  expect(await notesOf(gates, { deadline: '2min' })).toEqual([expect.stringContaining('at most (more if')]);
  expect(await notesOf(gates, { deadline: '20min' })).toEqual([short('turn_completion: p(90)<8000', 29)]);
});
