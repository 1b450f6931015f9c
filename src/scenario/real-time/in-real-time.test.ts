import { describe, expect, it } from 'vitest';
import type { ConfigurationError } from '../../base/index.ts';
import type { Gate } from '../../metrics/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { inRealTime } from './in-real-time.ts';

type Input = Parameters<typeof loadedFrom>[0];

const steps = (...those: Input['journeys'][string]['steps']): Input['journeys'] => ({ a: { steps: those } });
const once: Input['load'] = { model: 'burst', count: 1 };
const stretched = (clockRate: number, input: Partial<Input>) =>
  inRealTime(loadedFrom({ journeys: steps({ createConversation: {} }), load: once, sandbox: { clockRate }, ...input }));

describe('a scenario in real time', () => {
  it('has a sandbox whose clock runs in real time, too', () => {
    const { sandbox } = stretched(10, {
      sandbox: {
        clockRate: 10,
        startTime: '2026-01-15T09:00:00Z',
        tokenLifetime: '5min',
        limits: { rate: { max: 3, window: '20s' } },
      },
    }).scenario;
    expect(sandbox).toMatchObject({ clockRate: 1, tokenLifetime: 300_000, startTime: '2026-01-15T09:00:00Z' });
    expect(sandbox.limits?.rate).toMatchObject({ max: 3, window: 20_000 });
  });

  it('waits in its steps for as long as the service’s clock did', () => {
    const { journeys } = stretched(10, {
      journeys: steps(
        { pause: '1.5s' },
        { pause: { distribution: 'lognormal', median: '2s', p95: '5s' } },
        {
          burst: {
            count: 2,
            gap: '40ms',
            follow: { interval: '500ms', deadline: '9s', backoff: 2, maxInterval: '3s' },
          },
        },
        { repeat: { times: 3, steps: [{ pause: { distribution: 'exponential', mean: '700ms' } }] } },
        { resend: { count: 2, gap: '1us' } },
      ),
    }).scenario;
    const [pause, drawn, burst, repeat, resend] = journeys.a?.steps ?? [];
    expect(pause).toEqual({ pause: 15_000 });
    expect(drawn).toEqual({ pause: { distribution: 'lognormal', median: 20_000, p95: 50_000 } });
    const follow = { by: 'poll', interval: 5_000, deadline: 90_000, backoff: 2, maxInterval: 30_000 };
    expect(burst).toMatchObject({ burst: { count: 2, gap: 400, follow } });
    expect(repeat).toEqual({ repeat: { times: 3, steps: [{ pause: { distribution: 'exponential', mean: 7_000 } }] } });
    expect(resend).toMatchObject({ resend: { count: 2, gap: 0.01 } });
  });

  it('has longer defaults, too: also those that depend on what is written', () => {
    const { journeys, onRefused } = stretched(10, {
      journeys: steps({ followTurn: { interval: '40s' } }, { followTurn: { by: 'stream' } }),
      onRefused: { retry: {} },
    }).scenario;
    const [slow, stream] = journeys.a?.steps ?? [];
    expect(slow).toMatchObject({ followTurn: { interval: 400_000, maxInterval: 400_000, deadline: 800_000 } });
    expect(stream).toMatchObject({ followTurn: { interval: 10_000, maxInterval: 300_000, deadline: 600_000 } });
    const backoff = { first: 5_000, factor: 2, jitter: 0, ceiling: 300_000 };
    expect(onRefused).toMatchObject({ retry: { max: 3, retryAfterCeiling: 3_000_000, backoff } });
  });

  it('has as many arrivals as before, over the longer time', () => {
    const { phases, load } = stretched(20, {
      load: [
        { model: 'constant-rate', rate: '20/min', duration: '90s', start: '1s' },
        { model: 'spike', base: '0/s', peak: '2/s', before: '1s', ramp: '2s', hold: '3s', after: '4s' },
        { model: 'ramping-rate', stages: [{ to: '60/min', duration: '10s' }] },
        { model: 'steps', from: '1/s', by: '2/s', steps: 4, each: '5s' },
        { model: 'closed-users', users: 3, iterations: 7, think: '1s' },
        {
          model: 'ramping-users',
          from: 4,
          stages: [{ to: 8, duration: '3s' }],
          think: { distribution: 'uniform', min: '0', max: '1s' },
        },
        { model: 'replay', file: 'times.csv', speed: 4 },
        { model: 'paced-to-limits', duration: '1min', share: 0.5 },
      ],
    }).scenario;
    expect(phases).toBeUndefined();
    expect(load).toMatchObject([
      { rate: 1 / 60, duration: 1_800_000, start: 20_000 },
      { base: 0, peak: 0.1, before: 20_000, ramp: 40_000, hold: 60_000, after: 80_000 },
      { from: 0, stages: [{ to: 0.05, duration: 200_000 }] },
      { from: 0.05, by: 0.1, steps: 4, each: 100_000 },
      { users: 3, iterations: 7, think: 20_000 },
      { from: 4, stages: [{ to: 8, duration: 60_000 }], think: { min: 0, max: 20_000 } },
      { speed: 0.2 },
      { duration: 1_200_000, share: 0.5, turnsWithin: 0.99 },
    ]);
  });

  it('ends later, and leaves out a longer beginning', () => {
    const { scenario } = stretched(60, {
      phases: [{ name: 'one', load: once, duration: '1.25s' }],
      load: undefined,
      deadline: '40s',
      gracefulStop: '2s',
      warmUp: '5s',
    });
    expect(scenario.phases).toMatchObject([{ duration: 75_000 }]);
    expect([scenario.deadline, scenario.gracefulStop, scenario.warmUp]).toEqual([2_400_000, 120_000, 300_000]);
  });

  it('keeps what is about the network, the generator, or a minute of the service', () => {
    const profile = { name: 'p', client: { deadline: '7s', renewBefore: '20s' } } as const;
    const { scenario, profile: after } = stretched(10, {
      profile,
      caps: { requestsPerMinute: 20 },
      generator: { medianLag: '9ms' },
    });
    expect(after.client).toMatchObject({ deadline: 7_000, renewBefore: 20_000 });
    expect(scenario.caps.requestsPerMinute).toBe(20);
    expect(scenario.generator.medianLag).toBe(9);
  });

  it('judges its gates by the same thresholds, in windows of as many requests, which are whole seconds', () => {
    const gate = (options: Gate['options']) => ({ kind: 'limit', limit: 'rate', demand: 'held', options }) as const;
    const both = [
      gate({ abortOnFail: false, allowNoData: false, window: 5_000 as never }),
      gate({ abortOnFail: true, allowNoData: false, delayAbortEval: 300 as never }),
    ];
    const gatePlaces = new Map(both.map((one, n) => [one, { path: `gates[${n}]` }]));
    const at = (clockRate: number) => {
      const loaded = loadedFrom({ journeys: steps({ pause: '1s' }), load: once, sandbox: { clockRate } });
      return inRealTime({ ...loaded, gates: both, gatePlaces });
    };
    const { gates, gatePlaces: places } = at(10);
    expect(gates.map(({ options }) => options)).toEqual([
      { abortOnFail: false, allowNoData: false, window: 50_000 },
      { abortOnFail: true, allowNoData: false, delayAbortEval: 3_000 },
    ]);
    expect(gates.map((one) => places.get(one)?.path)).toEqual(['gates[0]', 'gates[1]']);
    expect(at(0.5).gates[0]?.options.window).toBe(3_000);
  });

  it('is to the microsecond, and of a time that is not 0 at least one', () => {
    const pauses = (clockRate: number, ...texts: readonly string[]) =>
      (
        stretched(clockRate, { journeys: steps(...texts.map((pause) => ({ pause }))) }).scenario.journeys.a?.steps ?? []
      ).map((step) => 'pause' in step && step.pause);
    // 0.1 × 3 is 0.30000000000000004.
    expect(pauses(3, '100us', '1234567us')).toEqual([0.3, 3_703.701]);
    expect(pauses(0.001, '1s', '2us', '0')).toEqual([1, 0.001, 0]);
    expect(pauses(7, '300d')).toEqual([2_100 * 86_400_000]);
  });

  it('is the same scenario if the sandbox’s clock runs in real time', () => {
    const loaded = loadedFrom({ journeys: steps({ pause: '1s' }), load: once });
    expect(inRealTime(loaded)).toBe(loaded);
  });

  it('cannot be longer than ten years: every time that would be is named', () => {
    const attempt = () => stretched(3_600, { journeys: steps({ pause: '1s' }, { pause: '2d' }), deadline: '3d' });
    const problems = () => {
      try {
        attempt();
        return [];
      } catch (error) {
        return (error as ConfigurationError).problems;
      }
    };
    const message = 'is longer than ten years if it is multiplied by 3600 (sandbox.clockRate)';
    expect(problems()).toEqual(
      ['journeys.a.steps[1].pause', 'deadline'].map((path) => ({
        file: 'test.yaml',
        path,
        message,
        hint: 'leave out --real-time',
      })),
    );
  });
});
