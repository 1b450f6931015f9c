import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, vi } from 'vitest';
import type { Arrival } from '../plan/index.ts';
import type { Price } from '../run/index.ts';
import { PATIENCE_MS, root, shipped, spillway, startSpillway, temporaryFolder } from '../testing/cli.ts';
import { resultsIn } from '../testing/results.ts';
import { scenarioFile, WIDE_OPEN } from '../testing/scenarios.ts';
import { serveBadly } from '../testing/service.ts';
import { typed } from '../testing/typed.ts';

type PlanLine = ({ readonly kind: 'price'; readonly seed: number } & Price) | ({ readonly kind: 'arrival' } & Arrival);

/** The price, then the arrivals, as `plan --json` prints them. */
async function planned(...args: readonly string[]) {
  const { code, out, err } = await typed(['plan', '--json', ...args], temporaryFolder());
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PlanLine);
  const price = lines.flatMap((line) => (line.kind === 'price' ? [line] : []))[0];
  return { text: out, price, arrivals: lines.flatMap((line) => (line.kind === 'arrival' ? [line] : [])) };
}

const random = `name: random
users: 7
variables: { greeting: Hello }
journeys:
  a: { steps: [createConversation: {}, sendMessage: { message: "${'${vars.greeting}'}", nonce: false }] }
  b: { weight: 2, steps: [createConversation: {}, pause: { distribution: exponential, mean: 50ms }, readHistory: {}] }
${WIDE_OPEN}
load: { model: constant-rate, rate: 20/s, duration: 3s }
`;

