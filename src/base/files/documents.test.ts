import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../errors.ts';
import { loadDocument, parseDocument, positionOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = `name: tour
journeys:
  everyday:
    steps:
      - pause: 1s
      - sendMessage:
          message: Hello
load: { model: burst, count: 3 }
`;
const document = parseDocument(text, 'tour.yaml');

/** The problems of a text, as printed. */
function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.split('\n');
  }
}

it('rejects a file that is not UTF-8 with the line of the first invalid byte, and names UTF-16', () => {
  const file = join(folder, 'text.yaml');
  const refused = (bytes: Buffer) => {
    writeFileSync(file, bytes);
    return problemsOf(() => loadDocument(file));
  };
  expect(refused(Buffer.from('name: a\ncity: Orl\xe9ans\nmore: b\n', 'latin1'))).toEqual([
    `${file}:2:1: is not UTF-8; save it as UTF-8`,
  ]);
  expect(refused(Buffer.from('name: a\ncity: \xe9', 'latin1'))).toEqual([
    `${file}:2:1: is not UTF-8; save it as UTF-8`,
  ]);
  // By its mark, or by the zero bytes of Latin letters.
  for (const text of ['\ufeff名前', 'name: Orléans', 'name: a'])
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()])
      expect(refused(bytes)).toEqual([`${file}: is UTF-16, not UTF-8; save it as UTF-8`]);
  writeFileSync(file, '\ufeffname: Orléans\n');
  expect(loadDocument(file).value).toEqual({ name: 'Orléans' });
});

describe('the place of a value', () => {
  it.each([
    [[], 'value', 1, 1],
    [['name'], 'value', 1, 7],
    [['name'], 'key', 1, 1],
    [['journeys', 'everyday'], 'key', 3, 3],
    [['journeys', 'everyday', 'steps', 0, 'pause'], 'value', 5, 16],
    [['journeys', 'everyday', 'steps', 1, 'sendMessage', 'message'], 'value', 7, 20],
    [['journeys', 'everyday', 'steps', 1, 'sendMessage', 'message'], 'key', 7, 11],
    [['load', 'count'], 'value', 8, 30],
    [['load', 'count'], 'key', 8, 23],
    // A missing value has the position of its nearest existing parent.
    [['load', 'rate'], 'value', 8, 7],
    [['load', 'rate'], 'key', 8, 7],
    [['journeys', 'other', 'steps', 0], 'value', 3, 3],
    [['no', 'such', 'thing'], 'value', 1, 1],
  ] as const)('%j (%s) is line %d, column %d', (path, which, line, column) => {
    expect(positionOf(document, path, which)).toEqual({ line, column });
  });

  it('is unknown if the source has no positions', () => {
    expect(positionOf({ file: 'a.ts', value: {} }, ['a'])).toBeUndefined();
  });

  it.each([
    [['1', 'a'], 'value', 1, 11],
    [['', 'a'], 'value', 2, 9],
    [['true', 'a'], 'key', 3, 9],
  ] as const)('%j is found below a key that is no text', (path, which, line, column) => {
    const keys = parseDocument('1: {   a: x }\n~: { a: x }\ntrue: { a: x }\n', 'a.yaml');
    expect(keys.value).toEqual({ 1: { a: 'x' }, '': { a: 'x' }, true: { a: 'x' } });
    expect(positionOf(keys, path, which)).toEqual({ line, column });
  });

  it('is correct after multi-byte characters and in JSON', () => {
    const json = parseDocument('{\n  "ä€𝒳": { "b": [1, 2] }\n}', 'a.json');
    expect(positionOf(json, ['ä€𝒳', 'b', 1])).toEqual({ line: 2, column: 22 });
  });
});

