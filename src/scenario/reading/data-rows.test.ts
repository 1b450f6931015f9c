import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../base/index.ts';
import { readDataRows } from './data-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-data-'));
function read(name: string, content: string | Buffer) {
  writeFileSync(join(folder, name), content);
  const result = readDataRows(join(folder, name));
  return result.ok ? result.table : result.problems.map((problem) => formatProblem(problem).replace(`${folder}/`, ''));
}

describe('readDataRows', () => {
  test('reads a CSV file', () => {
    expect(read('a.csv', 'name, population\nBern,134000\n"Biel, Bienne",\n')).toEqual({
      columns: ['name', 'population'],
      rows: [
        { name: 'Bern', population: '134000' },
        { name: 'Biel, Bienne', population: '' },
      ],
    });
  });

  test('reads a JSON file', () => {
    expect(read('a.json', '[{"a":1,"b":null},{"b":"x","a":true}]')).toEqual({
      columns: ['a', 'b'],
      rows: [
        { a: 1, b: null },
        { b: 'x', a: true },
      ],
    });
  });

  test.each([
    [
      'ragged.csv',
      'a,b\n1,2\n1\n1,2,3\n',
      [
        'ragged.csv:3:1: has 1 field where the header has 2; put fields that hold a comma in quotes',
        'ragged.csv:4:1: has 3 fields where the header has 2; put fields that hold a comma in quotes',
      ],
    ],
    [
      'empty.csv',
      '',
      ['empty.csv:1:1: is empty; write a header line with the names of the columns, and rows below it'],
    ],
    ['header.csv', 'a,b\n', ['header.csv:1:1: has a header but no rows; write at least one row']],
    [
      'names.csv',
      'a,,a\n1,2,3\n',
      [
        'names.csv:1:1: column 2 has no usable name; name it in the header line, without braces',
        'names.csv:1:1: two columns are called "a"; rename one',
      ],
    ],
    ['latin1.csv', Buffer.from([0x61, 0x0a, 0xe9, 0x0a]), ['latin1.csv:2:1: is not UTF-8; save it as UTF-8']],
    ['object.json', '{"a":1}', ['object.json: must be an array of objects; write for example [{ "city": "Geneva" }]']],
    ['empty.json', '[]', ['empty.json: has no rows; write for example [{ "city": "Geneva" }]']],
    [
      'digits.json',
      '[{"a":9007199254740991,"b":0.25},{"a":12345678901234567890,"b":1e3}]',
      ['digits.json [1]: "a" is a number with more digits than are kept; put it in quotes'],
    ],
    [
      'rows.json',
      '[{"a":1},{"b":1},7,{"a":[]}]',
      [
        'rows.json [1]: "a" must be in every row or in none; write for example [{ "city": "Geneva" }]',
        'rows.json [1]: "b" must be in every row or in none; write for example [{ "city": "Geneva" }]',
        'rows.json [2]: must be an object of texts, numbers, booleans or null; write for example [{ "city": "Geneva" }]',
        'rows.json [3]: must be an object of texts, numbers, booleans or null; write for example [{ "city": "Geneva" }]',
      ],
    ],
    ['rows.txt', 'a\n', ['rows.txt: .txt is not a file type for data; give a .csv or a .json file']],
  ])('%s', (name, content, problems) => {
    expect(read(name, content)).toEqual(problems);
  });

  test.each([
    [
      'many.csv',
      `a,b\n${'1\n'.repeat(200_000)}`,
      'many.csv:21:1: has 1 field where the header has 2; put fields that hold a comma in quotes',
    ],
    [
      'many.json',
      `[${'7,'.repeat(199_999)}7]`,
      'many.json [19]: must be an object of texts, numbers, booleans or null; write for example [{ "city": "Geneva" }]',
    ],
  ])('tells the first of many problems, and how many more there are: %s', (name, content, twentieth) => {
    const problems = read(name, content) as readonly string[];
    expect(problems.slice(19)).toEqual([twentieth, `${name}: has 199,980 more problems, probably of the same kind`]);
  });

  test('gives the line of a JSON syntax error', () => {
    expect(read('syntax.json', '[\n  {"a": 1},\n  {"a": }\n')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^syntax\.json:\d+:\d+: not valid JSON: /)]),
    );
    expect(read('yaml.json', "[{'a': 1}]")).toEqual([expect.stringMatching(/^yaml\.json: not valid JSON: /)]);
  });

  test('reports a missing file', () => {
    const file = join(folder, 'gone.csv');
    const result = readDataRows(file);
    expect(result).toEqual({
      ok: false,
      problems: [
        {
          file,
          path: '',
          message: 'cannot be read: no such file',
          hint: 'the path is relative to the scenario',
        },
      ],
    });
  });
});
