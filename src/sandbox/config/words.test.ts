import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemsIn } from '../config.ts';

const told = (settings: unknown) =>
  problemsIn(settings).map(
    ({ path, message, hint }) => `${path.map(String).join('.')}: ${message}${hint === undefined ? '' : `; ${hint}`}`,
  );

describe('what is wrong with settings', () => {
  it('is reported by the names that the user wrote, all at once', () => {
    expect(
      told({
        host: '',
        port: '8080',
        seed: 1.5,
        clock: 'manul',
        clockRate: 0,
        startTime: 'today',
        limits: { rate: [null, { max: 20.5 }], daily: { operations: [] }, concurrency: 'two' },
        latency: { queued: '5s', processing: { distribution: 'lognorm', median: '1s' } },
        failureShare: true,
        faults: 'readTurn:stall',
        applications: [{ label: 'a b', clientId: 7, clientSecret: 'short' }],
        control: 'yes',
        maxConnections: 1_000_001,
      }),
    ).toEqual([
      'host: must not be empty',
      'port: must be a number, not "8080"',
      'seed: must be a whole number',
      'clock: must be one of running, manual, not "manul"; did you mean manual?',
      'clockRate: must be at least 0.001',
      'startTime: must be a date-time, such as 2026-11-21T23:59:00Z',
      'limits.rate.0: must be an object, not null',
      'limits.rate.1.max: must be a whole number',
      'limits.concurrency: must be an object, not "two"',
      'limits.daily.operations: must have at least 1 item',
      'latency.queued: must be an object such as { distribution: constant, value: 1s }',
      'latency.processing.distribution: must be one of constant, uniform, lognormal, exponential, not "lognorm"; did you mean lognormal?',
      'failureShare: must be a number, not true',
      'faults: must be a list, not "readTurn:stall"',
      'maxConnections: must be at most 1000000',
      'control: must be true or false, not "yes"',
      'applications.0.label: must be 1 to 32 letters, digits, hyphens or underscores',
      // Credentials are shown in no message.
      'applications.0.clientId: must be text',
      'applications.0.clientSecret: must have at least 8 characters',
    ]);
    expect(told([])).toEqual([': must be an object, not a list']);
  });

  it('is reported and never thrown, for any value in any place', () => {
    const strange = fc.oneof(
      fc.anything(),
      fc.constantFrom(null, [], [null], {}, [[]], 1.5, -1, '', 'O24', ['O24', 'C8'], { max: null }, [{ max: 'x' }]),
    );
    const members = ['port', 'seed', 'clock', 'limits', 'latency', 'defects', 'faults', 'applications', 'retention'];
    const limits = fc.record({ order: strange, rate: strange, concurrency: strange, daily: strange });
    const settings = fc.record(
      { ...Object.fromEntries(members.map((member) => [member, strange])), limits: fc.oneof(limits, strange) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: settings }, strange), (given) => {
        for (const { message } of problemsIn(given)) expect(message).toMatch(/^.{8,}/s);
      }),
      { numRuns: 300 },
    );
  });
});
