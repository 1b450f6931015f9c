import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../load.ts';
import { ask, at, head, problemsOf } from './bad-input.exam.ts';

describe('several files', () => {
  const profile = 'name: remote\nbaseUrl: api.example.com\nlimit: {}\nlimits: { rate: { max: 0 } }\n';
  const profileProblems = [
    'p.yaml:2:10 baseUrl: must be an address; write for example https://api.example.com',
    'p.yaml:3:1 limit: unknown key "limit"; did you mean limits?',
    'p.yaml:4:24 limits.rate.max: must be at least 1',
  ];

  test('have their problems reported together, each in its own order', async () => {
    const scenario = `name: bad\nprofile: p.yaml\n${ask}load: { model: burst, count: 0 }\nseed: -1\ndata: { a: { file: a.csv }, b: { file: b.json } }\n`;
    expect(await problemsOf({ 's.yaml': scenario, 'p.yaml': profile, 'a.csv': 'x,y\n1\n', 'b.json': '{}' })).toEqual([
      `${at(4, 30, 'load.count')}: must be at least 1`,
      `${at(5, 7, 'seed')}: must be at least 0`,
      ...profileProblems,
      'a.csv:2:1: has 1 field where the header has 2; put fields that hold a comma in quotes',
      'b.json: must be an array of objects; write for example [{ "city": "Geneva" }]',
    ]);
  });

  test('problems of the profile from the command line are reported with a scenario that is invalid YAML', async () => {
    const problems = await problemsOf({ 's.yaml': '"', 'p.yaml': profile }, { profileFile: 'p.yaml' });
    expect(problems[0]).toMatch(/^s\.yaml:1:\d+: not valid YAML: /);
    expect(problems.slice(1)).toEqual(profileProblems);
  });

  test('a file of another kind is told for what it is, instead of by its keys', async () => {
    const scenario = `${head}${ask}deadline: 1s\n`;
    const asProfile =
      'p.yaml: is a scenario, not a profile; name it as the scenario; a profile has baseUrl, limits and more';
    expect(await problemsOf({ 's.yaml': scenario, 'p.yaml': scenario }, { profileFile: 'p.yaml' })).toEqual([
      asProfile,
    ]);
    expect(await problemsOf({ 's.yaml': `${scenario}profile: p.yaml\n`, 'p.yaml': scenario })).toEqual([asProfile]);
    expect(await problemsOf({ 's.yaml': profile })).toEqual([
      's.yaml: is a profile, not a scenario; name a scenario, and this file with --profile s.yaml',
    ]);
    expect(await problemsOf({ 's.yaml': '{ format: spillway-run, version: 1, runId: x }' })).toEqual([
      's.yaml: is a result of a run (spillway-run), not a scenario; a scenario is what the run was started with',
    ]);
    // Keys of both, or of neither, are told one by one.
    const both = { 's.yaml': `${scenario}profile: p.yaml\n`, 'p.yaml': 'limits: {}\ndeadline: 1s\n' };
    expect(await problemsOf(both)).toEqual([expect.stringMatching(/^p\.yaml:2:1 deadline: unknown key "deadline"; /)]);
    expect(await problemsOf({ 's.yaml': `${scenario}limits: {}\n` })).toHaveLength(1);
    expect(await problemsOf({ 's.yaml': 'name: x\n' })).toHaveLength(2);
  });

  test('the folder of a run and its journal are told for what they are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'spillway-run-'));
    const journal = join(folder, 'history.ndjson');
    writeFileSync(journal, '{}\n');
    const told = (file: string) => loadScenario(file, { env: {} }).catch((error: Error) => error.message);
    const advice = (run: string) => `to judge it, write spillway check ${run}; for its files, spillway report ${run}`;
    expect(await told(folder)).toBe(`${folder}: is the folder of a run, not a scenario; ${advice(folder)}`);
    expect(await told(journal)).toBe(`${journal}: is the journal of a run, not a scenario; ${advice(journal)}`);
    const rounds = mkdtempSync(join(tmpdir(), 'spillway-rounds-'));
    writeFileSync(join(rounds, 'rounds.json'), '{}\n');
    expect(await told(rounds)).toBe(
      `${rounds}: is the folder of repeated runs, not a scenario; spillway check judges each run below it`,
    );
  });

  test('a profile within the scenario has its place there', async () => {
    expect(await problemsOf({ 's.yaml': `${head}${ask}profile:\n  limits: { rate: { windw: 60s } }\n` })).toEqual([
      `${at(5, 21, 'profile.limits.rate.windw')}: unknown key "windw"; did you mean window?`,
    ]);
  });

  test('a profile with a number in place of a list', async () => {
    const profile = '  errorCodes: { otherStatuses: 503 }\n  success: { readTurn: 203 }\n';
    expect(await problemsOf({ 's.yaml': `${head}${ask}profile:\n${profile}` })).toEqual([
      `${at(5, 32, 'profile.errorCodes.otherStatuses')}: must be a list, not 503; write [503]`,
      `${at(6, 24, 'profile.success.readTurn')}: must be a list, not 203; write [203]`,
    ]);
  });

  test('a profile whose members contradict one another', async () => {
    const contradictory = `limits: { rate: { window: 0, counts: [] } }
limitOrder: [rate, rate, daily]
errorCodes: { rate: [busy], daily: [busy], otherStatuses: [503, 404, 429, 200] }
turns: { open: [queued], completed: [queued] }
stream: { path: /streams }
client: { deadline: 0, proxy: "ftp://example.com" }
success: { openStream: [200] }
`;
    expect(await problemsOf({ 's.yaml': `${head}${ask}profile: p.yaml\n`, 'p.yaml': contradictory })).toEqual([
      'p.yaml:1:27 limits.rate.window: must be at least 1ms; write for example 30s',
      'p.yaml:1:38 limits.rate.counts: needs at least 1 item',
      'p.yaml:2:13 limitOrder: must name each limit once; write for example [rate, daily, concurrency]',
      'p.yaml:3:13 errorCodes: one code stands for two limits; leave it in the list of the one that it names, or out of all where it is used for several',
      'p.yaml:3:65 errorCodes.otherStatuses[1]: must not be one of 401, 404, 407, 413, 422, which say something else',
      'p.yaml:3:70 errorCodes.otherStatuses[2]: must not be 429, which always is a refusal',
      'p.yaml:3:75 errorCodes.otherStatuses[3]: must be at least 400',
      'p.yaml:4:8 turns: one status stands in two of open, completed and failed; leave it in one',
      'p.yaml:5:17 stream.path: must begin with / and hold {turn_id}; write for example /api/partners/v1/turns/{turn_id}/stream',
      'p.yaml:6:21 client.deadline: must be at least 1ms; write for example 30s',
      'p.yaml:6:31 client.proxy: must be the address of an HTTP proxy; write for example http://proxy.example:3128',
      'p.yaml:7:24 success.openStream: must name 101: a WebSocket is open with that status and no other',
    ]);
  });

  const fromEnvironment =
    'take them from the environment: "http://${env.PROXY_USER}:${env.PROXY_PASSWORD}@proxy.example:3128", or "${env.PROXY_URL}" as a whole';
  test.each([
    ['http://bob:hunter2@proxy.example:3128', true],
    ['http://bob:x${env.PASSWORD}@proxy.example:3128', true],
    ['https://tok3n@proxy.example', true],
    ['http://bob:${env.PASSWORD}@proxy.example:3128', false],
    ['http://${env.USERNAME}:${env.PASSWORD}@proxy.example:3128', false],
    ['${env.PROXY_URL}', false],
    ['http://proxy.example:3128', false],
  ])('credentials of a proxy come from the environment alone: %s is refused: %s', async (proxy, isRefused) => {
    const env = { USERNAME: 'bob', PASSWORD: 'hunter2', PROXY_URL: 'http://bob:hunter2@proxy.example:3128' };
    const profile = `client: { proxy: "${proxy}" }`;
    const refusal = `client.proxy: must not contain credentials; ${fromEnvironment}`;
    const inFile = { 's.yaml': `${head}${ask}profile: p.yaml\n`, 'p.yaml': profile };
    expect(await problemsOf(inFile, { env })).toEqual(isRefused ? [`p.yaml:1:18 ${refusal}`] : []);
    const inline = { 's.yaml': `${head}${ask}profile: { ${profile} }\n` };
    expect(await problemsOf(inline, { env })).toEqual(isRefused ? [`s.yaml:4:29 profile.${refusal}`] : []);
  });

  test('gateway headers that the transport writes, that have invalid names, are duplicates, or are secrets in a file', async () => {
    const headers = `client:
  headers:
    Host: example.com
    a b: c
    x-team: load
    X-Team: other
    x-api-key: hunter2
    x-other-key: "${'${env.KEY}'}"
`;
    expect(await problemsOf({ 's.yaml': `${head}${ask}profile: p.yaml\n`, 'p.yaml': headers })).toEqual([
      'p.yaml:3:5 client.headers.Host: "Host" is written by the transport; leave it out',
      'p.yaml:4:5 client.headers["a b"]: "a b" must be the name of a header',
      'p.yaml:6:5 client.headers.X-Team: is the same header as x-team; keep one of them',
      'p.yaml:7:16 client.headers.x-api-key: must come from the environment; write for example x-api-key: "${env.GATEWAY_KEY}"',
    ]);
  });

  test('a certificate without its key', async () => {
    const half = 'client: { certFile: own.pem }\n';
    expect(await problemsOf({ 's.yaml': `${head}${ask}profile: p.yaml\n`, 'p.yaml': half })).toEqual([
      'p.yaml:1:9 client: certFile and keyFile belong together; give both or neither',
    ]);
  });

  test.each(['queued: [waiting]', 'queued: [open], processing: [open]'])(
    'a status that is not one of the open ones, or two of them: %s',
    async (lists) => {
      const turns = `turns: { open: [open], ${lists} }\n`;
      expect(await problemsOf({ 's.yaml': `${head}${ask}profile: p.yaml\n`, 'p.yaml': turns })).toEqual([
        'p.yaml:1:8 turns: queued and processing divide what open has; name each status there, and in one of the two at most',
      ]);
    },
  );

  test('a profile with impossible numbers', async () => {
    const wrong = `limits: { rate: { max: 1000000000, window: 60s } }
turns: { staleFor: -1 }
history: { limitParameter: "" }
`;
    expect(await problemsOf({ 's.yaml': `${head}${ask}profile: p.yaml\n`, 'p.yaml': wrong })).toEqual([
      'p.yaml:1:24 limits.rate.max: must not be more than one per microsecond of the window',
      'p.yaml:2:20 turns.staleFor: must be a duration such as 250ms, 1.5s or 2min, not -1',
      'p.yaml:3:28 history.limitParameter: must not be empty',
    ]);
  });

  test('a missing profile from the command line', async () => {
    expect(await problemsOf({ 's.yaml': head + ask }, { profileFile: 'gone.yaml' })).toEqual([
      'gone.yaml: cannot be read: no such file; check the path',
    ]);
  });
});
