import { describe, expect, it } from 'vitest';
import { measure } from '../../collect/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { exchange, header } from '../exporters/journals.exam.ts';
import { operationTable } from './tables.ts';

const expects = (unmet: readonly string[] = []) => ({ expect: { checked: 1, unmet, namedStatus: true } });

/** Title and value of each column of the single operation. */
function rowOf(records: readonly JournalRecord[]): Record<string, string | undefined> {
  const measured = measure();
  for (const record of records) measured.add(record);
  const { text } = operationTable(measured.summary());
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
      'Refused (429)': '0',
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
