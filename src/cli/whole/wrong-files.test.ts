import { describe, expect, it } from 'vitest';
import { shipped } from '../../testing/cli.ts';
import { typed } from '../../testing/typed.ts';
import { badFiles, folderOf, ofBadFile, smoke, wrongLines } from './wrong-lines.exam.ts';

const files = {
  ...badFiles,
  'torn.yaml': 'name: torn\njourneys: { ask: [\n',
  'profile.yaml': 'name: mine\nlimits:\n  rate: { max: 0, per: minute }\nbudget: { requests: many }\n',
  'imports.ts': "import { nothing } from '../not-there.ts';\nexport default nothing;\n",
  'syntax.ts': "export default {\n  name: 'x',,\n};\n",
  'nothing.ts': 'export const scenario = 1;\n',
  'wrong.ts':
    "export default { name: 'wrong', journeys: { a: { steps: [{ pause: 'soon' }] } }, load: { model: 'burst' } };\n",
  'promises.ts': "export default (async () => {\n  throw new Error('promised');\n})();\n",
  'rejects.ts': "Promise.reject(new Error('nobody waits'));\nexport default { name: 'x' };\n",
  'getter.ts': "export default { name: 'x', get journeys() { throw new Error('got'); } };\n",
  'cyclic.ts':
    'const a: { steps: unknown[] } = { steps: [] };\na.steps.push(a);\nexport default { journeys: { a } };\n',
  'times.csv': `at\n${'x\n'.repeat(30)}`,
  'replay.yaml': 'journeys: { a: { steps: [pause: 1s] } }\nload: { model: replay, file: times.csv }\n',
};

