import { describe, expect, test } from 'vitest';
import { ask, at, head, problemsOf, steps } from './bad-input.exam.ts';

const journey = (text: string) => `name: bad\n${text}\n${ask}`;

describe('a key that belongs nearby is told where', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'a setting of the step, in its operation',
      steps('sendMessage: { message: a, onRefused: continue }'),
      [
        `${at(6, 36, 'journeys.ask.steps[0].sendMessage.onRefused')}: unknown key "onRefused"; it belongs beside sendMessage, not in it`,
      ],
    ],
    [
      'the same in a repeated step',
      steps('repeat: { times: 2, steps: [sendMessage: { message: a, capture: { b: c } }] }'),
      [
        `${at(6, 64, 'journeys.ask.steps[0].repeat.steps[0].sendMessage.capture')}: unknown key "capture"; it belongs beside sendMessage, not in it`,
      ],
    ],
    [
      'what only an answer can have, on a pause',
      steps('{ pause: 1s, expect: { status: 200 }, capture: { b: c } }'),
      ['expect', 'capture'].map(
        (key, i) =>
          `${at(6, [22, 47][i] ?? 0, `journeys.ask.steps[0].${key}`)}: unknown key "${key}"; a pause sends nothing: ${key} belongs to a step that sends`,
      ),
    ],
    [
      'the same on a repeat and in it, beside another mistake',
      steps('{ repeat: { times: 2, capture: { b: c }, steps: [pause: 1s, burst: {}] }, onRefused: stop }'),
      [
        `${at(6, 31, 'journeys.ask.steps[0].repeat.capture')}: unknown key "capture"; a repeat has no answer of its own: capture belongs to one of its steps that sends`,
        `${at(6, 76, 'journeys.ask.steps[0].repeat.steps[1].burst.count')}: is missing; write a number`,
        `${at(6, 83, 'journeys.ask.steps[0].onRefused')}: unknown key "onRefused"; a repeat has no answer of its own: onRefused belongs to one of its steps that sends`,
      ],
    ],
    [
      'a setting of the retry, in its backoff',
      steps('{ sendMessage: { message: a }, onError: { retry: { backoff: { max: 5s } } } }'),
      [
        `${at(6, 71, 'journeys.ask.steps[0].onError.retry.backoff.max')}: unknown key "max"; it belongs beside backoff, not in it`,
      ],
    ],
    [
      'the same where there is one already',
      steps('{ sendMessage: { message: a }, onError: { retry: { max: 3, backoff: { max: 5s } } } }'),
      [
        `${at(6, 79, 'journeys.ask.steps[0].onError.retry.backoff.max')}: unknown key "max"; allowed here: first, factor, ceiling, jitter`,
      ],
    ],
    [
      'a setting of the scenario, in the load',
      journey('load: { model: burst, count: 1, warmUp: 1s }'),
      [`${at(2, 33, 'load.warmUp')}: unknown key "warmUp"; it belongs beside load, not in it`],
    ],
    [
      'a setting of the scenario, in one of several loads',
      journey('load: [{ model: burst, count: 1, gates: {} }]'),
      [`${at(2, 34, 'load[0].gates')}: unknown key "gates"; it belongs beside load, not in it`],
    ],
    [
      'a setting of the scenario, in a load that nobody knows',
      journey('load: { model: bursts, count: 1, deadline: 1s }'),
      [
        `${at(2, 16, 'load.model')}: there is no model "bursts"; did you mean burst?`,
        `${at(2, 34, 'load.deadline')}: unknown key "deadline"; it belongs beside load, not in it`,
      ],
    ],
    [
      'the load, indented as if it were a journey’s',
      'name: bad\njourneys:\n  ask:\n    steps: [{ pause: 1s }]\n    load: { model: burst, count: 1 }\n',
      [
        `${at(1, 1, '')}: has neither load nor phases; write for example load: { model: burst, count: 1 }`,
        `${at(5, 5, 'journeys.ask.load')}: unknown key "load"; it belongs beside journeys, not in it`,
      ],
    ],
    [
      'a member of the load, in the scenario',
      journey('model: burst\ncount: 1'),
      [
        `${at(1, 1, '')}: has neither load nor phases; write for example load: { model: burst, count: 1 }`,
        `${at(2, 1, 'model')}: unknown key "model"; it belongs in load: { model: … }`,
        `${at(3, 1, 'count')}: unknown key "count"; it belongs in load: { count: … }`,
      ],
    ],
    [
      'a member of two others',
      `${head}${ask}limits: {}\n`,
      [`${at(4, 1, 'limits')}: unknown key "limits"; it belongs in profile: { limits: … } or sandbox: { limits: … }`],
    ],
    [
      'a member of what the user names',
      `${head}${ask}clientId: a\n`,
      [`${at(4, 1, 'clientId')}: unknown key "clientId"; it belongs in applications: { NAME: { clientId: … } }`],
    ],
    [
      'a setting of the client, in the scenario',
      `${head}${ask}connections: 20\n`,
      [`${at(4, 1, 'connections')}: unknown key "connections"; it belongs in profile: { client: { connections: … } }`],
    ],
    [
      'a setting of a step, in the scenario',
      `${head}${ask}expect: { status: 200 }\n`,
      [`${at(4, 1, 'expect')}: unknown key "expect"; it belongs in journeys: { NAME: { steps: [{ expect: … }] } }`],
    ],
    [
      'the time that an answer may take',
      `${head}${ask}timeout: 2s\n`,
      [
        `${at(4, 1, 'timeout')}: unknown key "timeout"; how long an answer may take is client: { deadline: … } of the profile; followTurn has a deadline of its own`,
      ],
    ],
    [
      'a limit, in the sandbox',
      `${head}${ask}sandbox: { rate: { max: 3 } }\n`,
      [`${at(4, 12, 'sandbox.rate')}: unknown key "rate"; it belongs in limits: { rate: … }`],
    ],
  ])('%s', async (_, text, problems) => {
    expect(await problemsOf({ 's.yaml': text })).toEqual(problems.map((problem) => problem.replace(' :', ':')));
  });

  test('unless it is mistyped, a word of k6, or known nowhere near', async () => {
    expect(await problemsOf({ 's.yaml': `${head}${ask}user: 3\nthresholds: {}\nsandbox: { colour: 3 }\n` })).toEqual([
      expect.stringContaining('user: unknown key "user"; did you mean users?'),
      expect.stringContaining('thresholds: unknown key "thresholds"; k6\'s thresholds are gates'),
      expect.stringContaining('sandbox.colour: unknown key "colour"; allowed here: clockRate, '),
    ]);
  });
});

test.each([
  [
    'load: { burst: { count: 5 }, foo: 3 }',
    [
      `${at(2, 9, 'load.burst')}: "burst" is a model, not a key; write { model: burst, … }`,
      `${at(2, 30, 'load.foo')}: unknown key "foo"; no model has it`,
    ],
  ],
  [
    'load: [{ burst: {} }]',
    [`${at(2, 10, 'load[0].burst')}: "burst" is a model, not a key; write { model: burst, … }`],
  ],
  [
    'load: burst',
    [`${at(2, 7, 'load')}: must be an object or a list, not "burst"; write for example { model: burst, count: 1 }`],
  ],
])('a load model as a key or alone is shown how it is written: %s', async (text, problems) => {
  expect(await problemsOf({ 's.yaml': journey(text) })).toEqual(problems);
});

test('a gate that is an object is shown how gates are written', async () => {
  expect(await problemsOf({ 's.yaml': `${head}${ask}gates: { http_req_duration: { p95: 300 } }\n` })).toEqual([
    `${at(4, 29, 'gates.http_req_duration')}: must be text or a list, not an object; write for example p(95)<300, or [{ threshold: p(95)<300, abortOnFail: true }]`,
  ]);
});
