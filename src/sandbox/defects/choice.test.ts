import { describe, expect, it } from 'vitest';
import { defectIds } from '../../api/index.ts';
import type { ConfigurationError } from '../../base/index.ts';
import { type SandboxSettings, settle } from '../config.ts';

const problemsOf = (settings: unknown): readonly string[] => {
  try {
    settle(settings);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems.map(({ path, message }) => `${path}: ${message}`);
  }
};

describe('a choice of defects', () => {
  it('that do not exist is told with the nearest one, all there are, and everything else that is wrong', () => {
    expect(problemsOf({ port: -1, defects: ['O24', 'o24', 'X', 'O20'] })).toEqual([
      'port: must be at least 0',
      `defects.1: there is no defect "o24", did you mean O24?`,
      expect.stringMatching(/^defects\.2: there is no defect "X"/),
      'defects.3: O20 cannot be chosen: A moving window does not block requests of varying cost. Every request of this API costs one unit.',
    ]);
    expect(problemsOf({ defects: ['O16', 'Y'], limits: { rate: { max: 0, algorithm: 'gcra', phase: '1s' } } })).toEqual(
      [
        expect.stringMatching(/^limits\.rate\.max: /),
        expect.stringMatching(/^limits\.rate\.phase: does not apply to gcra/),
        expect.stringMatching(/^defects\.1: there is no defect "Y"; there are O1, O2,/),
        'defects.0: O16 is a defect of sliding-counter, but limits.rate is gcra',
      ],
    );
    expect(problemsOf({ defects: 'O24' })).toEqual(['defects: must be a list, not "O24"']);
  });

  it('that cannot show under the settings is told with what they need', () => {
    expect(
      problemsOf({
        defects: ['O16', 'W2', 'S5', 'O24', 'O24', 'C8', 'D6'],
        limits: { rate: { algorithm: 'gcra' }, concurrency: [], daily: { day: 'rolling' } },
      }),
    ).toEqual([
      'defects.0: O16 is a defect of sliding-counter, but limits.rate is gcra',
      'defects.1: W2 is a defect of sliding-counter, but limits.rate is gcra',
      'defects.2: S5 needs two rate limits',
      'defects.4: O24 is given twice',
      'defects.5: C8 breaks the limit of slots, but there is none',
      'defects.6: D6 is a defect of a day by utc, but limits.daily is rolling',
    ]);
    expect(problemsOf({ defects: ['W2'], limits: { rate: 20 } })).toEqual([
      'defects.0: W2 needs a rate limit whose max is 1',
    ]);
    expect(problemsOf({ defects: ['C4', 'C7'], limits: { concurrency: { slot: 'processing-only' } } })).toEqual([
      'defects.1: C7 is a defect of slots held accepted-to-finished, but limits.concurrency is processing-only',
    ]);
    expect(problemsOf({ defects: ['O3', 'O16'] })).toEqual([
      'defects.1: O16 is a defect of sliding-counter, but limits.rate is gcra',
    ]);
  });

  it.each<[string, SandboxSettings, object]>([
    ['O16', {}, { max: 20, algorithm: 'sliding-counter' }],
    ['O16', { limits: { rate: 7 } }, { max: 7, algorithm: 'sliding-counter' }],
    ['O12', { limits: { rate: { burst: 3, algorithm: 'gcra' } } }, { max: 20, algorithm: 'gcra', burst: 3 }],
    ['O24', {}, { max: 20, algorithm: 'fixed-window' }],
  ])('%s sets its algorithm where %j has none', (id, settings, rate) => {
    expect(settle({ ...settings, defects: [id] }).limits.rate).toMatchObject([rate]);
  });

  it('sets the day, the rate limits, the failures and the turns that its defects need', () => {
    const { limits, failureShare, latency } = settle({
      defects: ['D3', 'S5', 'C1', 'I2'],
      latency: { queued: { distribution: 'constant', value: '1s' } },
    });
    expect(limits.daily[0]?.day).toBe('token-timezone');
    expect(limits.rate.map(({ name, scope }) => [name, scope])).toEqual([
      ['user', 'user'],
      ['application', 'application'],
    ]);
    expect(failureShare).toBe(0.5);
    expect(latency).toEqual({
      queued: { distribution: 'constant', value: 1_000 },
      processing: { distribution: 'constant', value: 60_000 },
    });
    expect(settle({ defects: ['C1'], failureShare: 0 }).failureShare).toBe(0);
  });

  it('resolves to itself, for each single defect', () => {
    for (const id of defectIds) {
      const settled = settle({ defects: [id], ...(id === 'W2' && { limits: { rate: 1 } }) });
      expect(settle(settled)).toEqual(settled);
    }
  });

  it('leaves everything as it is when it is empty', () => {
    expect(settle({ defects: [] })).toEqual(settle({}));
  });
});
