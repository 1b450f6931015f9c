import { describe, expect, it } from 'vitest';
import { us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { emptyRun, exchange, header } from '../exporters/journals.exam.ts';
import { renderSummary } from '../terminal/summary-table.ts';
import { runDetails } from './run-details.ts';

const unauthorized = { status: 401, error: { code: 'unauthorized', retryable: false, requestId: 'r' } } as const;
const troubled = summaryOf([
  header(),
  exchange(0, { status: 200, capWaitUs: { connection: us(9_000_000) } }),
  exchange(1, { capWaitUs: { connection: us(1_000_000) }, ...unauthorized }),
  exchange(2, { outcome: 'failed', failure: '<b>reset</b>' }),
  { kind: 'drop', intendedAt: us(7), arrival: 2, journey: 'ask', reason: 'max-in-flight' },
  { kind: 'drop', intendedAt: us(8), arrival: 3, journey: 'ask', reason: 'late' },
  {
    kind: 'journey',
    arrival: 0,
    journey: 'ask',
    startedAt: us(0),
    endedAt: us(50_000),
    outcome: 'stopped',
    stoppedAt: { operation: 'readTurn', because: 'answered 401' },
  },
]);

describe('the details of a run', () => {
  it('lists waits, drops, ends of journeys and all errors, with the texts of the terminal', () => {
    const text = runDetails(troubled)?.text ?? '';
    const rows = [...text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, label, told]) => [label, told]);
    expect(rows).toEqual([
      ['Waited for', 'a connection 2 × 5.00 s (max 9.00 s)'],
      ['Drops', '2 arrivals never started: late 1, max-in-flight 1'],
      ['Journeys', '0 of 1 reached their end, 1 stopped (1 at readTurn: answered 401)'],
      ['Errors', 'readTurn &lt;b&gt;reset&lt;/b&gt; × 1, readTurn 401 × 1'],
    ]);
    const terminal = renderSummary(troubled, { columns: 300 });
    for (const told of [
      'a connection 2 × 5.00 s (max 9.00 s)',
      'late 1, max-in-flight 1',
      '1 at readTurn: answered 401',
    ])
      expect(terminal).toContain(told);
  });

  it('are absent for a run without waits and errors', () => {
    expect(runDetails(summaryOf([header(), exchange(0, { status: 200 })]))).toBeUndefined();
    expect(runDetails(summaryOf(emptyRun))).toBeUndefined();
  });

  it('list more kinds of errors than the terminal', () => {
    const many = Array.from({ length: 30 }, (_, i) => exchange(i, { ...unauthorized, status: 500 + i }));
    expect(runDetails(summaryOf([header(), ...many]))?.text).toMatch(/readTurn 519 × 1, 10 more</);
  });
});
