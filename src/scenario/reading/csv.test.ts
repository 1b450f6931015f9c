import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCsv } from './csv.ts';

const fieldsOf = (text: string) => {
  const parsed = parseCsv(text);
  return parsed.ok ? parsed.records.map((record) => record.fields) : parsed;
};

describe('parseCsv', () => {
  test.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['\uFEFFa\n1\n', [['a'], ['1']]],
    [
      'a,b\n"x, y","say ""hi"""\n',
      [
        ['a', 'b'],
        ['x, y', 'say "hi"'],
      ],
    ],
    ['a\n"two\nlines"\n', [['a'], ['two\nlines']]],
    [
      'a,b\n1,\n,2\n3,',
      [
        ['a', 'b'],
        ['1', ''],
        ['', '2'],
        ['3', ''],
      ],
    ],
    ['a\n\n\n1\n', [['a'], ['1']]],
    ['a\n""\n1\n""', [['a'], [''], ['1'], ['']]],
    [' a , b\n', [[' a ', ' b']]],
    ['', []],
  ])('%j', (text, expected) => {
    expect(fieldsOf(text)).toEqual(expected);
  });

  test('numbers records by their first line', () => {
    const parsed = parseCsv('a\n"x\ny"\n\nz\n');
    expect(parsed.ok && parsed.records.map((record) => record.line)).toEqual([1, 2, 5]);
  });

  test('numbers lines that end with CRLF', () => {
    const parsed = parseCsv('a\r\n1\r\n\r\nz\r\n');
    expect(parsed.ok && parsed.records.map((record) => record.line)).toEqual([1, 2, 4]);
  });

  test.each([
    ['a\n"open\n', 2, 'a quoted field is not closed'],
    ['a\n1\n"x"y\n', 3, 'text after the closing quote of a field'],
    ['a\nx"y\n', 2, 'a quote inside an unquoted field'],
  ])('%j is no CSV', (text, line, message) => {
    expect(fieldsOf(text)).toMatchObject({ ok: false, line, message });
  });

  test('reads back whatever a CSV writer writes', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', ';'), maxLength: 8 });
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      );
    fc.assert(
      fc.property(table, (rows) => {
        expect(fieldsOf(stringify(rows, { quoted: true, quoted_empty: true }))).toEqual(rows);
      }),
    );
  });

  test('reads 100,000 rows', () => {
    const text = `id,text\n${'7,"a ""quoted"" text, with commas"\n'.repeat(100_000)}`;
    expect(fieldsOf(text)).toEqual([
      ['id', 'text'],
      ...Array.from({ length: 100_000 }, () => ['7', 'a "quoted" text, with commas']),
    ]);
  });
});
