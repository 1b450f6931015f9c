import { describe, expect, it } from 'vitest';
import { metricNames, metrics, tagsOf } from './table.ts';

describe('the table of metrics', () => {
  it('has the names of k6', () => {
    const known = [
      'http_reqs',
      'http_req_duration',
      'http_req_failed',
      'iterations',
      'iteration_duration',
      'dropped_iterations',
      'checks',
      'data_sent',
      'data_received',
    ];
    expect(metricNames).toEqual(expect.arrayContaining(known));
  });

  it('gives each metric a valid unit, valid names and a description', () => {
    for (const name of metricNames) {
      const { type, unit, description } = metrics[name];
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      for (const tag of tagsOf(name)) expect(tag).toMatch(/^[a-z]+$/);
      expect(new Set(tagsOf(name)).size).toBe(tagsOf(name).length);
      expect(description).toMatch(/^[A-Z0-9].*\.$/);
      expect(unit === 'share').toBe(type === 'rate');
      if (type === 'trend') expect(unit).toBe('us');
    }
  });
});
