import { describe, expect, test } from 'vitest';
import { ask, at, head, problemsOf } from './bad-input.exam.ts';
import { onlyUsersFaults } from './validation/only-users.ts';

describe('load and phases', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'neither load nor phases',
      `name: bad\n${ask}`,
      [`${at(1, 1, '').trim()}: has neither load nor phases; write for example load: { model: burst, count: 1 }`],
    ],
    [
      'both',
      `${head}${ask}phases: [{ name: a, load: [{ model: burst, count: 1 }] }]\n`,
      [`${at(4, 1, 'phases')}: cannot be combined with load; keep one of them: each phase has its own load`],
    ],
    [
      'an unknown model',
      `name: bad\n${ask}load: { model: burts, count: 1 }\n`,
      [`${at(3, 16, 'load.model')}: there is no model "burts"; did you mean burst?`],
    ],
    [
      'no model',
      `name: bad\n${ask}load: { count: 1 }\n`,
      [
        `${at(3, 7, 'load.model')}: is missing; write one of constant-rate, ramping-rate, steps, spike, poisson, gamma, burst, replay, paced-to-limits, closed-users, ramping-users, shared-iterations, per-user-iterations`,
      ],
    ],
    [
      'a model that is a number',
      `name: bad\n${ask}load: 5\n`,
      [`${at(3, 7, 'load')}: must be an object or a list, not 5; write for example { model: burst, count: 1 }`],
    ],
    [
      'a rate without a unit',
      `name: bad\n${ask}load: { model: constant-rate, rate: 20, duration: 1m }\n`,
      [`${at(3, 37, 'load.rate')}: must be a rate with its unit, not 20; write for example 20/min, 0.5/s or 50/day`],
    ],
    [
      'a rate of no kind',
      `name: bad\n${ask}load: { model: constant-rate, rate: 20 per minute, duration: 1m }\n`,
      [`${at(3, 37, 'load.rate')}: "20 per minute" is not a rate; write for example 20/min, 0.5/s or 50/day`],
    ],
    [
      'no time',
      `name: bad\n${ask}load: { model: constant-rate, rate: 20/min, duration: 0 }\n`,
      [`${at(3, 55, 'load.duration')}: must be longer than 0; write for example 30s`],
    ],
    [
      'a rate of nothing',
      `name: bad\n${ask}load: { model: constant-rate, rate: 0.00000000001/day, duration: 1m }\n`,
      [`${at(3, 7, 'load')}: constant-rate plans no arrivals; check the units of its rate and its times`],
    ],
    [
      'times that nobody lives to see',
      `name: bad\n${ask}load: [{ model: burst, count: 5, gap: 50000d }, { model: burst, count: 1000000, gap: 1d }]\n`,
      [
        `${at(3, 39, 'load[0].gap')}: "50000d" is longer than ten years; write for example 250ms, 1.5s, 2min or 1h`,
        `${at(3, 49, 'load[1]')}: burst lasts more than ten years; lower its count or its gap`,
      ],
    ],
    [
      'a ramp without rates',
      `name: bad\n${ask}load: { model: ramping-rate, stages: [{ to: 0/s, duration: 1m }, { to: 5/s, duration: 0 }] }\n`,
      [`${at(3, 7, 'load')}: ramping-rate plans no arrivals; raise a "to", or the duration of a stage`],
    ],
    [
      'a ramp to something that is no rate',
      `name: bad\n${ask}load: { model: ramping-rate, from: 0, stages: [{ to: 0/parsec, duration: 1m }] }\n`,
      [
        `${at(3, 36, 'load.from')}: must be a rate with its unit, not 0; write for example 20/min, 0.5/s or 0/s`,
        `${at(3, 54, 'load.stages[0].to')}: "0/parsec" is not a rate; write for example 20/min, 0.5/s or 0/s`,
      ],
    ],
    [
      'a unit that was mistaken',
      `name: bad\n${ask}load: { model: poisson, rate: 20000000/s, duration: 1h }\n`,
      [`${at(3, 7, 'load')}: poisson plans more than 100,000,000 arrivals; check the units of its rate and its times`],
    ],
    [
      'as much at random',
      `name: bad\n${ask}load: { model: gamma, rate: 200000/s, duration: 1000s, burstiness: 2 }\n`,
      [`${at(3, 7, 'load')}: gamma plans more than 100,000,000 arrivals; check the units of its rate and its times`],
    ],
    [
      'nothing: as much as there may be',
      `name: bad\n${ask}load: [{ model: constant-rate, rate: 1000000/s, duration: 1000s }, { model: steps, from: 10000/s, by: 10000/s, steps: 10, each: 1818s }, { model: ramping-users, from: 5, stages: [{ to: 0, duration: 1m }] }]\n`,
      [],
    ],
    [
      'one step more than there may be',
      `name: bad\n${ask}load: { model: steps, from: 10000/s, by: 10000/s, steps: 10, each: 1819s }\n`,
      [`${at(3, 7, 'load')}: steps plans more than 1,000,000,000 arrivals; check the units of its rate and its times`],
    ],
    [
      'a spike of as much as there may be, and one second before or after it more',
      `name: bad\n${ask}load:\n${[
        [400, 300],
        [401, 300],
        [400, 301],
      ]
        .map(
          ([before, after]) =>
            `  - { model: spike, base: 1000000/s, peak: 1000000/s, before: ${before}s, ramp: 100s, hold: 100s, after: ${after}s }\n`,
        )
        .join('')}`,
      [5, 6].map(
        (line) =>
          `${at(line, 5, `load[${line - 4}]`)}: spike plans more than 1,000,000,000 arrivals; check the units of its rate and its times`,
      ),
    ],
    [
      'a burstiness of nothing',
      `name: bad\n${ask}load: { model: gamma, rate: 2/s, duration: 1m, burstiness: 0 }\n`,
      [`${at(3, 60, 'load.burstiness')}: must be at least 0.01`],
    ],
    [
      'a ramp to as much as there may be, and one second more',
      `name: bad\n${ask}load: [2000s, 2001s]\n`.replaceAll(
        /\d{4}s/g,
        '{ model: ramping-rate, stages: [{ to: 1000000/s, duration: $& }] }',
      ),
      [
        `${at(3, 79, 'load[1]')}: ramping-rate plans more than 1,000,000,000 arrivals; check the units of its rate and its times`,
      ],
    ],
    [
      'users who come for no time',
      `name: bad\n${ask}load: { model: ramping-users, stages: [{ to: 5, duration: 0s }, { to: 0, duration: 0s }] }\n`,
      [`${at(3, 7, 'load')}: ramping-users has no users at any time; raise a "to", or the duration of a stage`],
    ],
    [
      'users who never come',
      `name: bad\n${ask}load: { model: ramping-users, stages: [{ to: 0, duration: 1m }] }\n`,
      [`${at(3, 7, 'load')}: ramping-users has no users at any time; raise a "to", or the duration of a stage`],
    ],
    [
      'a model that is unknown, and what is wrong whatever was meant',
      `name: bad\n${ask}load: [{ model: brust, cuont: 3, journeys: [asc], start: 5, sizes: 1, from: -1 }]\n`,
      [
        `${at(3, 17, 'load[0].model')}: there is no model "brust"; did you mean burst?`,
        `${at(3, 24, 'load[0].cuont')}: unknown key "cuont"; did you mean count?`,
        `${at(3, 45, 'load[0].journeys[0]')}: there is no journey "asc"; did you mean ask?`,
        `${at(3, 58, 'load[0].start')}: must be a duration such as 250ms, 1.5s or 2min, not 5; write 5s or 5ms`,
        `${at(3, 61, 'load[0].sizes')}: unknown key "sizes"; no model has it`,
      ],
    ],
    [
      'a model that is missing, and what is wrong whatever was meant',
      `name: bad\n${ask}load: { mode: constant-rate, rate: 20, duration: 0 }\n`,
      [
        `${at(3, 9, 'load.mode')}: unknown key "mode"; did you mean model?`,
        `${at(3, 36, 'load.rate')}: must be a rate with its unit, not 20; write for example 20/min, 0.5/s or 50/day`,
        `${at(3, 50, 'load.duration')}: must be longer than 0; write for example 30s`,
      ],
    ],
    [
      'iterations of nobody',
      `name: bad\n${ask}load: { model: shared-iterations, user: 3, iterations: 0 }\n`,
      [
        `${at(3, 35, 'load.user')}: unknown key "user"; did you mean users?`,
        `${at(3, 56, 'load.iterations')}: must be at least 1`,
      ],
    ],
    [
      'a recording that is not there',
      `name: bad\n${ask}load: { model: replay, file: times.csv, sped: 2 }\n`,
      [
        `${at(3, 30, 'load.file')}: there is no file times.csv; the path is relative to the scenario`,
        `${at(3, 41, 'load.sped')}: unknown key "sped"; did you mean speed?`,
      ],
    ],
    [
      'more than all that is allowed',
      `name: bad\n${ask}load: [{ model: paced-to-limits, duration: 1m, share: 1.5, turnsWithin: 1 }]\n`,
      [`${at(3, 55, 'load[0].share')}: must be at most 1`, `${at(3, 73, 'load[0].turnsWithin')}: must be below 1`],
    ],
    [
      'users without end',
      `name: bad\n${ask}load: { model: closed-users, users: 1 }\n`,
      [`${at(3, 7, 'load')}: closed-users needs duration or iterations; write for example iterations: 10`],
    ],
    [
      'an unknown journey',
      `name: bad\n${ask}load: [{ model: burst, count: 1 }, { model: burst, count: 1, journeys: [ask, asc] }]\n`,
      [`${at(3, 78, 'load[1].journeys[1]')}: there is no journey "asc"; did you mean ask?`],
    ],
    [
      'phases of one name',
      `name: bad\n${ask}phases:\n  - { name: a, load: [{ model: burst, count: 1 }], duration: 1s }\n  - { name: a, load: [{ model: burst, count: 1, journeys: [x] }] }\n`,
      [
        `${at(5, 13, 'phases[1].name')}: another phase is called "a"; give each phase a name of its own`,
        `${at(5, 60, 'phases[1].load[0].journeys[0]')}: there is no journey "x"; write one of ask`,
      ],
    ],
    [
      'phases without names, the first of which has no load',
      `name: bad\n${ask}phases: [{ load: [null] }, { load: { model: burst, count: 1 } }]\n`,
      [
        `${at(3, 10, 'phases[0].name')}: is missing; write text`,
        `${at(3, 19, 'phases[0].load[0]')}: must be an object, not null; write {} for an object without members`,
        `${at(3, 28, 'phases[1].name')}: is missing; write text`,
      ],
    ],
    [
      'phases that the next would begin with',
      `name: bad\n${ask}phases:\n  - { name: a, load: [{ model: burst, count: 5, gap: 0ms }, { model: burst, count: 1, gap: 1s }] }\n  - { name: b, load: [{ model: per-user-iterations, users: 1, iterations: 2 }] }\n  - { name: c, load: [{ model: closed-users, users: 1, iterations: 2 }], duration: 1s }\n  - { name: d, load: [{ model: burst, count: 2, gap: 1s }, { model: burst, count: 1 }] }\n  - { name: e, load: [{ model: burst, count: 1, start: 0h30m }] }\n  - { name: f, load: [{ model: burst, count: 1 }] }\n`,
      [
        `${at(4, 5, 'phases[0]')}: has no length of its own, so the next phase would begin at the same time; add for example duration: 30s`,
        `${at(5, 5, 'phases[1]')}: has no length of its own, so the next phase would begin at the same time; add for example duration: 30s`,
      ],
    ],
  ])('%s', async (_, text, problems) => {
    expect(await problemsOf({ 's.yaml': text })).toEqual(problems);
  });
});

