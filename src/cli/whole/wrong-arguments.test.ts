import { describe, expect, it } from 'vitest';
import { spillway, temporaryFolder } from '../../testing/cli.ts';
import { typed } from '../../testing/typed.ts';
import { badFiles, ofBadFile, smoke, wrongLines } from './wrong-lines.exam.ts';

describe('a wrong command line says what is wrong and what to write', () => {
  wrongLines(badFiles, [
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
    [['comapre', 'latest', 'run'], 104, ['spillway: one problem:', 'comapre is not a command; did you mean compare?']],
    [
      ['scenarios/tour.yaml', '--seed', '1'],
      104,
      ['spillway: one problem:', 'scenarios/tour.yaml is not a command; write spillway run scenarios/tour.yaml'],
    ],
    [
      ['validate', smoke],
      104,
      [
        'spillway: one problem:',
        'validate is not a command; spillway plan reports every mistake in a scenario and sends nothing',
      ],
    ],
    // yargs shows the general help for these, as if they were right.
    [['--help', 'hello'], 104, ['spillway: one problem:', 'hello is not a command; see spillway --help']],
    [['-h', 'comapre', 'x'], 104, ['spillway: one problem:', 'comapre is not a command; did you mean compare?']],
    [['hello', '--help'], 104, ['spillway: one problem:', 'hello is not a command; see spillway --help']],
    [
      ['hello', 'run', '-h'],
      104,
      ['spillway: one problem:', 'the command comes first; write spillway run, then its arguments'],
    ],
    [['comapre', 'x', '-h'], 104, ['spillway: one problem:', 'comapre is not a command; did you mean compare?']],
    [
      ['dashbord', 'x', '--help'],
      104,
      [
        'spillway: one problem:',
        'dashbord is not a command; spillway run --dashboard serves the charts of a run while it lasts',
      ],
    ],
    [
      ['run', smoke, '--target', 'sandbox'],
      104,
      [
        'spillway: one problem:',
        '--target: is not a base URL; leave --target out: the embedded sandbox is used if the profile names no baseUrl',
      ],
    ],
    [['hello'], 104, ['spillway: one problem:', 'hello is not a command; see spillway --help']],
    [['SECRET=hidden'], 104, ['spillway: one problem:', 'SECRET=… is not a command; see spillway --help']],
    [['run=hidden'], 104, ['spillway: one problem:', 'run=… is not a command; see spillway --help']],
    [
      ['hello', 'run', smoke],
      104,
      ['spillway: one problem:', 'the command comes first; write spillway run, then its arguments'],
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
      ['completion', 'zsh'],
      104,
      ['spillway: one problem:', 'completion takes no argument; the variable SHELL says which shell'],
    ],
    [['run'], 104, ['spillway: one problem:', 'run needs a SCENARIO; see spillway run --help']],
    [
      ['run', smoke, '--tarjet', 'x'],
      104,
      ['spillway: one problem:', 'Unknown argument: tarjet; did you mean --target?'],
    ],
    [
      ['run', smoke, '--vus', '10', '--dry-run', '--no-color', '--rate=5'],
      104,
      [
        'spillway: 4 problems:',
        'Unknown argument: vus; the scenario says it: load: { model: closed-users, users: N, duration: … }',
        'Unknown argument: dry-run; spillway plan sends nothing and shows what a run would cost',
        'Unknown argument: color; set the environment variable NO_COLOR=1 for output without colours',
        'Unknown argument: rate; the scenario says it: load: { model: constant-rate, rate: …, duration: … }',
      ],
    ],
    [
      ['run', smoke, '--constructor=secret', '--to-string', '--no-value-of', '--tarjet', 'x'],
      104,
      [
        'spillway: 4 problems:',
        'Unknown argument: constructor; see spillway --help',
        'Unknown argument: to-string; see spillway --help',
        'Unknown argument: no-value-of; see spillway --help',
        'Unknown argument: tarjet; did you mean --target?',
      ],
    ],
    [
      ['run', smoke, '-c', '10', '-d', '30s', '--request-rate=5', '--header', 'a: b'],
      104,
      [
        'spillway: 4 problems:',
        'Unknown argument: c; the scenario says it: load: { model: closed-users, users: N, duration: … }',
        'Unknown argument: d; write --duration',
        'Unknown argument: request-rate; the scenario says it: load: { model: constant-rate, rate: …, duration: … }',
        'Unknown argument: header; name it in client.headers of the profile',
      ],
    ],
    [
      ['run', smoke, '--proxy', 'http://127.0.0.1:3128', '--cacert', 'ca.pem', '--cert', 'c.pem', '--key', 'k.pem'],
      104,
      [
        'spillway: 4 problems:',
        'Unknown argument: proxy; name it as client.proxy in the profile',
        'Unknown argument: cacert; name the PEM file of the authority that vouches for the certificate as client.caFile in the profile',
        'Unknown argument: cert; name the PEM files of a client certificate as client.certFile and client.keyFile in the profile',
        'Unknown argument: key; name the PEM files of a client certificate as client.certFile and client.keyFile in the profile',
      ],
    ],
    [
      // Of these `plan` has none itself.
      ['plan', smoke, '--threshold', 'x', '--verbose'],
      104,
      [
        'spillway: 2 problems:',
        'Unknown argument: threshold; spillway run --gate judges a run by a threshold',
        'Unknown argument: verbose; spillway run --debug prints every exchange',
      ],
    ],
    [
      ['run', smoke, '--repeat', '', '--pool', '', '--gate', '', '--target', ''],
      104,
      [
        'spillway: 4 problems:',
        '--repeat: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
        '--pool: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
        '--gate: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
        '--target: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
      ],
    ],
    [
      ['run', smoke, '--gate', '', '--gate', 'latency<9', '-e', '', '-e', 'NAME', '--profile', '', '--transport', ''],
      104,
      [
        'spillway: 6 problems:',
        '--gate: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
        '-e: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
        '--profile: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
        '--transport: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
        `--gate: "latency<9" is not of the form METRIC: EXPRESSION; write for example --gate 'http_req_duration{operation:sendMessage}: p(95)<300'`,
        '-e: 1 of 1 values are not of the form NAME=VALUE; write -e NAME=VALUE',
      ],
    ],
    [
      ['run', smoke, '--allow', '', '--allow', 'plen'],
      104,
      [
        'spillway: 2 problems:',
        '--allow: "plen" is not one of its values; did you mean plan? It takes plan, target, incomplete, invalid',
        '--allow: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
      ],
    ],
    [
      ['sandbox', '--rateBurst', '', '--rateCountsInvalid=maybe', '--rateScope='],
      104,
      [
        'spillway: 3 problems:',
        '--rate-counts-invalid: takes no value; write --rate-counts-invalid or --no-rate-counts-invalid',
        '--rate-burst: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
        '--rate-scope: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
      ],
    ],
    [
      ['sandbox', '--config', '', '--rate=-3'],
      104,
      [
        'spillway: 2 problems:',
        '--config: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
        '--rate: must be at least 1',
      ],
    ],
    [
      ['check', ''],
      104,
      [
        'spillway: one problem:',
        '<run>: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
      ],
    ],
    [
      ['compare', 'results', 'results', ''],
      104,
      [
        'spillway: one problem:',
        '<candidates>: has no value; give it one, or leave it out; if you pass a shell variable, check that it is set',
      ],
    ],
    [
      ['calibrate', '--rps', '1'],
      104,
      ['spillway: one problem:', 'Unknown argument: rps; see spillway calibrate --help'],
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
    [
      ['plan', smoke, '--set', 'seed=3', 'load.count=2'],
      104,
      ['spillway: one problem:', 'Unknown argument: load.count=…; write --set before each PATH=VALUE'],
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
    [
      ['sandbox', '--no-clock-rate'],
      104,
      ['spillway: one problem:', '--no-clock-rate: has no meaning; leave --clock-rate out'],
    ],
    [
      ['plan', smoke, '--env.x', 'A=1'],
      104,
      ['spillway: one problem:', 'Unknown argument: env.x; did you mean --env?'],
    ],
    [
      ['plan', smoke, '-e', 'CITY=x', 'CSEC=leak'],
      104,
      ['spillway: one problem:', 'Unknown argument: CSEC=…; write -e before each NAME=VALUE'],
    ],
    [
      ['sandbox', '--port', '0', '--rate'],
      104,
      ['spillway: one problem:', '--rate: needs a value; see spillway sandbox --help'],
    ],
  ]);

  it('prints no script for a shell that completion was given as an argument: it would land in a file', async () => {
    const { code, out } = await spillway(['completion', 'fish']);
    expect([code, out]).toEqual([104, '']);
    expect((await spillway(['completion'])).out).toContain('begin-spillway-completions');
    // Every shell that there is a script for.
    expect((await typed(['completion', '--help'], temporaryFolder())).out).toMatch(/bash, zsh or fish.*for fish/s);
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
