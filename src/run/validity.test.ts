import { describe, expect, it } from 'vitest';
import type { Summary } from '../collect/index.ts';
import { outcomes, slow, summary } from './ended-run.exam.ts';
import { invalidBecause } from './validity.ts';

it('says how the generator was overloaded, and what to do', () => {
  expect(invalidBecause(summary(true, 0, { ...slow, enforced: true }))).toBe(
    'the generator was the bottleneck: half of the requests left 52 ms or more after they were due (allowed: 20 ms); ' +
      'ask for less, run it with --workers, on a quieter machine, or allow more under generator: in the scenario',
  );
});

it('says that only token requests were answered, and what to do if the machine ran out of files', () => {
  const told = (parts: object) => invalidBecause({ ...summary(true, 0), ...parts } as unknown as Summary);
  const operations = { issueToken: outcomes({ success: 2 }), readHistory: outcomes({ censored: 3 }) };
  expect(told({ operations })).toBe('only token requests were answered');
  expect(told({ operations, health: { ...slow, enforced: true } })).toMatch(
    /^only token requests were answered, and the generator was the bottleneck: half of the requests/,
  );
  const files = { what: 'local-failure', failure: 'EMFILE', count: 4 } as const;
  const health = { intervals: 1, enforced: true, bottlenecks: [files] };
  expect(told({ health })).toBe(
    'the generator was the bottleneck: 4 requests failed on its own machine (EMFILE); ' +
      'let it open more files (ulimit -n), or ask for fewer connections and streams at once',
  );
  expect(told({ health: { ...health, ...slow, bottlenecks: [files, ...(slow.bottlenecks ?? [])] } })).toContain(
    'ask for less',
  );
});

describe('a run whose journeys all stopped at a text that could not be rendered', () => {
  const of = (completed: number, ...because: readonly string[]) => {
    const stoppedAt = because.map((one) => ({ operation: 'sendMessage', because: one, count: 3 }));
    const journeys = { ask: { byOutcome: { completed, stopped: because.length * 3, interrupted: 0 }, stoppedAt } };
    return invalidBecause({ ...summary(true, 0), journeys } as unknown as Summary);
  };
  const unfilled = '${cid}: nothing was captured under this name';

  it('is invalid, and says which', () => {
    expect(of(0, unfilled)).toBe(`no journey reached its end, since sendMessage could not be written: ${unfilled}`);
  });

  it('is not invalid if one journey continued, or was stopped by the service', () => {
    expect([of(1, unfilled), of(0, unfilled, 'status 500'), of(0)]).toEqual([undefined, undefined, undefined]);
  });
});
