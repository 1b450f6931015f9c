import { describe, expect, test } from 'vitest';
import { WrittenLoadModels } from '../load-models/written.ts';
import { ask, at, head, problemsOf } from './bad-input.exam.ts';

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
        `${at(3, 19, 'phases[0].load[0]')}: must be an object, not null; write { model: …, … }, with one of ${WrittenLoadModels.options.map(({ shape }) => shape.model.value).join(', ')}`,
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
    [
      'a model by the name of what every object has',
      `name: bad\n${ask}phases: [{ name: a, load: { model: constructor } }, { name: b, load: { model: burst, count: 1 } }]\n`,
      [
        `${at(3, 36, 'phases[0].load.model')}: there is no model "constructor"; write one of ${WrittenLoadModels.options.map(({ shape }) => shape.model.value).join(', ')}`,
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
