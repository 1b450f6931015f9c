import { describe, expect, it } from 'vitest';
import { isRepresentable } from '../api/index.ts';
import { ConfigurationError } from '../base/index.ts';
import { settle } from './config.ts';

it('the clock represents the last instant of 2199, and none after it', () => {
  expect([isRepresentable('2199-12-31T23:59:59.999Z'), isRepresentable('2200-01-01T00:00:00Z')]).toEqual([true, false]);
});

describe('settings', () => {
  it('default to the choices of the design', () => {
    expect(settle({})).toEqual({
      host: '127.0.0.1',
      port: 0,
      seed: 1,
      clock: 'running',
      clockRate: 1,
      retention: { time: 604_800_000, turns: 200_000, conversations: 200_000, tokens: 500_000 },
      limits: expect.objectContaining({ order: ['rate', 'daily', 'concurrency'] }),
      latency: {
        queued: { distribution: 'lognormal', median: 200, p95: 500 },
        processing: { distribution: 'lognormal', median: 2_000, p95: 5_000 },
      },
      failureShare: 0,
      faults: [],
      defects: [],
      defectLag: 20,
      requestTimeout: 30_000,
      maxConnections: 15_000,
      tokenLifetime: 900_000,
      maxBodyBytes: 65_536,
      control: false,
      applications: [{ label: 'a1' }],
    });
  });

  it('are the same after a second reading, so that settled ones can travel between processes', () => {
    const settled = settle({
      tokenLifetime: '10s',
      limits: { rate: { window: '250ms' } },
      latency: { queued: { distribution: 'constant', value: 0 } },
    });
    expect(settle(JSON.parse(JSON.stringify(settled)))).toEqual(settled);
  });

  it('name everything that is wrong at once', () => {
    const wrong = {
      port: 70_000,
      clockRate: 0,
      tokenLifetime: '0',
      retention: { time: '0.9ms', turns: 0 },
      limits: { rate: { max: 0 }, speed: 1 },
      latency: { queued: { distribution: 'uniform', min: '2s', max: '1s' } },
      control: true,
      host: '0.0.0.0',
    };
    try {
      settle(wrong);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError);
      const paths = (error as ConfigurationError).problems.map((problem) => problem.path).sort();
      expect(paths).toEqual([
        'clockRate',
        'control',
        'latency.queued.max',
        'limits.rate.max',
        'limits.speed',
        'port',
        'retention.time',
        'retention.turns',
        'tokenLifetime',
      ]);
    }
  });

  it('allow the control plane on loopback addresses only', () => {
    for (const host of ['127.0.0.1', '127.8.9.1', '::1', 'localhost'])
      expect(settle({ control: true, host }).control).toBe(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'example.org'])
      expect(() => settle({ control: true, host })).toThrow('needs a loopback host');
    expect(settle({ host: '0.0.0.0' }).host).toBe('0.0.0.0');
  });

  it('take each label and client id once', () => {
    expect(() => settle({ applications: [{ label: 'a' }, { label: 'a' }] })).toThrow('each label may occur only once');
  });
});
