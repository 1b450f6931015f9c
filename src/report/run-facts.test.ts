import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { documentedMembers } from './published-schema.ts';
import { redactCommandLine, runFactsJson, runFactsJsonSchema, writeRunFacts } from './run-facts.ts';
import type { RunFacts } from './schemas/run-facts.ts';

const facts: RunFacts = {
  runId: 'r1',
  startedAt: '2026-11-21T12:00:00.000Z',
  scenario: { name: 'tour', file: 'scenarios/tour.yaml' },
  target: 'https://user:hunter2@api.example/base',
  seed: 7,
  profile: { name: 'example', client: { proxy: 'http://me:hunter2@proxy.example:3128' } },
  versions: { spillway: '0.1.0', node: 'v20.20.2' },
  machine: { cpu: 'Some CPU', cores: 2, memoryBytes: 4e9, os: 'Linux', kernel: '6.1.0', architecture: 'x64' },
  commandLine: ['run', 'scenarios/tour.yaml', '-e', 'KEY=hunter2', '--seed', '7'],
};

describe('run.json', () => {
  it('has exactly the documented members, in order, and no user names or passwords of URLs', () => {
    const text = runFactsJson(facts);
    const written = JSON.parse(text);
    const members = documentedMembers(runFactsJsonSchema()).map(({ name }) => name);
    expect(Object.keys(written)).toEqual(members.filter((name) => !name.includes('.')));
    expect(text).not.toContain('hunter2');
    expect(written.target).toBe('https://api.example/base');
    expect(written.profile.client.proxy).toBe('http://proxy.example:3128');
    expect(written.machine.cores).toBe(2);
  });

  it('satisfies the published schema, which misses a member that is left out', () => {
    const validate = new Ajv2020({ allErrors: true }).compile(runFactsJsonSchema());
    validate(JSON.parse(runFactsJson(facts)));
    expect(validate.errors).toBeNull();
    const { machine: _, ...withoutMachine } = JSON.parse(runFactsJson(facts));
    expect(validate(withoutMachine)).toBe(false);
    expect(validate({ ...withoutMachine, machine: { ...facts.machine, cores: 'two' } })).toBe(false);
  });

  it('omits the target for the embedded sandbox', () => {
    const { target: _, ...embedded } = facts;
    expect(Object.keys(JSON.parse(runFactsJson(embedded)))).not.toContain('target');
  });

  it('is written atomically, without leftover files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spillway-facts-'));
    try {
      await writeRunFacts(join(folder, 'run.json'), facts);
      expect(await readdir(folder)).toEqual(['run.json']);
      expect(await readFile(join(folder, 'run.json'), 'utf8')).toBe(runFactsJson(facts));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('redactCommandLine', () => {
  it.each([
    [
      ['-e', 'CITY=Lausanne'],
      ['-e', 'CITY=[redacted]'],
    ],
    [
      ['--e', 'CITY=Lausanne', 'TOWN=Nyon', 'smoke.yaml'],
      ['--e', 'CITY=[redacted]', 'TOWN=[redacted]', 'smoke.yaml'],
    ],
    [
      ['-qye', 'CITY=Lausanne'],
      ['-qye', 'CITY=[redacted]'],
    ],
    [
      ['--env.x', 'CITY=Lausanne'],
      ['--env.x', 'CITY=[redacted]'],
    ],
    [
      ['--declared', 'daily=rolling', '--gate', 'rate_429<=0.1'],
      ['--declared', 'daily=rolling', '--gate', 'rate_429<=0.1'],
    ],
    [['-qeCITY=Lausanne'], ['-qeCITY=[redacted]']],
    [['--e=CITY=Lausanne'], ['--e=CITY=[redacted]']],
    [['-eCITY=Lausanne'], ['-eCITY=[redacted]']],
    [['--env=CITY=a=b'], ['--env=CITY=[redacted]']],
    [
      ['--client-secret', 's3cret'],
      ['--client-secret', '[redacted]'],
    ],
    [['--client-secret=s3cret'], ['--client-secret=[redacted]']],
    [['-password=s3cret'], ['-password=[redacted]']],
    [
      ['--token', '--yes'],
      ['--token', '--yes'],
    ],
    [
      ['--seed', '7', '--out', 'results/x'],
      ['--seed', '7', '--out', 'results/x'],
    ],
    [
      ['--set', 'variables.key=hunter2=3', '--set=variables={ key: hunter2 }', '--set', 'variables["a=b"]=c\nd'],
      ['--set', 'variables.key=[redacted]', '--set=variables=[redacted]', '--set', 'variables["a=b"]=[redacted]'],
    ],
    [
      ['--set', 'journeys.ask.steps[1].sendMessage.message=a = b', '--set', 'record.messages=true'],
      ['--set', 'journeys.ask.steps[1].sendMessage.message=[redacted]', '--set', 'record.messages=true'],
    ],
    [['--set=journeys={ ask: { steps: [{ sendMessage: { message: hi } }] } }'], ['--set=journeys=[redacted]']],
    // The same variable, in the other ways in which its path may be written.
    [
      ['--set', '["variables"].key=hunter2', '--set=["v\\u0061riables"]["a=b"]=c', '--set', '.variables.key=hunter2'],
      [
        '--set',
        '["variables"].key=[redacted]',
        '--set=["v\\u0061riables"]["a=b"]=[redacted]',
        '--set',
        '.variables.key=[redacted]',
      ],
    ],
    [
      ['--set', 'tokens.locale=fr-CH', '--set=load.rate=5/s'],
      ['--set', 'tokens.locale=fr-CH', '--set=load.rate=5/s'],
    ],
    [['--exit-on=a=b'], ['--exit-on=a=b']],
    [
      ['--declared', 'rate=gcra', '--gate', 'a=b'],
      ['--declared', 'rate=gcra', '--gate', 'a=b'],
    ],
  ])('%j becomes %j', (given, expected) => {
    expect(redactCommandLine(given)).toEqual(expected);
  });

  // All spellings that yargs accepts for -e.
  it.each([
    ['-e', 'KEY=hunter2'],
    ['-eKEY=hunter2'],
    ['-e=KEY=hunter2'],
    ['-eKEe=hunter2'],
    ['--e', 'KEY=hunter2'],
    ['--e=KEY=hunter2'],
    ['--env', 'KEY=hunter2'],
    ['--env=KEY=hunter2'],
    ['--env.x', 'KEY=hunter2'],
    ['--e.x=KEY=hunter2'],
    ['-qe', 'KEY=hunter2'],
    ['-qye', 'KEY=hunter2'],
    ['-eq', 'KEY=hunter2'],
    ['-qe=KEY=hunter2'],
    ['-e', '"KEY=hunter2"'],
    ['-e', 'A=1', 'KEY=hunter2'],
    ['--', 'KEY=hunter2'],
    ['-e', 'hunter2'],
    ['-e=hunter2'],
  ])('no value stands in %j', (...given) => {
    const redacted = redactCommandLine(['run', 'a.yaml', ...given, '--yes']).join(' ');
    expect(redacted).not.toContain('hunter2');
    expect(redacted).toMatch(/^run a\.yaml -.*\[redacted\] --yes$/);
  });
});
