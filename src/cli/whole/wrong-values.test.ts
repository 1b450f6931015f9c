import { availableParallelism } from 'node:os';
import { describe, expect } from 'vitest';
import { badFiles, ofBadFile, smoke, wrongLines } from './wrong-lines.exam.ts';

const files = {
  ...badFiles,
  'bursts.yaml':
    'name: bursts\njourneys: { a: { steps: [createConversation: {}] } }\nload: { model: burst, count: 2 }\n',
  'ceiling.yaml': `name: ceiling
applications: { a1: { clientId: "\${env.NOT_THERE_ID}", clientSecret: "\${env.NOT_THERE_SECRET}" } }
journeys: { a: { steps: [createConversation: {}] } }
users: 2
load: { model: constant-rate, rate: 1/s, duration: 2s, noCatchUp: true }
`,
};

describe('a wrong command line says what is wrong and what to write', () => {
  wrongLines(files, [
    [
      ['run', smoke, '--transport', 'wier', '--csv-format', 'parquet'],
      104,
      [
        'spillway: 2 problems:',
        '--transport: "wier" is not one of its values; did you mean wire? It takes auto, wire, undici, http2',
        '--csv-format: "parquet" is not one of its values; write one of jtl',
      ],
    ],
    [
      ['run', smoke, '--transport', 'auto, wire'],
      104,
      [
        'spillway: one problem:',
        '--transport: "auto, wire" is not one of its values; write one of auto, wire, undici, http2',
      ],
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
      ['run', smoke, '--out', 'json=results.json', '--dashboard=high'],
      104,
      [
        'spillway: 2 problems:',
        '--dashboard: "high" is not a port; write --dashboard=5665, or --dashboard alone after the scenario',
        '--out: "json=…" is an output of k6, and here --out names a folder; every run writes summary.json, requests.csv and more into it: write for example --out results/today',
      ],
    ],
    [
      ['run', smoke, '--no-gates', '--gate', 'limit.rate: held', '--journey', 'nobody'],
      104,
      [
        'spillway: 2 problems:',
        '--journey: there is no journey "nobody"; the scenario has: whole',
        '--gate: would not be judged: --no-gates ignores all gates, not only those of the scenario; leave one of the two out',
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
      ['run', smoke, '--seed', 'abc'],
      104,
      ['spillway: one problem:', '--seed: is not a number; give a whole number from 0 to 4294967295'],
    ],
    [
      ['sandbox', '--config', '/nowhere/s.yaml', '--rate=-3', '--colour', 'red'],
      104,
      [
        'spillway: 3 problems:',
        'Unknown argument: colour; see spillway sandbox --help',
        '/nowhere/s.yaml: cannot be read: no such file; check the path',
        '--rate: must be at least 1',
      ],
    ],
    [
      ['run', smoke, '--gate', 'limit.daily'],
      104,
      [
        'spillway: one problem:',
        `--gate: "limit.daily" is not of the form METRIC: EXPRESSION; write for example --gate 'limit.rate: held'`,
      ],
    ],
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
      ['plan', 'bursts.yaml', '--once', '--duration', '3s'],
      104,
      [
        'spillway: one problem:',
        '--duration: would be ignored: --once runs one journey, however long it takes; leave one of the two out',
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
    ...[
      ['--against', 'http://127.0.0.1:9'],
      ['--target', 'http://127.0.0.1:9', '--against', 'sandbox'],
    ].map((sides): [string[], number, string[]] => [
      [
        'run',
        smoke,
        '--transport',
        'http2',
        '--repeat',
        '6',
        ...sides,
        '-e',
        'SPILLWAY_CLIENT_ID=a',
        '-e',
        'SPILLWAY_CLIENT_SECRET=b',
      ],
      104,
      [
        'spillway: one problem:',
        '--transport: http2 does not work with the embedded sandbox, which speaks only HTTP/1.1; name a --target, or another transport here or in the profile (client.transport)',
      ],
    ]),
    [
      ['plan', smoke, '-e', 'A=1', '-e', 'hunter2'],
      104,
      ['spillway: one problem:', '-e: 1 of 2 values are not of the form NAME=VALUE; write -e NAME=VALUE'],
    ],
    ...[
      'ftp://host',
      'not an address',
      'https://me:hunter2@host',
      'https://host/#hunter2',
      'https://host/?key=hunter2',
    ].map(
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
      ['compare', 'a', 'b', '--slack-relative', '5', '--slack-share', '500%', '--metric', 'foo: med'],
      104,
      [
        'spillway: 3 problems:',
        '--slack-relative: "5" is not a share; write for example 5% or 0.05',
        '--slack-share: "500%" is not a share from 0% to 100%; write for example 5% or 0.05',
        expect.stringMatching(/^--metric "foo: med": there is no metric "foo"; /),
      ],
    ],
  ]);
});
