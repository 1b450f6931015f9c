import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, root, shipped, spillway, temporaryFolder } from '../testing/cli.ts';
import { typed } from '../testing/typed.ts';

const smoke = shipped('smoke.yaml');

/** Files for the command lines, in a temporary folder. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const files = {
  'bad.yaml': `name: bad
journey: {}
journeys:
  ask:
    steps:
      - sendMesage: { message: Hello }
      - pause: 5
load: { model: constant-rate, rate: 1, duration: soon }
`,
  'torn.yaml': 'name: torn\njourneys: { ask: [\n',
  'profile.yaml': 'name: mine\nlimits:\n  rate: { max: 0, per: minute }\nbudget: { requests: many }\n',
  'throws.ts': "const database = 'none';\nthrow new Error(`no ${database}`);\n",
  'imports.ts': "import { nothing } from './not-there.ts';\nexport default nothing;\n",
  'syntax.ts': "export default {\n  name: 'x',,\n};\n",
  'nothing.ts': 'export const scenario = 1;\n',
  'wrong.ts':
    "export default { name: 'wrong', journeys: { a: { steps: [{ pause: 'soon' }] } }, load: { model: 'burst' } };\n",
  'bursts.yaml':
    'name: bursts\njourneys: { a: { steps: [createConversation: {}] } }\nload: { model: burst, count: 2 }\n',
  'ceiling.yaml': `name: ceiling
applications: { a1: { clientId: "\${env.NOT_THERE_ID}", clientSecret: "\${env.NOT_THERE_SECRET}" } }
journeys: { a: { steps: [createConversation: {}] } }
users: 2
load: { model: constant-rate, rate: 1/s, duration: 2s, noCatchUp: true }
`,
  'promises.ts': "export default (async () => {\n  throw new Error('promised');\n})();\n",
  'rejects.ts': "Promise.reject(new Error('nobody waits'));\nexport default { name: 'x' };\n",
  'getter.ts': "export default { name: 'x', get journeys() { throw new Error('got'); } };\n",
  'cyclic.ts':
    'const a: { steps: unknown[] } = { steps: [] };\na.steps.push(a);\nexport default { journeys: { a } };\n',
  'notes.txt': 'not a history\n',
  'times.csv': `at\n${'x\n'.repeat(30)}`,
  'replay.yaml': 'journeys: { a: { steps: [pause: 1s] } }\nload: { model: replay, file: times.csv }\n',
} as const;

const ofBadFile = [
  'bad.yaml:2:1 journey: unknown key "journey"; did you mean journeys?',
  'bad.yaml:6:9 journeys.ask.steps[0].sendMesage: there is no step "sendMesage"; did you mean sendMessage?',
  'bad.yaml:7:16 journeys.ask.steps[1].pause: must be a duration such as 250ms, 1.5s or 2min or an object, not 5; write 5s or 5ms',
  'bad.yaml:8:37 load.rate: must be a rate with its unit, not 1; write for example 20/min, 0.5/s or 50/day',
  'bad.yaml:8:50 load.duration: "soon" is not a duration; write for example 250ms, 1.5s, 2min or 1h',
];

/** Arguments, exit code, and all lines of output. */
const table: readonly (readonly [args: readonly string[], code: number, said: readonly string[]])[] = [
  [
    [],
    104,
    ['spillway: one problem:', 'name a command, for example spillway run scenarios/tour.yaml; see spillway --help'],
  ],
  [['--hlep'], 104, ['spillway: one problem:', 'Unknown argument: hlep; did you mean --help?']],
  [['--gibberish=secret'], 104, ['spillway: one problem:', 'Unknown argument: gibberish; see spillway --help']],
  [
    ['--quiet', 'run'],
    104,
    ['spillway: one problem:', 'the command comes first; write spillway run, then its arguments'],
  ],
  [['rnu', smoke], 104, ['spillway: one problem:', 'rnu is not a command; did you mean run?']],
  [
    ['run', smoke, '--transport', 'wier', '--csv-format', 'parquet'],
    104,
    [
      'spillway: 2 problems:',
      '--transport: "wier" is not one of its values; did you mean wire? It takes auto, wire, undici, http2',
      '--csv-format: "parquet" is not one of its values; write one of jtl',
    ],
  ],
  [['comapre', 'latest', 'run'], 104, ['spillway: one problem:', 'comapre is not a command; did you mean compare?']],
  [
    ['hello', 'run', smoke],
    104,
    ['spillway: one problem:', 'the command comes first; write spillway run, then its arguments'],
  ],
  [
    ['run', smoke, '--duraton', '3s', '--gate', 'bad', '--seed', 'x', '--transport', 'foo', '--journey', 'nobody'],
    104,
    [
      'spillway: 5 problems:',
      'Unknown argument: duraton; did you mean --duration?',
      '--transport: "foo" is not one of its values; write one of auto, wire, undici, http2',
      '--seed: is not a number; give a whole number from 0 to 4294967295',
      `--gate: "bad" is not of the form METRIC: EXPRESSION; write for example --gate 'http_req_duration{operation:sendMessage}: p(95)<300'`,
      '--journey: there is no journey "nobody"; the scenario has: whole',
    ],
  ],
  [
    ['plan', smoke, '-e', 'FOO', '--duration', '3sec', '--journey', 'nobody'],
    104,
    [
      'spillway: 3 problems:',
      '--journey: there is no journey "nobody"; the scenario has: whole',
      '-e: 1 of 1 values are not of the form NAME=VALUE; write -e NAME=VALUE',
      '--duration: "3sec" is not a duration; write for example 30s or 2min',
    ],
  ],
  [
    ['sandbox', '--rate', 'x', '--daily-day', 'utcc', '--defect', 'ZZ', '--rat', '3'],
    104,
    [
      'spillway: 4 problems:',
      'Unknown argument: rat; did you mean --rate?',
      '--rate: must be a number',
      '--daily-day: must be one of utc, token-timezone, first-use, rolling, not "utcc"; did you mean utc?',
      expect.stringMatching(/^--defect: there is no defect "ZZ"; there are O1, /),
    ],
  ],
  [
    ['compare', 'a', 'b', '--slack-relativ', '5', '--slack-absolute', 'soon'],
    104,
    [
      'spillway: 2 problems:',
      'Unknown argument: slack-relativ; did you mean --slack-relative?',
      '--slack-absolute: "soon" is not a duration; write for example 5ms',
    ],
  ],
  [
    ['calibrate', '--secs', '1', '--seconds', '0'],
    104,
    [
      'spillway: 2 problems:',
      'Unknown argument: secs; see spillway calibrate --help',
      '--seconds: must be a whole number from 1 to 60',
    ],
  ],
  [
    ['run', '--seed', '1', '--trget', 'x'],
    104,
    [
      'spillway: 2 problems:',
      'run needs a SCENARIO; see spillway run --help',
      'Unknown argument: trget; did you mean --target?',
    ],
  ],
  [
    ['run', smoke, '--seed', 'abc'],
    104,
    ['spillway: one problem:', '--seed: is not a number; give a whole number from 0 to 4294967295'],
  ],
  [
    ['completion', 'zsh'],
    104,
    ['spillway: one problem:', 'completion takes no argument; the variable SHELL says which shell'],
  ],
  [
    ['run', smoke, '--gate', 'limit.daily'],
    104,
    [
      'spillway: one problem:',
      `--gate: "limit.daily" is not of the form METRIC: EXPRESSION; write for example --gate 'limit.rate: held'`,
    ],
  ],
  [['run'], 104, ['spillway: one problem:', 'run needs a SCENARIO; see spillway run --help']],
  [
    ['run', smoke, '--tarjet', 'x'],
    104,
    ['spillway: one problem:', 'Unknown argument: tarjet; did you mean --target?'],
  ],
  [
    ['check', 'latest', '--rate-reading', 'x', '--rateReading', 'y'],
    104,
    [
      'spillway: 2 problems:',
      'Unknown argument: rate-reading; see spillway check --help',
      'latest: there is no run below results/; run a scenario first: spillway run scenarios/tour.yaml',
    ],
  ],
  [['run', '.'], 104, ['spillway: one problem:', '.: cannot be read: it is a folder; name a file in it']],
  [
    ['plan', smoke, 'another.yaml'],
    104,
    ['spillway: one problem:', 'Unknown argument: another.yaml; see spillway plan --help'],
  ],
  [
    ['plan', smoke, '-e', 'CITY=Orbe', 'KEY=hunter2, hunter3'],
    104,
    ['spillway: one problem:', 'Unknown argument: KEY=…; write -e before each NAME=VALUE'],
  ],
  [['plan', smoke, '--seed'], 104, ['spillway: one problem:', '--seed: needs a value; see spillway plan --help']],
  [
    ['plan', 'bad.yaml', '--target', '--seed', '--jurney', 'ask', '--profile'],
    104,
    [
      'spillway: 9 problems:',
      '--profile: needs a value; see spillway plan --help',
      '--seed: needs a value; see spillway plan --help',
      '--target: needs a value; see spillway plan --help',
      'Unknown argument: jurney; did you mean --journey?',
      ...ofBadFile,
    ],
  ],
  [['plan', smoke, '-e'], 104, ['spillway: one problem:', '-e: needs a value; see spillway plan --help']],
  [
    ['plan', smoke, '--seed', '1.5'],
    104,
    ['spillway: one problem:', '--seed: 1.5 is not a seed; give a whole number from 0 to 4294967295'],
  ],
  [
    ['plan', smoke, '--seed', '4294967296'],
    104,
    ['spillway: one problem:', '--seed: 4294967296 is not a seed; give a whole number from 0 to 4294967295'],
  ],
  [
    ['plan', smoke, '--seed', '1', '--seed', '2'],
    104,
    ['spillway: one problem:', '--seed: is given more than once; give it only once'],
  ],
  [
    ['run', smoke, '--seed=', '--no-profile', '--out', '', '--pool', '--no-pool', '--scenario', 'x', '--', 'y'],
    104,
    [
      'spillway: 7 problems:',
      '--seed: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
      '--out: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
      '--pool: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
      '--no-profile: has no meaning; leave --profile out',
      '--no-pool: has no meaning; leave --pool out',
      '--scenario: is an argument, not a switch; write its value without --scenario',
      '--: has no meaning here; leave it out',
    ],
  ],
  [['plan', smoke, '--env.x', 'A=1'], 104, ['spillway: one problem:', 'Unknown argument: env.x; did you mean --env?']],
  [
    ['plan', smoke, '-e', 'CITY=x', 'CSEC=leak'],
    104,
    ['spillway: one problem:', 'Unknown argument: CSEC=…; write -e before each NAME=VALUE'],
  ],
  [
    ['plan', smoke, '--arrivals', 'many'],
    104,
    ['spillway: one problem:', '--arrivals: must be a whole number of at least 0'],
  ],
  [
    ['plan', smoke, '--duration', 'soon', '--journey', 'nobody'],
    104,
    [
      'spillway: 2 problems:',
      '--journey: there is no journey "nobody"; the scenario has: whole',
      '--duration: "soon" is not a duration; write for example 30s or 2min',
    ],
  ],
  [
    [
      ...['run', 'bad.yaml', '--target', 'nowhere', '--duration', '3x', '--workers', '0', '--dashboard=abc'],
      ...['--repeat', '0', '--pool', 'results', '--against', 'x', '--seed', '-3', '--gate', 'fast'],
    ],
    104,
    [
      'spillway: 15 problems:',
      '--seed: -3 is not a seed; give a whole number from 0 to 4294967295',
      ...ofBadFile,
      `--gate: "fast" is not of the form METRIC: EXPRESSION; write for example --gate 'http_req_duration{operation:sendMessage}: p(95)<300'`,
      '--target: is not a base URL; write for example https://api.example.com, without credentials, query or fragment',
      '--duration: "3x" is not a duration; write for example 30s or 2min',
      '--repeat: must be a whole number from 1 to 999; write for example --repeat 10',
      '--against: is not a base URL; write for example https://api.example.com, without credentials, query or fragment',
      '--pool: cannot be combined with --repeat; gates are judged over all rounds anyway',
      '--dashboard: cannot be combined with --repeat; each round writes its own report.html',
      `--workers: must be a whole number from 1 to 128; this machine can use ${availableParallelism()}`,
      '--dashboard: "abc" is not a port; write --dashboard=5665, or --dashboard alone after the scenario',
    ],
  ],
  ...(
    [
      ['0s', 'is not longer than 0'],
      ['5000000h', 'is longer than ten years'],
    ] as const
  ).map(
    ([duration, wrong]) =>
      [
        ['plan', 'ceiling.yaml', '--duration', duration],
        104,
        ['spillway: one problem:', `--duration: "${duration}" ${wrong}; write for example 30s or 2min`],
      ] as const,
  ),
  [
    ['plan', 'bursts.yaml', '--duration', '3s'],
    104,
    [
      'spillway: one problem:',
      '--duration: no load model has a duration: burst; leave it out, or give one of them a duration in the scenario',
    ],
  ],
  [
    ['run', 'ceiling.yaml', '--target', 'http://127.0.0.1:9', '--workers', '2'],
    104,
    [
      // Reported before the price: there is nothing to confirm if the scenario cannot run.
      'spillway: 3 problems:',
      'ceiling.yaml: application a1 needs the environment variable NOT_THERE_ID, which is not set; set it with export NOT_THERE_ID=… or pass -e NOT_THERE_ID=…',
      'ceiling.yaml: application a1 needs the environment variable NOT_THERE_SECRET, which is not set; set it with export NOT_THERE_SECRET=… or pass -e NOT_THERE_SECRET=…',
      'ceiling.yaml load model constant-rate: noCatchUp works only with one worker, because workers do not keep distances between their arrivals; leave out --workers, or limit the rate with caps.requestsPerMinute, which holds for all workers together',
    ],
  ],
  [
    ['run', smoke, '--transport', 'http2'],
    104,
    [
      'spillway: one problem:',
      '--transport: http2 does not work with the embedded sandbox, which speaks only HTTP/1.1; name a --target, or another transport here or in the profile (client.transport)',
    ],
  ],
  [
    ['plan', smoke, '-e', 'A=1', '-e', 'hunter2'],
    104,
    ['spillway: one problem:', '-e: 1 of 2 values are not of the form NAME=VALUE; write -e NAME=VALUE'],
  ],
  ...['ftp://host', 'not an address', 'https://me:hunter2@host'].map(
    (target) =>
      [
        ['run', smoke, '--target', target],
        104,
        [
          'spillway: one problem:',
          '--target: is not a base URL; write for example https://api.example.com, without credentials, query or fragment',
        ],
      ] as const,
  ),
  ...[
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['api.example.com/partners', 'https://api.example.com/partners'],
  ].map(
    ([target = '', meant]) =>
      [
        ['run', smoke, '--target', target],
        104,
        ['spillway: one problem:', `--target: is not a base URL; write ${meant}`],
      ] as const,
  ),
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
  [
    ['check', 'neither', '--pool', 'nor', '--declared', 'slidinglog', '--gate', 'x'],
    104,
    [
      'spillway: 4 problems:',
      '--declared: "slidinglog" names no reading; did you mean sliding-log?',
      expect.stringMatching(/^--gate: "x" is not of the form METRIC: EXPRESSION; /),
      expect.stringMatching(/^neither: is not a run: /),
      expect.stringMatching(/^nor: is not a run: /),
    ],
  ],
  [
    ['report', 'neither', '--gate', 'x', '--csv-format', 'jmeter'],
    104,
    [
      'spillway: 3 problems:',
      '--csv-format: "jmeter" is not one of its values; write one of jtl',
      expect.stringMatching(/^--gate: "x" is not of the form METRIC: EXPRESSION; /),
      expect.stringMatching(/^neither: is not a run: /),
    ],
  ],
  [
    ['run', smoke, '--journey', 'hwole'],
    104,
    ['spillway: one problem:', '--journey: there is no journey "hwole"; did you mean whole? the scenario has: whole'],
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
    ['sandbox', '--port', '0', '--rate'],
    104,
    ['spillway: one problem:', '--rate: needs a value; see spillway sandbox --help'],
  ],
  [
    ['sandbox', '--port=x', '--control=maybe', '--json=1'],
    104,
    [
      'spillway: 3 problems:',
      '--control: takes no value; write --control or --no-control',
      '--json: takes no value; write --json or --no-json',
      '--port: must be a number',
    ],
  ],
  [
    ['sandbox', '--seed', '1.5', '--host', '0.0.0.0', '--control', '--defect', 'W2', '--rate-algorithm', 'gcra'],
    104,
    [
      'spillway: 3 problems:',
      '--seed: must be a whole number',
      '--control: needs a loopback host such as 127.0.0.1, because it asks for no credentials',
      '--defect: W2 is a defect of sliding-counter, but limits.rate is gcra',
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
    ['compare', 'a', 'b', '--slack-relative', '5', '--slack-share', '500%', '--metric', 'foo: med'],
    104,
    [
      'spillway: 3 problems:',
      '--slack-relative: "5" is not a share; write for example 5% or 0.05',
      '--slack-share: "500%" is not a share from 0% to 100%; write for example 5% or 0.05',
      expect.stringMatching(/^--metric "foo: med": there is no metric "foo"; /),
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
];

describe('a wrong command line says what is wrong and what to write', () => {
  it.each(table.map(([args, code, said]) => ({ line: args.join(' ').replaceAll(root, '…'), args, code, said })))(
    'spillway $line',
    async ({ args, code, said }) => {
      const finished = await typed(args, folderOf(files));
      expect(finished.err.trimEnd().split('\n')).toEqual(said);
      expect(finished.code).toBe(code);
      expect(finished.out).toBe('');
    },
  );

  it('prints no script for a shell that completion was given as an argument: it would land in a file', async () => {
    const { code, out } = await spillway(['completion', 'fish']);
    expect([code, out]).toEqual([104, '']);
    expect((await spillway(['completion'])).out).toContain('begin-spillway-completions');
  });

  it('a scenario that imports what is not there threw: 107', async () => {
    const { code, err } = await typed(['run', 'imports.ts'], folderOf(files));
    expect(code).toBe(107);
    expect(err).toContain('imports.ts');
    expect(err).not.toContain('a defect of the tool');
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

  it.each([
    [['run'], 'https://api.example.com: .com is not a file type for scenarios'],
    [['check'], 'https://api.example.com: is not a run: https:/api.example.com/history.ndjson does not exist'],
    [['compare'], 'https://api.example.com: does not exist'],
    [['calibrate'], 'Unknown argument: https://api.example.com; see spillway calibrate --help'],
  ])('an address where %s takes none is told without its password', async (command, said) => {
    const { code, err } = await typed([...command, 'https://me:hunter2@api.example.com'], temporaryFolder());
    expect(code).toBe(104);
    expect(err).toContain(said);
    expect(err).not.toContain('hunter2');
  });
});

describe.concurrent('the process', { timeout: PATIENCE_MS }, () => {
  it.each([
    { args: [], code: 104 },
    { args: ['run', 'bad.yaml'], code: 104 },
    { args: ['run', 'throws.ts'], code: 107 },
    { args: ['run', smoke, '--out', 'notes.txt/below'], code: 12 },
    { args: ['init', 'notes.txt'], code: 12 },
    { args: ['--help'], code: 0 },
  ])('of spillway $args exits with $code', async ({ args, code }) => {
    const finished = await spillway(args, { cwd: folderOf(files) });
    expect(finished.code).toBe(code);
    expect(finished.err === '').toBe(code === 0);
    expect(finished.err).not.toContain('a defect of the tool');
  });

  it.skipIf(!existsSync('/dev/full'))('reports that the output cannot be written to a full disk', async () => {
    const { code, err } = await spillway(['plan', shipped('tour.yaml')], { before: 'exec >/dev/full' });
    expect(code).toBe(12);
    expect(err).toBe('spillway: cannot write the output: ENOSPC: no space left on device, write\n');
  });

  it('reads a scenario from standard input, and exits without an error if its reader closes the pipe', async () => {
    const line = 'node "$0" plan - --json < "$1" | head -1; exit "${PIPESTATUS[0]}"';
    const { code, out, err } = await shell(line, join(root, 'dist/cli/main.js'), shipped('tour.yaml'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ kind: 'price', scenario: 'tour' });
  });
});

function shell(line: string, ...args: readonly string[]) {
  return new Promise<{ code: number | null; out: string; err: string }>((done) => {
    const child = execFile('bash', ['-c', line, ...args], { cwd: temporaryFolder() }, (_, out, err) =>
      done({ code: child.exitCode, out, err }),
    );
  });
}
