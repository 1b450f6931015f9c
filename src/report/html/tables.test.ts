import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { exchange, header } from '../exporters/journals.exam.ts';
import { generatorTable, operationTable, quotaTable } from './tables.ts';

const expects = (unmet: readonly string[] = []) => ({ expect: { checked: 1, unmet, namedStatus: true } });

/** Title and value of each column of the single operation. */
function rowOf(records: readonly JournalRecord[]): Record<string, string | undefined> {
  const { text } = operationTable(summaryOf(records));
  const titles = [...text.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, title]) => title ?? '');
  const cells = [...text.matchAll(/<t[hd](?: scope="row")? class="(?:right)?"[^>]*>(.*?)<\/t[hd]>/g)].map(
    ([, cell]) => cell,
  );
  return Object.fromEntries(titles.map((title, i) => [title, cells.at(i - titles.length)]));
}

describe('exchanges by operation and outcome', () => {
  it('distinguishes expected errors from others', () => {
    const row = rowOf([
      header(),
      exchange(0, { status: 200 }),
      exchange(1, { status: 422, ...expects() }),
      exchange(2, { status: 422, ...expects() }),
      exchange(3, { status: 422, ...expects(['error.code: …']) }),
      exchange(4, { status: 500 }),
    ]);
    expect(row).toEqual({
      Operation: 'readTurn',
      Exchanges: '5',
      Succeeded: '1',
      'Expected errors': '2',
      Refused: '0',
      'Other answers': '2',
      'No answer': '0',
      'Given up': '0',
    });
  });

  it('has no column for expected errors if there are none', () => {
    const row = rowOf([header(), exchange(0, { status: 422 })]);
    expect(Object.keys(row)).not.toContain('Expected errors');
    expect(row['Other answers']).toBe('1');
  });
});

it('the quota’s refusals are those after the warm-up, and called so, because its messages include it', () => {
  const refused = {
    outcome: 'refused',
    status: 429,
    error: { code: 'daily_quota_exceeded', retryable: true, requestId: 'r' },
  } as const;
  const records = [exchange(0, refused), exchange(1, refused), exchange(2, refused)];
  const captionOf = (warmUpUs: number) =>
    /<caption>(.*?)<\/caption>/.exec(quotaTable(summaryOf([header({ warmUpUs: us(warmUpUs) }), ...records])).text)?.[1];
  expect(captionOf(0)).toMatch(/; 3 refused by the quota$/);
  expect(captionOf(15_000)).toMatch(/; 1 refused by the quota after the warm-up$/);
});

it('the CPU is told of each of several workers', () => {
  const health = (worker: number) =>
    ({ kind: 'health', at: us(1_000_000), cpuUs: us(worker * 100_000), gcUs: us(0), backlog: 0, worker }) as const;
  const { text } = generatorTable(summaryOf([header(), health(1), health(2)]));
  expect(text).toContain('CPU of one core, mean for each of 2 workers</th><td class="right">15 %');
});
