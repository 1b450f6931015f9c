import { isMainThread } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { stepNames } from '../schema/steps.ts';
import { ask, at, head, problemsOf, steps } from './bad-input.exam.ts';
import { parseShape } from './shape.ts';

describe('journeys, users and data', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'an unknown application',
      `${head}${ask}applications: { first: null }\nusers: [{ id: a, application: frist }]\n`,
      [`${at(5, 31, 'users[0].application')}: there is no application "frist"; did you mean first?`],
    ],
    [
      'a user listed twice',
      `${head}${ask}applications: { x: null, y: null }\nusers: [{ id: a }, { id: a, application: y }, { id: a, application: x }]\n`,
      [
        `${at(5, 53, 'users[2].id')}: user "a" is listed twice; name each user once; more arrivals than users reuse them in turn`,
      ],
    ],
    [
      'what to do when a cap is full, and no cap',
      `${head}${ask}caps: { whenFull: drop }\n`,
      [
        `${at(4, 9, 'caps.whenFull')}: has no effect without a cap; remove it, or add inFlight, openTurns or requestsPerMinute`,
      ],
    ],
    [
      'distributions that are none',
      `${head}${ask}sandbox: { latency: { queued: 1s, processing: null } }\n`,
      [
        `${at(4, 31, 'sandbox.latency.queued')}: must be an object, not "1s"; write { distribution: …, … }, with one of constant, uniform, lognormal, exponential`,
        `${at(4, 47, 'sandbox.latency.processing')}: must be an object, not null; write { distribution: …, … }, with one of constant, uniform, lognormal, exponential`,
      ],
    ],
    [
      'users without ids',
      `${head}${ask}users: [{}, {}, null]\n`,
      [
        `${at(4, 9, 'users[0].id')}: is missing; write text`,
        `${at(4, 13, 'users[1].id')}: is missing; write text`,
        `${at(4, 17, 'users[2]')}: must be an object, not null; write {} for an object without members`,
      ],
    ],
    [
      'no application',
      `${head}${ask}applications: {}\n`,
      [`${at(4, 15, 'applications')}: names no application; name one, or leave it out`],
    ],
    [
      'a secret in the file',
      `${head}${ask}applications: { a: { clientId: "\${env.ID}", clientSecret: hunter2 } }\n`,
      [
        `${at(4, 59, 'applications.a.clientSecret')}: must name an environment variable, as \${env.NAME}: secrets must not be in files`,
      ],
    ],
    [
      'secrets in the wrong places, which are not repeated',
      `${head}${ask}applications: { a: { clientId: 271828, clientSecret: [hunter2] }, b: hunter2 }\nprofile: { name: p, credentials: hunter2 }\n`,
      [
        `${at(4, 32, 'applications.a.clientId')}: must be text, not a number; take it from the environment: "\${env.NAME}"`,
        `${at(4, 54, 'applications.a.clientSecret')}: must be text, not a list; take it from the environment: "\${env.NAME}"`,
        `${at(4, 70, 'applications.b')}: must be an object, not this text; it takes clientId, clientSecret`,
        `${at(5, 34, 'profile.credentials')}: must be an object, not this text; it takes clientId, clientSecret`,
      ],
    ],
    [
      'a weight of nothing',
      `${head}journeys: { ask: { weight: 0, steps: [{ pause: 1s }] } }\n`,
      [`${at(3, 28, 'journeys.ask.weight')}: must be above 0`],
    ],
    [
      'members of a journey that is called like the list of its steps',
      `${head}journeys: { steps: { onRefused: never, steps: [{ pause: 1s }] } }\n`,
      [
        `${at(3, 33, 'journeys.steps.onRefused')}: must be stop, continue or a retry policy, not "never"; write for example retry: { max: 3 }`,
      ],
    ],
    ['a flag for a number', `${head}${ask}seed: true\n`, [`${at(4, 7, 'seed')}: must be a number, not true`]],
    ['no journeys', `${head}journeys: {}\n`, [`${at(3, 11, 'journeys')}: needs at least one journey`]],
    ['no steps', `${head}journeys: { ask: {} }\n`, [`${at(3, 18, 'journeys.ask.steps')}: is missing; write a list`]],
    [
      'a journey of no name',
      `${head}journeys: { "a b": { steps: [{ pause: 1s }] } }\n`,
      [
        `${at(3, 13, 'journeys["a b"]')}: "a b" must be 1 to 64 letters without accents, digits, hyphens or underscores`,
      ],
    ],
    [
      'a name that is a path',
      `name: ../up\n${ask}load: { model: burst, count: 1 }\n`,
      [
        `${at(1, 7, 'name')}: must be 1 to 64 letters without accents, digits, dots, hyphens or underscores, beginning with a letter or a digit: it names the results folder`,
      ],
    ],
    [
      'a file of data without its key',
      `${head}${ask}data: { people: people.csv }\n`,
      [`${at(4, 17, 'data.people')}: must be an object, not "people.csv"; write { file: people.csv }`],
    ],
    ['an unknown key', `${head}${ask}sead: 4\n`, [`${at(4, 1, 'sead')}: unknown key "sead"; did you mean seed?`]],
    [
      'a name where none is replaced',
      `${head}${ask}variables: { a: "\${user.id}" }\n`,
      [
        `${at(4, 17, 'variables.a')}: \${user.id} is not replaced here; only env.NAME is; other names work in the texts of steps`,
      ],
    ],
    [
      'a data file that is not there',
      `${head}${ask}data: { cities: { file: gone.csv } }\n`,
      [`${at(4, 25, 'data.cities.file')}: there is no file gone.csv; the path is relative to the scenario`],
    ],
    [
      'a profile that is not there',
      `${head}${ask}profile: gone.yaml\n`,
      [`${at(4, 10, 'profile')}: there is no file gone.yaml; the path is relative to the scenario`],
    ],
    ['a profile of no name', `${head}${ask}profile: ""\n`, [`${at(4, 10, 'profile')}: must not be empty`]],
    [
      'an instant that is none',
      `${head}${ask}sandbox: { startTime: yesterday }\n`,
      [`${at(4, 23, 'sandbox.startTime')}: must be an instant; write for example 2026-11-21T09:00:00Z`],
    ],
    ['an empty file', '', ['s.yaml:1:1: the file is empty; spillway init writes files to start from']],
    [
      'a list',
      '- a\n',
      [expect.stringMatching(/^s\.yaml:1:1: must be an object, not a list; it takes \$schema, name, /)],
    ],
    [
      'a list where there are names, or a distribution',
      'name: bad\nload: { model: closed-users, users: 1, duration: 9s, think: [1s, 3s] }\njourneys: [a]\ngates: [b]\n',
      [
        `${at(2, 61, 'load.think')}: must be a duration such as 250ms, 1.5s or 2min or an object, not a list; write for example 2s, or { distribution: uniform, min: 1s, max: 3s }`,
        `${at(3, 11, 'journeys')}: must be an object, not a list; write { NAME: … }`,
        `${at(4, 8, 'gates')}: must be an object, not a list; write { NAME: … }`,
      ],
    ],
    [
      'another kind of value where the schema names members or texts',
      `name: bad\nload: { model: burst, count: 1, journeys: { ask: 1 }, onlyUsers: u1 }\n${ask}onError: { retry: { backoff: 50ms } }\nprofile: { limits: { rate: { counts: sendMessage } }, stream: none }\n`,
      [
        `${at(2, 43, 'load.journeys')}: must be a list, not an object; write texts in brackets, for example [a, b]`,
        `${at(2, 66, 'load.onlyUsers')}: must be a list, not "u1"; write texts in brackets, for example [a, b]`,
        `${at(4, 30, 'onError.retry.backoff')}: must be an object, not "50ms"; it takes first, factor, ceiling, jitter`,
        `${at(5, 38, 'profile.limits.rate.counts')}: must be a list, not "sendMessage"; write for example [issueToken]`,
        `${at(5, 63, 'profile.stream')}: must be an object, not "none"; it takes path and events, or write null where the service has none`,
      ],
    ],
  ])('%s', async (_, text, problems) => {
    expect(await problemsOf({ 's.yaml': text })).toEqual(problems);
  });

  test('invalid YAML', async () => {
    expect(await problemsOf({ 's.yaml': 'name: [a\nload: }' })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^s\.yaml:2:\d+: not valid YAML: /)]),
    );
  });
});