describe('gracefulStop', () => {
  const fault = [
    `${at(2, 15, 'gracefulStop')}: counts from the planned end, but the load lasts until its iterations are done; give the load a duration, or write deadline, which counts from the start`,
  ];
  const faultsWith = (load: string) => problemsOf({ 's.yaml': `name: g\ngracefulStop: 5s\n${load}\n${ask}` });

  test.each<[string, string, readonly string[]]>([
    ['shared iterations', 'load: { model: shared-iterations, users: 2, iterations: 9 }', fault],
    [
      'one of several loads',
      'load: [{ model: burst, count: 1 }, { model: per-user-iterations, users: 2, iterations: 9 }]',
      fault,
    ],
    ['users without a duration', 'load: { model: closed-users, users: 2, iterations: 9 }', fault],
    ['users with a duration', 'load: { model: closed-users, users: 2, iterations: 9, duration: 5s }', []],
    ['iterations with a duration', 'load: { model: shared-iterations, users: 2, iterations: 9, duration: 5s }', []],
    ['own iterations with one', 'load: { model: per-user-iterations, users: 2, iterations: 9, duration: 5s }', []],
    [
      'a phase without a length',
      'phases: [{ name: a, load: { model: shared-iterations, users: 2, iterations: 9 } }]',
      fault,
    ],
    [
      'a phase with a length',
      'phases: [{ name: a, duration: 9s, load: { model: shared-iterations, users: 2, iterations: 9 } }]',
      [],
    ],
  ])('needs a planned end: %s', async (_, load, faults) => {
    expect(await faultsWith(load)).toEqual(faults);
  });

  test('within a load belongs beside it', async () => {
    const load = 'load: { model: burst, count: 1, gracefulStop: 30s }';
    expect(await problemsOf({ 's.yaml': `name: g\n${load}\n${ask}` })).toEqual([
      `${at(2, 33, 'load.gracefulStop')}: unknown key "gracefulStop"; write it once, beside load or phases: it counts from the planned end of the last phase`,
    ]);
  });
});

