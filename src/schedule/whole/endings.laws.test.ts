import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { runs } from '../../testing/share.ts';
import type { Caps } from '../caps/caps.ts';
import type { Drawn, Played } from './endings.exam.ts';

const made = vi.hoisted(() => ({ caps: [] as Caps[] }));
vi.mock(import('../caps/caps.ts'), async (original) => {
  const actual = await original();
  return {
    ...actual,
    capsOf: (...of) => {
      const caps = actual.capsOf(...of);
      made.caps.push(caps);
      return caps;
    },
  };
});
// Test files share a process: what others have loaded of the room would bring its own caps, and what is loaded here is for nobody else.
vi.resetModules();
const { ending, play, scenario, world } = await import('./endings.exam.ts');
afterAll(() => {
  vi.doUnmock('../caps/caps.ts');
  vi.resetModules();
});
beforeEach(() => void made.caps.splice(0));

const whole = (count: number) => Array.from({ length: count }, (_, k) => k);

function expectLaws(run: Played, { caps, load: of }: Drawn<typeof scenario>): void {
  const ended = run.journeys.map(({ arrival }) => arrival);
  const dropped = run.drops.map(({ arrival }) => arrival);
  // Those that are left over share lines, of which each is one journey's.
  const drops = run.drops.reduce((sum, { count = 1 }) => sum + count, 0);
  const told = [...ended, ...dropped];
  expect(new Set(told).size).toBe(told.length);
  if (of.model !== 'closed-users') expect(ended.length + drops).toBe(of.model === 'burst' ? of.count : 16);
  expect(run.counts).toEqual({ arrivals: ended.length + drops, drops });
  const sentOf = new Set(run.exchanges.map(({ arrival }) => arrival));
  expect(dropped.filter((arrival) => sentOf.has(arrival))).toEqual([]);
  expect([...sentOf].filter((arrival) => !ended.includes(arrival))).toEqual([]);
  expectOrder(run);
  expectStopped(run);
  expect(run.leases).toEqual({ held: 0, listeners: [0, 0] });
  const [{ inFlight, openTurns, pending }] = made.caps.splice(0) as [Caps];
  // What is full with one less than its slots has none of them out.
  const areOut = [inFlight.full((caps.inFlight ?? 1) - 1), openTurns.full((caps.openTurns ?? 1) - 1)];
  expect(areOut).toEqual([false, false]);
  expect((['inFlight', 'openTurns', 'requestsPerMinute'] as const).map((cap) => pending.to(cap))).toEqual([0, 0, 0]);
}

/** Numbers in the order of sending, each announced before its exchange; and nothing of a journey behind its end. */
function expectOrder({ records, exchanges }: Played): void {
  expect(exchanges.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(whole(exchanges.length));
  const announced: number[] = [];
  const over = new Set<number>();
  for (const record of records) {
    if (record.kind === 'sent') announced.push(record.seq);
    if (record.kind === 'journey') over.add(record.arrival);
    if (record.kind !== 'exchange') continue;
    expect(announced).toContain(record.seq);
    expect(over).not.toContain(record.arrival);
  }
  expect(announced).toEqual(whole(exchanges.length));
}

/** What sees the end of an open turn outlasts a gentle stop, with its tokens; nothing outlasts one at once. */
function expectStopped({ exchanges, told, sentAfter }: Played): void {
  const after = (at = Number.POSITIVE_INFINITY as Micros) => exchanges.filter(({ sentAt }) => sentAt > at);
  const outlasting = new Set(['readTurn', 'openStream', 'issueToken']);
  expect(after(told.atOnce)).toEqual([]);
  expect(after(told.gently).filter(({ operation }) => !outlasting.has(operation))).toEqual([]);
  expect(sentAfter.filter((operation) => !outlasting.has(operation))).toEqual([]);
}

describe('however a run ends', () => {
  it('by itself: every arrival ends once, as a journey or a drop, and nothing is held any more', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, world, async (input, around) => {
        made.caps.splice(0);
        expectLaws(await play(input, around, undefined), input);
      }),
      { numRuns: runs(40, 5) },
    );
  });

  it('by a stop at any moment: so, and nothing new is sent after it', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, world, ending, async (input, around, end) => {
        made.caps.splice(0);
        expectLaws(await play(input, around, end), input);
      }),
      { numRuns: runs(100, 5) },
    );
  });
});