describe('a file', () => {
  it('is YAML or JSON, with merge keys and aliases', () => {
    const file = join(folder, 'merged.yaml');
    writeFileSync(file, 'base: &base { a: 1, b: 2 }\nother: { <<: *base, b: 3 }\n');
    expect(loadDocument(file).value).toEqual({ base: { a: 1, b: 2 }, other: { a: 1, b: 3 } });
    expect(parseDocument('{"a": [1, 2.5, true, null, "x"]}', 'a.json').value).toEqual({ a: [1, 2.5, true, null, 'x'] });
    expect(parseDocument('', 'empty.yaml').value).toBeNull();
  });

  it.each([
    [
      'a: 1\na: 2\n',
      ['a.yaml:2:1: not valid YAML: the key "a" is already defined at 1:1; remove one of them, or rename it'],
    ],
    [
      'a: 1\nb: { c: 1, c: 2 }\n',
      ['a.yaml:2:12: not valid YAML: the key "c" is already defined at 2:6; remove one of them, or rename it'],
    ],
    [
      '1: a\n"1": b\n',
      ['a.yaml:2:1: not valid YAML: the key "1" is already defined at 1:1; remove one of them, or rename it'],
    ],
    ['a: {{b}}\n', ['a.yaml:1:5: a list or a map cannot be a key; put it in quotes if it is text']],
    ['a:\n\tb: 1\n', ['a.yaml:2:1: not valid YAML: Tabs are not allowed as indentation']],
    ['a: 1\n---\nb: 2\n', ['a.yaml:2:1: not valid YAML: a second YAML document begins here']],
    [
      'a: 1\nb: *missing\n',
      ['a.yaml:2:4: not valid YAML: Unresolved alias (the anchor must be set before the alias): missing'],
    ],
    [
      'a: 1\na: *gone\nb: { c: *also, d: &d { e: *d } }\n',
      [
        'a.yaml:2:1: not valid YAML: the key "a" is already defined at 1:1; remove one of them, or rename it',
        'a.yaml:2:4: not valid YAML: Unresolved alias (the anchor must be set before the alias): gone',
        'a.yaml:3:9: not valid YAML: Unresolved alias (the anchor must be set before the alias): also',
        'a.yaml:3:27: not valid YAML: an alias refers to a value that contains it',
      ],
    ],
    ['a: &a [1, *a]\n', ['a.yaml:1:11: not valid YAML: an alias refers to a value that contains it']],
    [
      'journeys:\n  __proto__: { "__proto__": __proto__ }\na: *gone\n',
      [
        'a.yaml:2:3: "__proto__" cannot be a name; choose another',
        'a.yaml:2:16: "__proto__" cannot be a name; choose another',
        'a.yaml:3:4: not valid YAML: Unresolved alias (the anchor must be set before the alias): gone',
      ],
    ],
    ['a: &a { b: { c: *a } }\n', ['a.yaml:1:17: not valid YAML: an alias refers to a value that contains it']],
  ])('%j is refused with its line', (bad, problems) => {
    expect(problemsOf(() => parseDocument(bad, 'a.yaml'))).toEqual(problems);
  });

  it('calls a JSON file JSON, whatever is wrong with it', () => {
    expect(problemsOf(() => parseDocument('{ "a": 1, "a": *gone, "a": 2 }', 'a.json'))).toEqual([
      'a.json:1:11: not valid JSON: the key "a" is already defined at 1:3; remove one of them, or rename it',
      'a.json:1:16: not valid JSON: Unresolved alias (the anchor must be set before the alias): gone',
      'a.json:1:23: not valid JSON: the key "a" is already defined at 1:3; remove one of them, or rename it',
    ]);
  });

  it('allows several merge keys in a map', () => {
    const { value } = parseDocument('a: &a { x: 1 }\nb: &b { y: 2 }\nc:\n  <<: *a\n  <<: *b\n', 'a.yaml');
    expect(value).toMatchObject({ c: { x: 1, y: 2 } });
  });

  it('reports nothing that comes after what the parser cannot recover from', () => {
    const problems = problemsOf(() => parseDocument('a: "x" y\nb: *gone\n', 'a.yaml'));
    expect(problems).toEqual(['a.yaml:1:8: not valid YAML: Unexpected scalar at node end']);
  });

  it('reports several errors together', () => {
    const problems = problemsOf(() => parseDocument('a: 1\na: 2\nb: 1\nb: "2\n', 'a.yaml'));
    expect(problems.map((problem) => problem.split(': ')[0])).toEqual(['a.yaml:2:1', 'a.yaml:4:1', 'a.yaml:5:1']);
  });

  it('reports only the first of the errors that one mistake causes, and the number of those after it', () => {
    const scenario = 'a: 1\na: 2\nsteps: [{ message: hi, id: c-{{user}} }]\nusers: 8\n';
    expect(problemsOf(() => parseDocument(scenario, 'a.yaml'))).toEqual([
      'a.yaml:2:1: not valid YAML: the key "a" is already defined at 1:1; remove one of them, or rename it',
      'a.yaml:3:30: not valid YAML: Unexpected flow-map-start at node end; fix this first: it may have caused the 8 after it',
    ]);
  });

  it.each([
    ['a.yaml', `a:\n  ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`],
    ['a.yaml', Array.from({ length: 3_000 }, (_, level) => `${' '.repeat(level)}a:\n`).join('')],
    ['a.json', `{"a": ${'{"b": '.repeat(5_000)}1${'}'.repeat(5_000)}}`],
  ])('%s that is nested too deeply is refused with the place at which that shows', (file, deep) => {
    const problems = problemsOf(() => parseDocument(deep, file));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^a\.\w+:\d+:\d+: is nested too deeply to be read; nest lists and maps at most 500 levels deep$/,
    );
  });

  it('may be nested 500 levels deep and no deeper, also by aliases, however deep the stack would allow', () => {
    const nested = (levels: number, inside = '') => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;
    const tooDeep = 'is nested too deeply to be read; nest lists and maps at most 500 levels deep';
    expect(parseDocument(nested(500), 'a.yaml').value).toHaveLength(1);
    expect(parseDocument(`{"a": ${nested(499)}}`, 'a.json').value).toHaveProperty('a');
    expect(problemsOf(() => parseDocument(nested(501), 'a.yaml'))).toEqual([`a.yaml:1:501: ${tooDeep}`]);
    const aliased = `a: &a ${nested(300)}\nb: ${nested(199, '*a')}\nc: ${nested(200, '*a')}\n`;
    expect(problemsOf(() => parseDocument(aliased, 'a.yaml'))).toEqual([`a.yaml:3:204: ${tooDeep}`]);
  });

  it('names its format', () => {
    expect(problemsOf(() => parseDocument('{"a": 1, "a": 2}', 'a.json'))[0]).toContain('a.json:1:10: not valid JSON: ');
  });

  it('is rejected quickly if its aliases expand beyond the bound', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const items = Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*a${level - 1}`)).join(', ');
      return `a${level}: &a${level} [${items}]`;
    });
    expect(problemsOf(() => parseDocument(levels.join('\n'), 'a.yaml'))).toEqual([
      'a.yaml: not valid YAML: Excessive alias count indicates a resource exhaustion attack',
    ]);
  });

  it('is named if it is missing or a folder', () => {
    expect(problemsOf(() => loadDocument(join(folder, 'none.yaml')))).toEqual([
      `${join(folder, 'none.yaml')}: cannot be read: no such file; check the path`,
    ]);
    expect(problemsOf(() => loadDocument(folder))).toEqual([
      `${folder}: cannot be read: it is a folder; check the path`,
    ]);
  });
});
