import { expect, it } from 'vitest';
import { readGates } from '../../metrics/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import { noon, say, start } from './priced-plans.exam.ts';
import { shortGateNotes } from './short-gates.ts';

/** Of ten messages, each from a new conversation. */
async function notesOf(gates: Readonly<Record<string, unknown>>, { rounds = 1, embedded = false } = {}) {
  const load = { model: 'burst', count: 10, gap: '1min' } as const;
  const scenario = loadedFrom({ journeys: { a: { steps: [start, say, { followTurn: { by: 'stream' } }] } }, load });
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
});

it('says nothing of a gate that passes without data, or that judges windows', async () => {
  const threshold = 'p(95)<8000';
  expect(await notesOf({ turn_completion: [{ threshold, allowNoData: true }] })).toEqual([]);
  expect(await notesOf({ turn_completion: [{ threshold, window: 60_000 }] })).toEqual([]);
});