describe('plan', () => {
  it('is byte-for-byte reproducible with one seed, and different with another', async () => {
    const file = scenarioFile(random);
    const first = await planned(file, '--seed', '42');
    const second = await planned(file, '--seed', '42');
    const other = await planned(file, '--seed', '43');
    expect(second.text).toBe(first.text);
    expect(first.price?.seed).toBe(42);
    expect(first.arrivals).toHaveLength(60);
    expect(other.arrivals).toHaveLength(60);
    const journeys = (plan: typeof first) => plan.arrivals.map(({ journey }) => journey);
    expect(journeys(other)).not.toEqual(journeys(first));
    expect(new Set(journeys(first))).toEqual(new Set(['a', 'b']));
  });

  it('obeys --duration, --journey and --once', async () => {
    const file = scenarioFile(random);
    const shorter = await planned(file, '--duration', '500ms');
    const one = await planned(file, '--journey', 'b');
    const once = await planned(file, '--once');
    const onceOfB = await planned(file, '--once', '--journey', 'b');
    expect(shorter.arrivals.map(({ intendedAt }) => intendedAt)).toEqual(
      Array.from({ length: 10 }, (_, index) => index * 50_000),
    );
    expect(new Set(one.arrivals.map(({ journey }) => journey))).toEqual(new Set(['b']));
    expect(one.arrivals).toHaveLength(60);
    expect(once.arrivals.map(({ journey, intendedAt }) => [journey, intendedAt])).toEqual([['a', 0]]);
    expect(onceOfB.arrivals.map(({ journey, intendedAt }) => [journey, intendedAt])).toEqual([['b', 0]]);
  });

  it('leaves phases in their order with --duration, which is for models that have one', async () => {
    const file = scenarioFile(`
name: phases
users: 3
journeys: { a: { steps: [createConversation: {}] } }
phases:
  - { name: first, duration: 2s, load: [{ model: burst, count: 2 }] }
  - { name: last, load: [{ model: constant-rate, rate: 1/s, duration: 9s }] }
`);
    const { arrivals } = await planned(file, '--duration', '3s');
    expect(arrivals.map(({ intendedAt }) => intendedAt / 1e6)).toEqual([0, 0, 2, 3, 4]);
  });

  it('prints what will be refused and why as text, and sends nothing', async () => {
    const service = await serveBadly();
    const args = ['plan', shipped('rate-limit-20-per-minute.yaml'), '--target', service.url, '--arrivals', '1'];
    const { code, out } = await typed(args, temporaryFolder());
    await service.close();
    expect(code).toBe(0);
    expect(out).toContain('rate-limit-20-per-minute, seed 1: 1 planned arrival\n');
    expect(out).toMatch(/rate +busiest minute \d+ of 20; 22 will be refused: more than 20 requests per minute/);
    // At a real service, whose clock is not faster than ours, the deadline ends the run.
    expect(out).toMatch(/lasts +about 40.0 s/);
    expect(out).toMatch(/daily +new messages 0 of 50 on the busiest day; within the limit/);
    expect(service.connections()).toBe(0);
  });

  it('reports the budget that would refuse a run against a service other than the embedded sandbox', async () => {
    const file = scenarioFile(
      'name: dear\nprofile: { budget: { messages: 1 } }\njourneys: { a: { steps: [createConversation: {}, sendMessage: { message: Hi }] } }\nload: { model: burst, count: 2 }\n',
    );
    const remote = ['plan', file, '--target', 'http://127.0.0.1:1'];
    const told =
      'budget.messages: the plan may send 2 messages, the budget is 1; send less, or raise the budget in the profile\n';
    const people = await typed(remote);
    expect(people.code).toBe(0);
    expect(people.out.endsWith(`\nspillway run would refuse this plan:\n  ${told}`)).toBe(true);
    const [first = ''] = (await typed([...remote, '--json'])).out.split('\n');
    expect(JSON.parse(first)).toMatchObject({ kind: 'price', wouldRefuse: [{ path: 'budget.messages' }] });
    expect((await typed(['plan', file])).out).not.toContain('budget');
  });

  it('refuses headers that no request can carry, and needs none that are not set', async () => {
    const profile = join(temporaryFolder(), 'gateway.yaml');
    writeFileSync(
      profile,
      'name: p\nclient: { headers: { x-key: "${env.NOT_SET}", x-other: "${env.GATEWAY_WORD}", x-third: é } }\n',
    );
    const args = ['plan', shipped('smoke.yaml'), '--profile', profile, '-e', 'GATEWAY_WORD=recognisable '];
    const { code, err } = await typed([...args, '--target', 'http://127.0.0.1:1']);
    const unfit =
      'has a value that is not allowed in a header; use printable ASCII without line breaks or surrounding blanks';
    expect([code, err.split('\n').slice(1, -1)]).toEqual([
      104,
      [`${profile} client.headers.x-other: ${unfit}`, `${profile} client.headers.x-third: ${unfit}`],
    ]);
    expect((await typed(args)).code).toBe(0);
  });

  it('ends when the reader of its arrivals closes the pipe, however many there are', {
    timeout: PATIENCE_MS,
  }, async () => {
    const file = scenarioFile(
      'name: endless\njourneys: { a: { steps: [createConversation: {}] } }\nload: { model: constant-rate, rate: 10000/s, duration: 20h }\n',
    );
    const { child, finished, text } = startSpillway(['plan', file, '--json']);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await finished).toMatchObject({ code: 0, err: '' });
    expect(text.out).toMatch(/^\{"format":"spillway-plan","version":1,"kind":"price","scenario":"endless"/);
  });

  it('writes nothing into the folder in which it runs', async () => {
    const cwd = temporaryFolder();
    expect((await typed(['plan', shipped('tour.yaml')], cwd)).code).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

/** The output of --json for a run: the summary and the results of the gates. */
const summaryWithGates = (folder: string) => ({
  ...resultsIn(folder).summary(),
  gates: JSON.parse(readFileSync(join(folder, 'gates.json'), 'utf8')),
});

describe.concurrent('run', { timeout: PATIENCE_MS }, () => {
  it('--json prints the summary and nothing else on stdout', async () => {
    const cwd = temporaryFolder();
    const file = scenarioFile(random);
    const { code, out, err } = await typed(['run', file, '--json', '--once'], cwd);
    expect(code, err).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    const [run = ''] = readdirSync(join(cwd, 'results'));
    expect(run).toMatch(/^random-\d{8}T\d{6}Z$/);
    expect(JSON.parse(out)).toEqual(summaryWithGates(join(cwd, 'results', run)));
    expect(err).toContain('random against the embedded sandbox');
    expect(err).toContain(`results       results/${run}`);
  });

  it('-e sets variables of the scenario, and report finds the latest run', async () => {
    const cwd = temporaryFolder();
    const file = scenarioFile(`${random}record: { messages: true }\n`);
    const args = ['--once', '--quiet', '-e', 'greeting=Good evening=now', '--seed', '12', '--out'];
    expect((await typed(['run', file, ...args, 'results/one'], cwd)).code).toBe(0);
    const { exchanges, header } = resultsIn(join(cwd, 'results/one'));
    expect(exchanges.flatMap(({ message }) => message?.text ?? [])).toEqual(['Good evening=now']);
    expect(header?.seed).toBe(12);
    // Other files in results/ are not runs.
    writeFileSync(join(cwd, 'results/README.md'), 'Runs of ours.');
    const latest = await typed(['report', 'latest', '--json'], cwd);
    expect(JSON.parse(latest.out)).toEqual(summaryWithGates(join(cwd, 'results/one')));
    const facts = JSON.parse(readFileSync(join(cwd, 'results/one/run.json'), 'utf8'));
    expect(facts.commandLine).toContain('greeting=[redacted]');
    const schema = new URL('../report/schemas/run.schema.json', import.meta.url);
    const validate = new Ajv2020().compile(JSON.parse(readFileSync(schema, 'utf8')));
    validate(facts);
    expect(validate.errors).toBeNull();
  });

  it('report says which part of a journal it could not read, and creates the output folder', async () => {
    const cwd = temporaryFolder();
    const file = scenarioFile(random);
    expect((await typed(['run', file, '--once', '--quiet', '--out', 'whole'], cwd)).code).toBe(0);
    const lines = readFileSync(join(cwd, 'whole/history.ndjson'), 'utf8').trimEnd().split('\n');
    const odd = ['no JSON', '{"kind":"\\u001b[2Jcomment","text":"x"}', '{"kind":"exchange"}'];
    writeFileSync(join(cwd, 'odd.ndjson'), [...lines.slice(0, 3), ...odd, ...lines.slice(3)].join('\n'));
    const { code, err } = await typed(['report', 'odd.ndjson', '--out', 'deep/er'], cwd);
    expect({ code, err }).toEqual({
      code: 0,
      err: `spillway: 2 lines of the journal could not be read
spillway: records of unknown kinds were skipped: \\u{1b}[2Jcomment (1)
`,
    });
    for (const name of ['requests.csv', 'turns.csv', 'intervals.csv', 'latency.hlog'])
      expect(readFileSync(join(cwd, 'deep/er', name), 'utf8')).toBe(readFileSync(join(cwd, 'whole', name), 'utf8'));
  });

  it('without a terminal shows no escape sequence, whatever the environment', async () => {
    const { out, err } = await spillway(['run', shipped('smoke.yaml')], { env: { TERM: 'xterm-256color' } });
    expect(`${out}${err}`).not.toContain('\u001b');
    expect(err).toMatch(/requests?, .*minute \d+ of 20/);
  });

  it('--quiet prints nothing before the table', async () => {
    const { code, out, err } = await spillway(['run', shipped('smoke.yaml'), '--quiet']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^smoke against the embedded sandbox, .* complete\n/);
  });
});

describe.concurrent('init', { timeout: PATIENCE_MS }, () => {
  it('writes files that run, and never overwrites', async () => {
    const cwd = temporaryFolder();
    const { code, out } = await typed(['init', 'load-tests'], cwd);
    expect(code).toBe(0);
    const files = [
      'scenarios/smoke.yaml',
      'scenarios/scenario.schema.json',
      'scenarios/profile.schema.json',
      'scenarios/profiles/service.yaml',
      '.github/workflows/spillway.yml',
    ].map((file) => join('load-tests', file));
    expect(out.split('\n').slice(0, files.length)).toEqual(files.map((file) => `wrote ${file}`));
    expect(out).toContain('Next: cd load-tests && npx spillway run scenarios/smoke.yaml (');
    expect(readFileSync(join(cwd, files[0] ?? ''), 'utf8')).toContain('--profile scenarios/profiles/service.yaml');
    const profile = readFileSync(join(cwd, 'load-tests/scenarios/profiles/service.yaml'), 'utf8');
    expect(profile).toContain(
      '# A real service: set the base address below, and put the credentials into the environment:',
    );
    expect(profile).toContain('#   spillway run scenarios/smoke.yaml --profile scenarios/profiles/service.yaml');

    const folder = join(cwd, 'load-tests');
    const ran = await typed(['run', 'scenarios/smoke.yaml', '--out', 'out'], folder);
    expect(ran.code, ran.err).toBe(0);
    expect(resultsIn(join(folder, 'out')).summary().expectations.unmet).toBe(0);
    const service = ['plan', 'scenarios/smoke.yaml', '--profile', 'scenarios/profiles/service.yaml'];
    expect((await typed(service, folder)).code).toBe(0);

    writeFileSync(join(folder, 'scenarios/smoke.yaml'), 'mine');
    const again = await typed(['init', 'load-tests'], cwd);
    expect(again.code).toBe(104);
    expect(again.err.trimEnd().split('\n')).toEqual([
      'spillway: 5 problems:',
      ...files.map((file) => `${file}: already exists; nothing was written; choose another folder`),
    ]);
    expect(readFileSync(join(folder, 'scenarios/smoke.yaml'), 'utf8')).toBe('mine');
  });

  it('writes nothing if one of its files exists', async () => {
    const cwd = temporaryFolder();
    expect((await typed(['init', '.'], cwd)).code).toBe(0);
    const other = temporaryFolder();
    writeFileSync(join(other, 'scenarios'), 'a file where a folder should be');
    expect((await typed(['init'], other)).code).toBe(12);
    expect(readdirSync(other)).toEqual(['scenarios']);
  });
});

describe('the command', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    expect(await typed(['--version'], temporaryFolder())).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
  });

  it.each(['run', 'plan', 'check', 'report', 'compare', 'sandbox', 'calibrate', 'init', 'completion'])(
    'explains %s with examples',
    async (command) => {
      const { code, out } = await typed([command, '--help'], temporaryFolder());
      expect(code).toBe(0);
      expect(out).toContain(`spillway ${command}`);
      expect(out).toMatch(/Examples:\n {2}\S.*\n {4}(?:SHELL=\S+ )?spillway /);
    },
  );

  it.each([60, 100])('breaks examples %i columns wide only where a shell goes on reading', async (width) => {
    const columns = Object.getOwnPropertyDescriptor(process.stderr, 'columns');
    Object.defineProperty(process.stderr, 'columns', { value: width, configurable: true });
    const { out } = await typed(['run', '--help'], temporaryFolder());
    if (columns) Object.defineProperty(process.stderr, 'columns', columns);
    else Reflect.deleteProperty(process.stderr, 'columns');
    const shown = out.slice(out.indexOf('Examples:')).split('\n');
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(shown.join('\n').replaceAll(/ \\\n +/g, ' ')).toContain(
      "\n    spillway run scenarios/smoke.yaml --gate 'http_req_failed: rate<0.01' --gate 'rate_limited: rate<0.05' --gate 'limit.rate: not violated'\n",
    );
  });

  it('prints a script for completion, which completes commands and switches', async () => {
    vi.stubEnv('SHELL', '/bin/bash');
    const script = await typed(['completion'], temporaryFolder());
    expect(script.code).toBe(0);
    expect(script.out).toContain('complete -o bashdefault -o default -F _spillway_yargs_completions spillway');
    const completed = async (...line: readonly string[]) =>
      (await typed(['--get-yargs-completions', 'spillway', ...line], temporaryFolder())).out.split('\n');
    expect(await completed('run', '--s')).toContain('--seed');
    expect(await completed('')).toEqual(expect.arrayContaining(['run', 'plan', 'check', 'report', 'sandbox', 'init']));
    vi.unstubAllEnvs();
  });
});

describe('a module that ends while it is loaded', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['process.exit(0);', 'ended the process while it was loaded'],
    [
      'await new Promise(() => {});\nexport default {};',
      'never finished loading: it waits for something that never happens',
    ],
  ])('is told, and is no run that passed: %s', async (text, what) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 's.ts'), `${text}\n`);
    const { code, out, err } = await spillway(['run', 's.ts'], { cwd });
    expect([code, out, err]).toEqual([107, '', `spillway: s.ts ${what}; correct the file, or what it imports\n`]);
  });
});