describe('a wrong command line says what is wrong and what to write', () => {
  wrongLines(files, [
    [['run', '.'], 104, ['spillway: one problem:', '.: cannot be read: it is a folder; name a file in it']],
    [
      ['run', 'missing.yaml'],
      104,
      ['spillway: one problem:', 'missing.yaml: cannot be read: no such file; check the path'],
    ],
    [
      ['run', 'bda.yaml'],
      104,
      ['spillway: one problem:', 'bda.yaml: cannot be read: no such file; did you mean bad.yaml?'],
    ],
    [
      ['run', 'bad.yml'],
      104,
      ['spillway: one problem:', 'bad.yml: cannot be read: no such file; did you mean bad.yaml?'],
    ],
    [
      ['run', 'scenarios/tour.yaml'],
      104,
      [
        'spillway: one problem:',
        `scenarios/tour.yaml: cannot be read: no such file; the shipped one is ${shipped('tour.yaml')}`,
      ],
    ],
    [
      ['run', 'scenarios/../package.json'],
      104,
      ['spillway: one problem:', 'scenarios/../package.json: cannot be read: no such file; check the path'],
    ],
    ...['scenarios/100%.yaml', 'scenarios/a%2Fb.yaml', 'scenarios/tour.yaml#1.yaml'].map(
      (name): [string[], number, string[]] => [
        ['plan', name],
        104,
        ['spillway: one problem:', `${name}: cannot be read: no such file; check the path`],
      ],
    ),
    [
      ['plan', 'thorws.ts'],
      104,
      ['spillway: one problem:', 'thorws.ts: cannot be read: no such file; did you mean throws.ts?'],
    ],
    [
      ['compare', 'neither', 'latst'],
      104,
      [
        'spillway: 2 problems:',
        'neither: is not a run: neither/history.ndjson does not exist; name a folder below results/, "latest", or a journal file',
        'latst: is not a run: latst/history.ndjson does not exist; did you mean latest?',
      ],
    ],
    [['run', 'bad.yaml'], 104, ['spillway: 5 problems:', ...ofBadFile]],
    [
      ['plan', 'replay.yaml'],
      104,
      [
        'spillway: 31 problems:',
        'replay.yaml:1:1 name: is missing; write text',
        ...Array.from(
          { length: 20 },
          (_, row) =>
            `times.csv:${row + 2}:1: "x" is not a time of the same kind as the others; write for example 1.5, 1.5s or 2026-01-15T09:00:00.250Z`,
        ),
        'times.csv: has 10 more problems, probably of the same kind',
      ],
    ],
    [
      ['plan', smoke, '--profile', 'profile.yaml'],
      104,
      [
        'spillway: 3 problems:',
        'profile.yaml:3:16 limits.rate.max: must be at least 1',
        'profile.yaml:3:19 limits.rate.per: unknown key "per"; allowed here: max, window, reading, scope, scopeKnown, counts, countsKnown, countsRefused, countsReplays, countsInvalid, countsRefusedLater',
        'profile.yaml:4:21 budget.requests: must be a number, not "many"',
      ],
    ],
    [
      ['run', 'throws.ts'],
      107,
      ['spillway: throws.ts:2 threw while it was loaded: Error: no none; correct the file, or what it imports'],
    ],
    ...(
      [
        ['promises.ts', ':2 threw while it was loaded: Error: promised'],
        ['rejects.ts', ':1 threw while it was loaded: Error: nobody waits'],
        ['getter.ts', ':1 threw while it was loaded: Error: got'],
      ] as const
    ).map(
      ([file, told]) =>
        [['plan', file], 107, [`spillway: ${file}${told}; correct the file, or what it imports`]] as const,
    ),
    [
      ['plan', 'cyclic.ts'],
      104,
      ['spillway: one problem:', 'cyclic.ts journeys.a.steps.0: contains itself; write it out, or use the step repeat'],
    ],
    [['run', 'syntax.ts'], 104, ['spillway: one problem:', 'syntax.ts:2:13: cannot be parsed: Unexpected token']],
    [
      ['run', 'nothing.ts'],
      104,
      ['spillway: one problem:', 'nothing.ts: has no default export; write export default scenario({ … })'],
    ],
    [
      ['plan', 'wrong.ts'],
      104,
      [
        'spillway: 2 problems:',
        'wrong.ts journeys.a.steps[0].pause: "soon" is not a duration; write for example 250ms, 1.5s, 2min or 1h',
        'wrong.ts load.count: is missing; write a number',
      ],
    ],
    [
      ['report', 'nowhere'],
      104,
      [
        'spillway: one problem:',
        'nowhere: is not a run: nowhere/history.ndjson does not exist; name a folder below results/, "latest", or a journal file',
      ],
    ],
    [
      ['report', 'latest'],
      104,
      [
        'spillway: one problem:',
        'latest: there is no run below results/; run a scenario first: spillway run scenarios/tour.yaml',
      ],
    ],
    [
      ['report', 'notes.txt'],
      104,
      [
        'spillway: one problem:',
        'notes.txt: is not a history: its first line is no spillway-history header; give the path of a history.ndjson',
      ],
    ],
  ]);

  it('a scenario that imports what is not there threw: 107', async () => {
    const { code, err } = await typed(['run', 'imports.ts'], folderOf(files));
    expect(code).toBe(107);
    expect(err).toContain('imports.ts');
    expect(err).not.toContain('a defect in spillway itself');
  });

  it('a truncated YAML file is reported with line and column', async () => {
    const { code, err } = await typed(['run', 'torn.yaml'], folderOf(files));
    expect(code).toBe(104);
    expect(err).toMatch(/torn\.yaml:3:1: not valid YAML: /);
  });

  it('terminal control characters in a file are escaped', async () => {
    const folder = folderOf({
      'keys.yaml':
        'name: keys\n"evil\\e]0;pwn\\a": 1\njourneys: { a: { steps: [createConversation: {}] } }\nload: { model: burst, count: 1 }\n',
      'red.ts': "throw new Error('\\x1b[31mred\\x1b[0m');\n",
    });
    for (const [file, said] of [
      ['keys.yaml', 'unknown key "evil\\u{1b}]0;pwn\\u{7}"'],
      ['red.ts', '\\u{1b}[31mred\\u{1b}[0m'],
    ] as const) {
      const { err } = await typed(['plan', file], folder);
      expect(err).toContain(said);
      expect(err).not.toContain('\x1b');
      expect(err).not.toContain('\x07');
    }
  });

  it('an error in the place of a variable does not quote its value', async () => {
    const folder = folderOf({
      'scenario.yaml': 'name: ${env.NAME}\njourneys: {}\nload: { model: burst, count: "${env.NAME}" }\n',
    });
    const { code, err } = await typed(['plan', 'scenario.yaml', '-e', 'NAME=hunter2/'], folder);
    expect(code).toBe(104);
    expect(err).toContain('load.count');
    expect(err).not.toContain('hunter2');
  });
});
