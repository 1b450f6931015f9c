import { describe, expect, test } from 'vitest';
import { at, problemsOf, sent, steps } from './bad-input.exam.ts';

describe('policies and expectations', () => {
  const message = (member: string) => steps(`{ ${sent}, ${member} }`);
  test.each<[string, string, readonly string[]]>([
    [
      'a mistyped policy',
      'onRefused: stopp',
      [
        `${at(6, 55, 'journeys.ask.steps[0].onRefused')}: must be stop, continue or a retry policy, not "stopp"; did you mean stop?`,
      ],
    ],
    [
      'an unknown policy',
      'onError: retry',
      [
        `${at(6, 53, 'journeys.ask.steps[0].onError')}: must be stop, continue or a retry policy, not "retry"; write for example retry: { max: 3 }`,
      ],
    ],
    [
      'a policy of other keys',
      'onError: { retries: 3 }',
      [`${at(6, 55, 'journeys.ask.steps[0].onError.retries')}: unknown key "retries"; did you mean retry?`],
    ],
    [
      'a mistyped key of a retry',
      'onError: { retry: { maxx: 3 } }',
      [`${at(6, 64, 'journeys.ask.steps[0].onError.retry.maxx')}: unknown key "maxx"; did you mean max?`],
    ],
    [
      'a backoff below 1',
      'onError: { retry: { backoff: { factor: 0.5 } } }',
      [`${at(6, 83, 'journeys.ask.steps[0].onError.retry.backoff.factor')}: must be at least 1`],
    ],
    [
      'a ceiling below the first wait',
      'onError: { retry: { backoff: { first: 10s, ceiling: 1s } } }',
      [`${at(6, 96, 'journeys.ask.steps[0].onError.retry.backoff.ceiling')}: must not be below first`],
    ],
    ['a ceiling below the default of the first wait', 'onError: { retry: { backoff: { ceiling: 1ms } } }', []],
    [
      'ceilings of what does not grow or is not obeyed',
      'onError: { retry: { obeyRetryAfter: false, retryAfterCeiling: 5s, backoff: { factor: 1, ceiling: 9s } } }',
      [
        `${at(6, 87, 'journeys.ask.steps[0].onError.retry.retryAfterCeiling')}: has no effect with obeyRetryAfter: false; remove one of them`,
        `${at(6, 132, 'journeys.ask.steps[0].onError.retry.backoff.ceiling')}: has no effect with factor: 1; remove it, or raise factor`,
      ],
    ],
    [
      'a ceiling below a default that does not grow',
      'onError: { retry: { backoff: { factor: 1, ceiling: 1ms } } }',
      [],
    ],
    ['a ceiling that is the first wait', 'onError: { retry: { backoff: { first: 1s, ceiling: 1s } } }', []],
    [
      'an expectation of nothing',
      'expect: {}',
      [
        `${at(6, 44, 'journeys.ask.steps[0].expect')}: expects nothing; write for example status: 200, or body: { title: Hello }`,
      ],
    ],
    [
      'an expectation of nothing in the body',
      'expect: { status: 202, body: {} }',
      [`${at(6, 67, 'journeys.ask.steps[0].expect.body')}: expects nothing; write for example body: { title: Hello }`],
    ],
    [
      'a status as text',
      'expect: { status: "200" }',
      [
        `${at(6, 62, 'journeys.ask.steps[0].expect.status')}: must be a number or a list, not "200"; write 200 without quotes`,
      ],
    ],
    [
      'a status of none',
      'expect: { status: 20 }',
      [`${at(6, 62, 'journeys.ask.steps[0].expect.status')}: must be at least 100`],
    ],
    [
      'a mistyped check',
      'expect: { body: { a.b: { exist: true } } }',
      [`${at(6, 69, 'journeys.ask.steps[0].expect.body["a.b"].exist')}: unknown key "exist"; did you mean exists?`],
    ],
    [
      'an unknown check',
      'expect: { body: { a: { startsWith: x } } }',
      [
        `${at(6, 67, 'journeys.ask.steps[0].expect.body.a.startsWith')}: unknown key "startsWith"; allowed here: exists, type, matches, oneOf, min, max, minLength, maxLength`,
      ],
    ],
    [
      'two checks in one',
      'expect: { body: { a: { min: 1, maxLength: 2 } } }',
      [
        `${at(6, 75, 'journeys.ask.steps[0].expect.body.a.maxLength')}: unknown key "maxLength"; allowed here: min, max`,
      ],
    ],
    [
      'bounds that are no numbers',
      'expect: { body: { a: { min: x }, b: { minLength: y } } }',
      [
        `${at(6, 72, 'journeys.ask.steps[0].expect.body.a.min')}: must be a number, not "x"`,
        `${at(6, 93, 'journeys.ask.steps[0].expect.body.b.minLength')}: must be a number, not "y"`,
      ],
    ],
    [
      'no check',
      'expect: { body: { a: {} } }',
      [
        `${at(6, 65, 'journeys.ask.steps[0].expect.body.a')}: is empty; write one of exists, type, matches, oneOf, min, max, minLength, maxLength`,
      ],
    ],
    [
      'an unknown type',
      'expect: { body: { a: { type: integer } } }',
      [
        `${at(6, 73, 'journeys.ask.steps[0].expect.body.a.type')}: must be string, number, boolean, array, object or null, not "integer"`,
      ],
    ],
    [
      'a broken pattern',
      'expect: { body: { a: { matches: "(" } } }',
      [
        `${at(6, 76, 'journeys.ask.steps[0].expect.body.a.matches')}: is not a regular expression; put a backslash before characters that have a meaning, such as ( [ + ?`,
      ],
    ],
    [
      'an empty range',
      'expect: { body: { a: { min: 2, max: 1 } } }',
      [`${at(6, 65, 'journeys.ask.steps[0].expect.body.a')}: min must not be above max`],
    ],
    [
      'no fault in a range',
      'expect: { body: { a: { min: 1, max: 2 }, b: { min: 2 }, c: { minLength: 2, maxLength: 2 }, d: { minLength: 1 } } }',
      [],
    ],
    [
      'a name in an expectation',
      'expect: { body: { a: "${turn}" } }',
      [
        `${at(6, 65, 'journeys.ask.steps[0].expect.body.a')}: is compared literally: names are not replaced in expectations; write a literal, or matches: with a pattern`,
      ],
    ],
    [
      'a name in a list of expected values, and in paths',
      'capture: { id: "messages.${turn}.id" }, expect: { body: { a: { oneOf: [b, "${turn}"] }, "c.${turn}": 1, "d.$${": "$${" } }',
      [
        `${at(6, 59, 'journeys.ask.steps[0].capture.id')}: is a path in which names are not replaced; write it out, for example messages.0.role`,
        `${at(6, 118, 'journeys.ask.steps[0].expect.body.a.oneOf[1]')}: is compared literally: names are not replaced in expectations; write a literal, or matches: with a pattern`,
        `${at(6, 132, 'journeys.ask.steps[0].expect.body["c.${turn}"]')}: is a path in which names are not replaced; write it out, for example messages.0.role`,
      ],
    ],
    [
      'a capture under a word of ours',
      'capture: { turn: turn_id }',
      [
        `${at(6, 55, 'journeys.ask.steps[0].capture.turn')}: "turn" is a reserved name in texts; capture it under another name`,
      ],
    ],
    [
      'a capture under no name',
      'capture: { turn-id: turn_id }',
      [
        `${at(6, 55, 'journeys.ask.steps[0].capture.turn-id')}: "turn-id" must be letters, digits and underscores, not beginning with a digit`,
      ],
    ],
  ])('%s', async (_, member, problems) => {
    expect(await problemsOf({ 's.yaml': message(member) })).toEqual(problems);
  });
});