test('a mistyped "journeys" is the only problem of the texts below it', async () => {
  const text = `${head.replace('count: 1', 'count: 1, journeys: [ask]')}jurneys: { ask: { steps: [sendMessage: { message: "Hi \${user.id}" }] } }\n`;
  expect(await problemsOf({ 's.yaml': text })).toEqual([
    `${at(3, 1, 'jurneys')}: unknown key "jurneys"; did you mean journeys?`,
  ]);
});

describe('what a user of k6 writes', () => {
  test('is reported with the name used here', async () => {
    const k6 = `name: k6\nvus: 3\nthresholds: {}\nload: { model: ramping-vus, stages: [] }\n${ask}`;
    expect(await problemsOf({ 's.yaml': k6 })).toEqual([
      `${at(2, 1, 'vus')}: unknown key "vus"; write load: { model: closed-users, users: N, duration: … }`,
      `${at(3, 1, 'thresholds')}: unknown key "thresholds"; k6's thresholds are gates: { METRIC: EXPRESSION }`,
      `${at(4, 16, 'load.model')}: there is no model "ramping-vus"; it is called ramping-users here`,
      `${at(4, 37, 'load.stages')}: needs at least 1 item`,
    ]);
    const executor = `name: k6\nstages: []\nscenarios: {}\nload: { model: burst, count: 1, executor: constant-vus }\n${ask}`;
    expect(await problemsOf({ 's.yaml': executor })).toEqual([
      `${at(2, 1, 'stages')}: unknown key "stages"; write load: { model: ramping-rate, … } or { model: ramping-users, … }, which have stages`,
      `${at(3, 1, 'scenarios')}: unknown key "scenarios"; k6's scenarios are a list below load (side by side) or below phases (one after the other)`,
      `${at(4, 33, 'load.executor')}: unknown key "executor"; k6's executor is the model of a load`,
    ]);
  });

  test('is named also where k6 has it beside its stages', async () => {
    const options = `name: k6\nduration: 30s\niterations: 5\nbaseUrl: http://127.0.0.1\n${ask}load: { model: burst, count: 1 }\n`;
    expect(await problemsOf({ 's.yaml': options })).toEqual([
      `${at(2, 1, 'duration')}: unknown key "duration"; loads with a rate or with users have it: load: { model: constant-rate, rate: 20/min, duration: 30s }`,
      `${at(3, 1, 'iterations')}: unknown key "iterations"; write load: { model: shared-iterations, users: N, iterations: N }`,
      `${at(4, 1, 'baseUrl')}: unknown key "baseUrl"; the service is named by --target, or by baseUrl in the profile`,
    ]);
  });

  test('in a step or a stage, too', async () => {
    const load = 'load: { model: ramping-rate, from: 1/s, stages: [{ target: 20/s, duration: 1s }] }';
    const scenario = `name: k6\n${load}\njourneys: { ask: { steps: [sleep: 1] } }\n`;
    expect(await problemsOf({ 's.yaml': scenario })).toEqual([
      `${at(2, 50, 'load.stages[0].to')}: is missing; write for example 20/min, 0.5/s or 0/s`,
      `${at(2, 52, 'load.stages[0].target')}: unknown key "target"; k6's target of a stage is to; the service is named by --target, or by baseUrl in the profile`,
      `${at(3, 28, 'journeys.ask.steps[0].sleep')}: there is no step "sleep"; k6's sleep is the step pause: 1s`,
    ]);
  });

  test('a CSV file with another separator', async () => {
    const scenario = `${head}data: { q: { file: q.csv } }\njourneys: { ask: { steps: [{ createConversation: { title: "\${data.q.title}" } }] } }\n`;
    expect(await problemsOf({ 's.yaml': scenario, 'q.csv': 'title;question\na;b\n' })).toEqual([
      expect.stringMatching(
        /: "q" has no column "title"; its only column is "title;question": separate columns by commas, not by semicolons$/,
      ),
    ]);
  });
});