describe('onlyUsers', () => {
  const faultsWith = (users: string, only: string) =>
    problemsOf({ 's.yaml': `name: o\n${users}\nload: { model: burst, count: 1, onlyUsers: [${only}] }\n${ask}` });
  const [first, second] = ['load.onlyUsers[0]', 'load.onlyUsers[1]'];

  test.each<[string, string, string, readonly string[]]>([
    ['a label of counted users', 'users: 3', 'u1, u3', []],
    ['a label beyond them', 'users: 3', 'u4', [`${at(3, 45, first)}: there is no user "u4"; write u1 to u3`]],
    [
      'labels that no user has',
      'users: 3',
      'u0, u01, u1x',
      [
        `${at(3, 45, first)}: there is no user "u0"; write u1 to u3`,
        `${at(3, 49, second)}: there is no user "u01"; write u1 to u3`,
        `${at(3, 54, 'load.onlyUsers[2]')}: there is no user "u1x"; write u1 to u3`,
      ],
    ],
    ['an empty name', 'users: 3', '""', [`${at(3, 45, first)}: must not be empty`]],
    [
      'a variable that is not set',
      'users: 3',
      '"${env.NOBODY}"',
      [
        `${at(3, 45, first)}: the environment variable NOBODY is not set; set it with export NOBODY=… or pass -e NOBODY=…`,
      ],
    ],
    ['the one default user', 'seed: 1', 'u2', [`${at(3, 45, first)}: there is no user "u2"; write u1`]],
    ['an id and a label of listed users', 'users: [{ id: ann }, { id: bob }]', 'bob, u1', []],
    [
      'a mistyped id',
      'users: [{ id: ann }, { id: bob }]',
      'u2, amn',
      [`${at(3, 49, second)}: there is no user "amn"; did you mean ann?`],
    ],
    [
      'an id of two applications',
      'applications: { a: null, b: null }\nusers: [{ id: ann, application: a }, { id: ann, application: b }]',
      'ann',
      [`${at(4, 45, first)}: several users are called "ann"; write u1 or u2`],
    ],
  ])('%s', async (_, users, only, faults) => {
    expect(await faultsWith(users, only)).toEqual(faults);
  });

  test('a user whose id is no text has only its label', async () => {
    expect(await faultsWith('users: [{ id: {} }]', 'ann')).toEqual([
      expect.stringContaining('users[0].id: must be text, not an object'),
      `${at(3, 45, first)}: there is no user "ann"; write u1`,
    ]);
  });

  test('100,000 names among 100,000 users', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `ann-${index}`);
    const load = { model: 'burst', count: 1, onlyUsers: ids.with(-1, 'ann') };
    expect(onlyUsersFaults({ users: ids.map((id) => ({ id })), load })).toMatchObject([
      { path: ['load', 'onlyUsers', 99_999], message: 'there is no user "ann"' },
    ]);
  });
});
