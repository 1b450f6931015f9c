import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import { loadModelNames } from './index.ts';
import { examined, loadModelExam } from './load-model.exam.ts';
import {
  burst,
  constantRate,
  gamma,
  limits,
  MINUTE,
  ms,
  none,
  type Of,
  paced,
  perSecond,
  poisson,
  rampingRate,
  rampingUsers,
  replay,
  spike,
  start,
  steps,
  whole,
} from './models.exam.ts';

/** From 1 a minute to 50 a second; most are not whole numbers per second. */
const rates = whole(1, 3_000).map((perMinute) => perSecond(perMinute / 60));
const ratesOrNone = fc.oneof({ weight: 4, arbitrary: rates }, { weight: 1, arbitrary: fc.constant(perSecond(0)) });
const durations = whole(1, 20_000).map(ms);

describe('constant-rate', () => {
  loadModelExam({
    models: fc.tuple(rates, durations).map(([rate, duration]) => constantRate(rate, duration)),
    integral: (model) => ((model as Of<'constant-rate'>).rate * (model as Of<'constant-rate'>).duration) / 1_000,
    huge: constantRate(10_000, 1_000_000),
  });
});

describe('ramping-rate', () => {
  const integral = (model: LoadModel) => {
    const { from, stages } = model as Of<'ramping-rate'>;
    return stages.reduce(
      (sum, { to, duration }, s) => sum + (((stages[s - 1]?.to ?? from) + to) / 2 / 1_000) * duration,
      0,
    );
  };
  loadModelExam({
    models: fc
      .tuple(ratesOrNone, fc.array(fc.tuple(ratesOrNone, whole(0, 8_000)), { minLength: 1, maxLength: 4 }))
      .map(([from, stages]) => rampingRate(from, ...stages))
      .filter((model) => integral(model) > 0.001),
    integral,
    huge: rampingRate(0, [20_000, 1_000_000]),
  });
});

describe('steps', () => {
  loadModelExam({
    models: fc.tuple(rates, rates, whole(1, 6), whole(1, 3_000)).map((parts) => steps(...parts)),
    integral(model) {
      const { from, by, steps: count, each } = model as Of<'steps'>;
      return Array.from({ length: count }, (_, s) => ((from + by * s) * each) / 1_000).reduce((a, b) => a + b, 0);
    },
    huge: steps(1_000, 1_000, 10, 200_000),
  });
});

describe('spike', () => {
  loadModelExam({
    models: fc
      .record({
        base: ratesOrNone,
        peak: rates,
        before: whole(0, 5_000),
        ramp: whole(0, 2_000),
        hold: whole(1, 3_000),
        after: whole(0, 5_000),
      })
      .map(spike),
    integral(model) {
      const { base, peak, before, ramp, hold, after } = model as Of<'spike'>;
      return (base * (before + after) + (base + peak) * ramp + peak * hold) / 1_000;
    },
    huge: spike({ base: 1_000, peak: 100_000, before: 10_000, hold: 200_000 }),
  });
});

describe('poisson', () => {
  const expected = (model: LoadModel) => ((model as Of<'poisson'>).rate * (model as Of<'poisson'>).duration) / 1_000;
  loadModelExam({
    models: fc.tuple(rates, durations).map(([rate, duration]) => poisson(rate, duration)),
    integral: expected,
    deviation: (model) => Math.sqrt(expected(model)),
    huge: poisson(10_000, 1_000_000),
  });
});

describe('gamma', () => {
  const expected = (model: LoadModel) => ((model as Of<'gamma'>).rate * (model as Of<'gamma'>).duration) / 1_000;
  loadModelExam({
    models: fc
      .tuple(rates, durations, fc.constantFrom(0.25, 0.5, 1, 2, 10))
      .map(([rate, duration, burstiness]) => gamma(rate, duration, burstiness)),
    integral: expected,
    // A stationary renewal process: the variance of the count tends to mean ÷ shape, with a constant below 1 for few arrivals.
    deviation: (model) => Math.sqrt(expected(model) / (model as Of<'gamma'>).burstiness + 1),
    huge: gamma(10_000, 1_000_000, 0.5),
  });
});

describe('burst', () => {
  loadModelExam({
    models: fc.tuple(whole(1, 500), whole(0, 5_000)).map(([count, gap]) => burst(count, gap)),
    integral: (model) => (model as Of<'burst'>).count,
  });
});

describe('replay', () => {
  loadModelExam({
    models: fc
      .tuple(fc.array(whole(0, 5_000_000), { minLength: 1, maxLength: 200 }), fc.constantFrom(0.5, 1, 3))
      .map(([times, speed]) =>
        replay(
          [...times].sort((a, b) => a - b),
          speed,
        ),
      ),
    integral: (model) => (model as Of<'replay'>).recording?.offsetsUs.length ?? 0,
  });
});

describe('paced-to-limits', () => {
  loadModelExam({
    models: fc
      .tuple(
        whole(1, 30),
        whole(0, 3),
        whole(0, 2),
        whole(0, 30_000_000),
        whole(1, 3 * 86_400_000),
        fc.constantFrom(0.1, 0.5, 1),
      )
      .map(([requests, newMessages, openTurns, openUs, duration, share]) =>
        paced({ requests, newMessages, openTurns, openUs: openUs as Micros }, duration, share),
      ),
    huge: {
      ...paced({ requests: 1 }, 86_400_000),
      allowance: { limits: { ...limits, rate: { max: 12_000_000, windowUs: MINUTE } }, cost: { ...none, requests: 1 } },
    },
  });
});

describe('closed-users', () => {
  loadModelExam({
    models: whole(1, 200).map(
      (users): LoadModel => ({ model: 'closed-users', users, duration: ms(1_000), think: ms(0), start }),
    ),
  });
});

describe('ramping-users', () => {
  loadModelExam({
    models: fc
      .tuple(whole(0, 20), fc.array(fc.tuple(whole(0, 20), whole(1, 9_000)), { minLength: 1, maxLength: 5 }))
      .map(([from, stages]) => rampingUsers(from, ...stages))
      .filter(({ from, stages }) => from + stages.reduce((sum, { to }) => sum + to, 0) > 0),
  });
});

describe('shared-iterations', () => {
  loadModelExam({
    models: fc
      .tuple(whole(1, 50), whole(1, 1_000))
      .map(
        ([users, iterations]): LoadModel => ({ model: 'shared-iterations', users, iterations, think: ms(0), start }),
      ),
  });
});

describe('per-user-iterations', () => {
  loadModelExam({
    models: fc
      .tuple(whole(1, 50), whole(1, 1_000))
      .map(
        ([users, iterations]): LoadModel => ({ model: 'per-user-iterations', users, iterations, think: ms(0), start }),
      ),
  });
});

describe('every load model', () => {
  it('is tested by the conformance suite', () => {
    expect([...examined].sort()).toEqual([...loadModelNames].sort());
  });

  it('has its row in the README of scenarios', () => {
    const readme = readFileSync(new URL('../../../scenarios/README.md', import.meta.url), 'utf8');
    const [, rows = ''] = /\| load model \| when arrivals come \|\n\|---\|---\|\n((?:\|.+\n)+)/.exec(readme) ?? [];
    const named = [...rows.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...loadModelNames].sort());
  });
});