describe('more mistakes than anybody reads', () => {
  const unknown = (line: number) =>
    `${at(line, 9, `journeys.ask.steps[${line - 6}].wait`)}: there is no step "wait"; write one of ${stepNames.join(', ')}`;

  test('are reported up to the hundredth, with the number of the others', async () => {
    const problems = await problemsOf({ 's.yaml': steps(...Array.from({ length: 150 }, () => 'wait: 1s')) });
    expect(problems).toHaveLength(101);
    expect(problems.slice(0, 1)).toEqual([unknown(6)]);
    expect(problems.slice(99)).toEqual([unknown(105), 's.yaml: has 50 more problems, probably of the same kind']);
  });

  // A thread's stack, on which mutants are tried, has room for more of them.
  test.runIf(isMainThread)('are looked for in the first items of lists if there are more than can be listed', () => {
    const found = parseShape(z.array(z.array(z.int())), [Array(200_000).fill('many')]);
    const faults = found.ok ? [] : found.faults;
    expect(faults).toHaveLength(10_001);
    const message = 'has too many mistakes to look for all: those after item 10000 of a list or map are left out';
    expect(faults.slice(0, 2)).toEqual([
      { path: [], message },
      { path: [0, 0], message: 'must be a number, not "many"' },
    ]);
  });
});
