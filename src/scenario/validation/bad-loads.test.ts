import { describe, expect, test } from 'vitest';
import { WrittenLoadModels } from '../load-models/written.ts';
import { ask, at, problemsOf } from './bad-input.exam.ts';

describe('load and phases', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'an unknown model',
      `name: bad\n${ask}load: { model: burts, count: 1 }\n`,
      [`${at(3, 16, 'load.model')}: there is no model "burts"; did you mean burst?`],
    ],
    [
      'no model',
      `name: bad\n${ask}load: { count: 1 }\n`,
      [
        `${at(3, 7, 'load.model')}: is missing; write one of ${WrittenLoadModels.options.map(({ shape }) => shape.model.value).join(', ')}`,
      ],
    ],
    [
      'a model that is a number',
      `name: bad\n${ask}load: 5\n`,
      [`${at(3, 7, 'load')}: must be an object or a list, not 5; write for example { model: burst, count: 1 }`],
    ],
    [
      'the name of a model alone',
      `name: bad\n${ask}load: [burst]\n`,
      [`${at(3, 8, 'load[0]')}: must be an object, not "burst"; write { model: burst, … }`],
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
  ])('%s', async (_, text, problems) => {
    expect(await problemsOf({ 's.yaml': text })).toEqual(problems);
  });
});
