import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { settle } from '../config.ts';
import { noon } from '../core-client.exam.ts';
import { createGate, type Gate, type LimitChange, openGate, type RequestKind } from './index.ts';

const { limits } = settle({
  limits: {
    rate: [
      { max: 3, algorithm: 'sliding-log', scope: 'user' },
      { max: 5, algorithm: 'token-bucket', burst: 4 },
      { max: 4, algorithm: 'fixed-window-block', block: '5s', scope: 'token', countsReplays: false },
    ],
    concurrency: { max: 2, scope: 'user' },
    daily: { max: 9, day: 'token-timezone', countsRefusedLater: true },
  },
});

interface Step {
  readonly wait: number;
  readonly user: string;
  readonly token: string;
  readonly operation: 'sendMessage' | 'readTurn';
  readonly kind: RequestKind;
  readonly fails: boolean;
}
const steps = fc.array(
  fc.record({
    wait: fc.oneof(fc.constantFrom(0, 1, 5_000_000), fc.nat(30_000_000), fc.nat(9_000_000_000)),
    user: fc.constantFrom('u1', 'u2'),
    token: fc.constantFrom('t1', 't2'),
    operation: fc.constantFrom('sendMessage' as const, 'readTurn' as const),
    kind: fc.constantFrom<RequestKind>('ordinary', 'ordinary', 'invalid', 'replay'),
    fails: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 1, maxLength: 80 },
);

/** One request from end to end. @returns what came of it */
function pass(gate: Gate, { user, token, operation, kind, fails }: Step, now: Micros): string {
  const subject = { operation, application: 'a1', owner: user, token, timezone: user === 'u1' ? 'Asia/Tokyo' : 'UTC' };
  const passage = gate.passage(subject, now);
  const refused = passage.arrive() ?? passage.meet(kind);
  if (refused) {
    passage.close();
    return `${refused.rule.name} until ${refused.retryAtUs}`;
  }
  passage.hold(now, (now + 20_000_000) as Micros);
  const { taken } = fails ? passage.fail() : passage.close();
  return taken.map(({ name }) => name).join(' ');
}

function play(given: readonly Step[], gateAt: (index: number, now: Micros) => Gate): readonly string[] {
  let now = noon;
  return given.map((step, index) => {
    now = (now + step.wait) as Micros;
    return pass(gateAt(index, now), step, now);
  });
}

describe('the gate', () => {
  it('continues from its saved state (through JSON) without a difference', () => {
    fc.assert(
      fc.property(steps, fc.nat(79), (given, stop) => {
        const straight = createGate(limits);
        let interrupted = createGate(limits);
        const expected = play(given, () => straight);
        const seen = play(given, (index, now) => {
          if (index !== stop) return interrupted;
          const saved = JSON.stringify(interrupted.save(now));
          interrupted = createGate(limits);
          interrupted.load(JSON.parse(saved));
          return interrupted;
        });
        expect(seen).toEqual(expected);
      }),
    );
  });

  it('reports every change: the changes, stored by key, restore the full state at any instant', () => {
    fc.assert(
      fc.property(steps, fc.nat(79), (given, stop) => {
        const kept: Record<string, Record<string, string>> = {};
        const keep = ({ limit, key, state }: LimitChange) => {
          kept[limit] = { ...kept[limit], [key]: JSON.stringify(state) };
        };
        const straight = createGate(limits);
        let killed = createGate(limits, { onChange: keep });
        const expected = play(given, () => straight);
        const seen = play(given, (index) => {
          if (index !== stop) return killed;
          const parsed = Object.entries(kept).map(([limit, states]) => [
            limit,
            Object.fromEntries(Object.entries(states).map(([key, state]) => [key, JSON.parse(state)])),
          ]);
          killed = createGate(limits, { onChange: keep });
          killed.load(Object.fromEntries(parsed));
          return killed;
        });
        expect(seen).toEqual(expected);
      }),
    );
  });

  it('takes either all units of a request or none, at its end, and none twice', () => {
    const gate = createGate(settle({ limits: { rate: 2, daily: 1, concurrency: 1 } }).limits);
    const subject = { operation: 'sendMessage', application: 'a1', owner: 'u1' } as const;
    const before = JSON.stringify(gate.save(noon));
    const passage = gate.passage(subject, noon);
    expect([passage.arrive(), passage.meet('ordinary'), passage.meet('ordinary')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(JSON.stringify(gate.save(noon))).toBe(before);
    passage.hold(noon, (noon + 5) as Micros);
    expect(passage.close().taken.map(({ name }) => name)).toEqual(['minute', 'day', 'slots']);
    const after = JSON.stringify(gate.save(noon));
    expect([passage.close(), passage.fail()]).toEqual([{ taken: [] }, { taken: [] }]);
    expect(JSON.stringify(gate.save(noon))).toBe(after);
    expect(JSON.parse(after)).toEqual({
      minute: { a1: { startsAt: noon, used: 1 } },
      day: { a1: { startsAt: noon - 43_200_000_000, used: 1 } },
      slots: { a1: [noon + 5] },
    });
  });

  it('returns, of a request that the service failed to serve, what does not count refusals by later limits', () => {
    const gate = createGate(settle({ limits: { rate: 2, daily: 1, concurrency: 1 } }).limits);
    const passage = gate.passage({ operation: 'sendMessage', application: 'a1', owner: 'u1' }, noon);
    expect([passage.arrive(), passage.meet('ordinary')]).toEqual([undefined, undefined]);
    expect(passage.fail().taken.map(({ name }) => name)).toEqual(['minute']);
    expect(gate.save(noon)).toMatchObject({ minute: { a1: { used: 1 } }, day: {}, slots: {} });
  });

  it('lets work begin when all limits have a slot for as long as it takes', () => {
    const second = (s: number) => (noon + s * 1_000_000) as Micros;
    const slot = { max: 1, slot: 'processing-only' } as const;
    const { limits: two } = settle({
      limits: {
        rate: [],
        daily: [],
        concurrency: [
          { ...slot, scope: 'user' },
          { ...slot, max: 2, scope: 'application' },
        ],
      },
    });
    /** When work of two seconds may begin that would begin after one, while others hold their slots. */
    const begins = (...held: readonly (readonly [owner: string, from: number, until: number])[]) => {
      const gate = createGate(two);
      const passageOf = (owner: string) => {
        const passage = gate.passage({ operation: 'sendMessage', application: 'a1', owner }, noon);
        expect([passage.arrive(), passage.meet('ordinary')]).toEqual([undefined, undefined]);
        return passage;
      };
      for (const [owner, from, until] of held) {
        const passage = passageOf(owner);
        passage.hold(second(from), second(until));
        passage.close();
      }
      return (passageOf('u1').freeFrom(second(1), second(3)) - noon) / 1_000_000;
    };
    expect(begins()).toBe(1);
    expect(begins(['u1', 1, 3])).toBe(3);
    // From 3 to 4 s both are free, but not for two seconds.
    expect(begins(['u1', 1, 3], ['u2', 4, 6], ['u3', 4, 6])).toBe(6);
    // Those of the application are free from 1 s on, but no longer when that of the user is.
    expect(begins(['u1', 1, 2], ['u2', 3, 5], ['u3', 3, 5])).toBe(5);
  });

  it('drops the state of removed limits, and starts new limits empty', () => {
    const gate = createGate(settle({ limits: { rate: { max: 1, name: 'new' } } }).limits);
    gate.load({ old: { a1: { startsAt: noon, used: 9 } }, day: { a1: { startsAt: noon, used: 50 } } });
    expect(gate.save(noon)).toEqual({ new: {}, day: { a1: { startsAt: noon, used: 50 } }, slots: {} });
    gate.load({});
    expect(gate.save(noon)).toEqual({ new: {}, day: {}, slots: {} });
  });

  it('can be open: everything passes, nothing is counted', () => {
    const gate = createGate(settle({ limits: { rate: 1 } }).limits);
    for (let i = 0; i < 5; i++) {
      const passage = openGate(gate).passage({ operation: 'readTurn', application: 'a1' }, noon);
      expect([passage.arrive(), passage.meet('ordinary'), passage.standings]).toEqual([undefined, undefined, []]);
      expect(passage.close().taken).toEqual([]);
    }
    expect(gate.save(noon)).toEqual({ minute: {}, day: {}, slots: {} });
  });
});
