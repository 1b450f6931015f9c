import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { compilePlan } from '../../plan/index.ts';
import { inRealTime, type LoadedScenario, loadScenario, type ScenarioInput } from '../../scenario/index.ts';
import { root } from '../../testing/cli.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { rehearse } from './rehearse.ts';
import { settleLoad } from './settle-load.ts';

const rates = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom('s', 'min', 'h'))
  .map(([n, unit]) => `${n}/${unit}`);
const times = fc.integer({ min: 1, max: 200 }).map((tenths) => `${tenths * 100}ms`);
const loads: fc.Arbitrary<NonNullable<ScenarioInput['load']>> = fc.oneof(
  fc.record({
    model: fc.constantFrom('constant-rate', 'poisson' as const),
    rate: rates,
    duration: times,
    start: times,
  }),
  fc.record({
    model: fc.constant('steps' as const),
    from: rates,
    by: rates,
    steps: fc.integer({ min: 1, max: 5 }),
    each: times,
  }),
  fc.record({
    model: fc.constant('spike' as const),
    base: rates,
    peak: rates,
    before: times,
    ramp: times,
    hold: times,
    after: times,
  }),
  fc.record({ model: fc.constant('burst' as const), count: fc.integer({ min: 1, max: 99 }), gap: times }),
);

/** Instants of arrivals of a scenario, µs. */
const instants = ({ scenario }: LoadedScenario) =>
  [...compilePlan(scenario).arrivals()].map(({ intendedAt }) => intendedAt);

it('has the same arrivals in real time, at the same instants of the service’s clock', () => {
  fc.assert(
    fc.property(loads, fc.constantFrom(0.3, 3, 7, 10, 60), (load, clockRate) => {
      const loaded = loadedFrom({ journeys: { a: { steps: [{ issueToken: {} }] } }, load, sandbox: { clockRate } });
      const fast = instants(loaded);
      const real = instants(inRealTime(loaded));
      expect(real).toHaveLength(fast.length);
      // Both are rounded to whole microseconds: of the phase's start, of the load's, and of the arrival.
      const far = fast.filter((at, index) => Math.abs((real[index] ?? 0) - at * clockRate) > 3 * (1 + clockRate));
      expect(far).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

/** Exchanges by what was sent and answered, each with its instant in seconds of the service's clock. */
async function sentIn(given: LoadedScenario, roundTripUs: number) {
  const loaded = await settleLoad(given, true);
  const rate = loaded.scenario.sandbox.clockRate;
  const sent: { readonly what: string; readonly at: number }[] = [];
  await rehearse(loaded, compilePlan(loaded.scenario), true, {
    turnQuantile: 0.5,
    roundTripUs: roundTripUs as Micros,
    listen(record) {
      if (record.kind !== 'exchange') return;
      const { operation, status, sentAt = 0, journey } = record;
      sent.push({ what: `${journey} ${operation} ${status}`, at: (sentAt * rate) / 1e6 });
    },
  });
  return sent.sort((a, b) => (a.what < b.what ? -1 : a.what > b.what ? 1 : a.at - b.at));
}

const folder = join(root, 'scenarios');
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

describe('a shipped scenario in real time', () => {
  it.each(files)('%s sends the same at the same instants of the service’s clock', async (file) => {
    const loaded = await loadScenario(join(folder, file), { env: {} });
    const { clockRate } = loaded.scenario.sandbox;
    const fast = await sentIn(loaded, 2_000);
    const real = await sentIn(inRealTime(loaded), 2_000 * clockRate);
    expect(real.map(({ what }) => what)).toEqual(fast.map(({ what }) => what));
    expect(fast.length).toBeGreaterThan(6);
    // A microsecond of the run, to which waits are rounded, is up to 3.6 ms of the sandbox's clock.
    expect(real.filter(({ at }, index) => Math.abs(at - (fast[index]?.at ?? 0)) > 0.5)).toEqual([]);
  });
});
