import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigurationError, ExitCode } from '../base/index.ts';
import { loadScenario } from './load.ts';
import type { LoadOptions } from './loaded.ts';
import { onlyUsersFaults } from './validation/only-users.ts';
import { parseShape } from './validation/shape.ts';

/** Every problem of a scenario, one per line as printed, without the folder. */
async function problemsOf(
  files: Record<string, string>,
  options: Partial<LoadOptions> = {},
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bad-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { profileFile, ...others } = options;
  const profile = profileFile === undefined ? {} : { profileFile: join(folder, profileFile) };
  try {
    await loadScenario(join(folder, 's.yaml'), { env: {}, ...others, ...profile });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error.exitCode).toBe(ExitCode.invalidConfiguration);
    return error.message.replaceAll(`${folder}/`, '').split('\n');
  }
}

const head = 'name: bad\nload: { model: burst, count: 1 }\n';
/** A journey `ask` whose steps begin on line 6, column 9. */
const steps = (...lines: readonly string[]) =>
  `${head}journeys:\n  ask:\n    steps:\n${lines.map((line) => `      - ${line}\n`).join('')}`;
const ask = 'journeys: { ask: { steps: [{ pause: 1s }] } }\n';
const at = (line: number, column: number, path: string) => `s.yaml:${line}:${column} ${path}`;
const sent = 'sendMessage: { message: Hello }';

describe('a step', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'a mistyped name',
      'sendMesage: { message: a }',
      [`${at(6, 9, 'journeys.ask.steps[0].sendMesage')}: there is no step "sendMesage"; did you mean sendMessage?`],
    ],
    [
      'an unknown name',
      'wait: 1s',
      [
        `${at(6, 9, 'journeys.ask.steps[0].wait')}: there is no step "wait"; write one of issueToken, createConversation, sendMessage, burst, resend, followTurn, readHistory, rateAnswer, pause, repeat`,
      ],
    ],
    [
      'no name',
      '{ expect: { status: 200 } }',
      [
        `${at(6, 9, 'journeys.ask.steps[0]')}: has no step name; write one of issueToken, createConversation, sendMessage, burst, resend, followTurn, readHistory, rateAnswer, pause, repeat`,
      ],
    ],
    [
      'two names',
      '{ pause: 1s, issueToken: {} }',
      [
        `${at(6, 11, 'journeys.ask.steps[0].pause')}: has two step names: issueToken and pause; write "- pause:" as a list item of its own`,
      ],
    ],
    [
      'a number',
      '5',
      [
        `${at(6, 9, 'journeys.ask.steps[0]')}: must be a step, not 5; write for example sendMessage: { message: Hello }`,
      ],
    ],
    [
      'a long text',
      `"${'x'.repeat(41)}"`,
      [
        `${at(6, 9, 'journeys.ask.steps[0]')}: must be a step, not this text; write one of issueToken, createConversation, sendMessage, burst, resend, followTurn, readHistory, rateAnswer, pause, repeat`,
      ],
    ],
    [
      'a bare name',
      'issueToken',
      [`${at(6, 9, 'journeys.ask.steps[0]')}: must be a step, not "issueToken"; write issueToken: {}`],
    ],
    [
      'nothing below the name',
      'issueToken:',
      [
        `${at(6, 20, 'journeys.ask.steps[0].issueToken')}: must be an object, not null; write {} for an object without members`,
      ],
    ],
    [
      'a slip of indentation',
      'sendMessage:\n        message: a',
      [
        `${at(7, 9, 'journeys.ask.steps[0].message')}: "message" belongs to sendMessage; indent it to put it below "sendMessage:"`,
      ],
    ],
    [
      'a missing member',
      'sendMessage: {}',
      [`${at(6, 22, 'journeys.ask.steps[0].sendMessage.message')}: is missing; write text`],
    ],
    [
      'a mistyped member',
      'sendMessage: { messag: a }',
      [`${at(6, 24, 'journeys.ask.steps[0].sendMessage.messag')}: unknown key "messag"; did you mean message?`],
    ],
    [
      'a mistyped key beside the name',
      '{ pause: 1s, nam: a }',
      [`${at(6, 22, 'journeys.ask.steps[0].nam')}: unknown key "nam"; allowed here: pause`],
    ],
    [
      'an empty text',
      'sendMessage: { message: "" }',
      [`${at(6, 33, 'journeys.ask.steps[0].sendMessage.message')}: must not be empty`],
    ],
    [
      'a number for a text',
      'sendMessage: { message: 5 }',
      [`${at(6, 33, 'journeys.ask.steps[0].sendMessage.message')}: must be text, not 5; write "5"`],
    ],
    [
      'a location of nowhere',
      'sendMessage: { message: a, location: {} }',
      [`${at(6, 46, 'journeys.ask.steps[0].sendMessage.location')}: needs city or commune`],
    ],
    [
      'a bare number for a duration',
      'pause: 5',
      [
        `${at(6, 16, 'journeys.ask.steps[0].pause')}: must be a duration such as 250ms, 1.5s or 2min or an object, not 5; write 5s or 5ms`,
      ],
    ],
    [
      'no duration',
      'pause: 5 seconds',
      [
        `${at(6, 16, 'journeys.ask.steps[0].pause')}: "5 seconds" is not a duration; write for example 250ms, 1.5s, 2min or 1h`,
      ],
    ],
    [
      'an unknown distribution',
      'pause: { distribution: gaussian }',
      [
        `${at(6, 32, 'journeys.ask.steps[0].pause.distribution')}: there is no distribution "gaussian"; write one of constant, uniform, lognormal, exponential`,
      ],
    ],
    [
      'a distribution without its mean',
      'pause: { distribution: exponential }',
      [`${at(6, 16, 'journeys.ask.steps[0].pause.mean')}: is missing; write a duration such as 250ms, 1.5s or 2min`],
    ],
    [
      'an impossible count',
      'burst: { count: 0 }',
      [`${at(6, 25, 'journeys.ask.steps[0].burst.count')}: must be at least 1`],
    ],
    [
      'a fraction for a count',
      'burst: { count: 1.5 }',
      [`${at(6, 25, 'journeys.ask.steps[0].burst.count')}: must be a whole number, not 1.5`],
    ],
    [
      'a quoted number',
      'burst: { count: "3" }',
      [`${at(6, 25, 'journeys.ask.steps[0].burst.count')}: must be a number, not "3"; write 3 without quotes`],
    ],
    [
      'a nested step',
      'repeat: { times: 2, steps: [{ pause: 1s }, { puase: 1s }] }',
      [`${at(6, 54, 'journeys.ask.steps[0].repeat.steps[1].puase')}: there is no step "puase"; did you mean pause?`],
    ],
    [
      'no nested steps',
      'repeat: { times: 2, steps: [] }',
      [`${at(6, 36, 'journeys.ask.steps[0].repeat.steps')}: needs at least 1 item`],
    ],
    [
      'a conversation of no kind',
      'createConversation: { conversation: newest }',
      [
        `${at(6, 45, 'journeys.ask.steps[0].createConversation.conversation')}: must be new, chosen, resume or a name; write for example \${conversationId}`,
      ],
    ],
    [
      'pages of no kind',
      'readHistory: { pages: alll }',
      [
        `${at(6, 31, 'journeys.ask.steps[0].readHistory.pages')}: must be all or a number, not "alll"; did you mean all?`,
      ],
    ],
    [
      'a limit too high',
      'readHistory: { limit: 101 }',
      [`${at(6, 31, 'journeys.ask.steps[0].readHistory.limit')}: must be at most 100`],
    ],
  ])('%s', async (_, line, problems) => {
    expect(await problemsOf({ 's.yaml': steps(line) })).toEqual(problems);
  });
});

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
      'no check',
      'expect: { body: { a: {} } }',
      [`${at(6, 65, 'journeys.ask.steps[0].expect.body.a')}: is empty; write one of exists, type, matches, oneOf`],
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
      'a name in an expectation',
      'expect: { body: { a: "${turn}" } }',
      [
        `${at(6, 65, 'journeys.ask.steps[0].expect.body.a')}: is compared literally: names are not replaced in expectations; write a literal, or matches: with a pattern`,
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

describe('the order of steps', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'a resend of nothing',
      ['resend: {}', sent],
      [
        `${at(6, 9, 'journeys.ask.steps[0].resend')}: comes before any message was sent in this journey; put a sendMessage or a burst before it`,
      ],
    ],
    [
      'following nothing',
      ['createConversation: {}', 'followTurn: {}'],
      [
        `${at(7, 9, 'journeys.ask.steps[1].followTurn')}: comes before any message was sent in this journey; put a sendMessage or a burst before it`,
      ],
    ],
    [
      'rating nothing',
      [sent, 'rateAnswer: { rating: up }'],
      [
        `${at(7, 9, 'journeys.ask.steps[1].rateAnswer')}: comes before any turn was followed in this journey; put a followTurn before it, or name the message`,
      ],
    ],
    [
      'following after a burst of reads',
      ['burst: { of: readHistory, count: 2 }', 'followTurn: {}'],
      [
        `${at(7, 9, 'journeys.ask.steps[1].followTurn')}: comes before any message was sent in this journey; put a sendMessage or a burst before it`,
      ],
    ],
    [
      'a poll without end',
      [sent, 'followTurn: { deadline: 0 }'],
      [`${at(7, 33, 'journeys.ask.steps[1].followTurn.deadline')}: must be longer than 0; write for example 30s`],
    ],
    ['no fault', [sent, 'resend: {}', 'followTurn: {}', 'rateAnswer: { rating: up }'], []],
    [
      'no fault in a burst that follows',
      ['burst: { count: 2, follow: {} }', 'rateAnswer: { rating: up }', 'followTurn: {}'],
      [],
    ],
    [
      'no fault in a repeat',
      [
        'repeat: { times: 2, steps: [{ sendMessage: { message: "${iteration}" } }] }',
        'resend: {}',
        'rateAnswer: { rating: down, message: "${turn}" }',
      ],
      [],
    ],
  ])('%s', async (_, lines, problems) => {
    expect(await problemsOf({ 's.yaml': steps(...lines) })).toEqual(problems);
  });
});

describe('names in texts', () => {
  const files = { 'cities.csv': 'name,size\nBern,1\n' };
  const scenario = (text: string) =>
    `${steps(`sendMessage: { message: '${text}' }`, 'sendMessage: { message: a }')}        capture: { later: turn_id }\nvariables: { city: Bern }\ndata: { cities: { file: cities.csv } }\n`;
  const here = at(6, 33, 'journeys.ask.steps[0].sendMessage.message');
  test.each<[string, readonly string[]]>([
    ['${vars.cty}', [`${here}: there is no variable "cty"; did you mean vars.city?`]],
    [
      '${vars.temperature}',
      [`${here}: there is no variable "temperature"; declare it below variables, or pass -e temperature=…`],
    ],
    ['${data.citys.name}', [`${here}: there is no data "citys"; did you mean cities?`]],
    ['${data.cities.nme}', [`${here}: "cities" has no column "nme"; did you mean name?`]],
    ['${data.cities}', [`${here}: \${data.cities} does not name a column; write \${data.cities.name}`]],
    ['${env.CITY}', [`${here}: the environment variable CITY is not set; set it with export CITY=… or pass -e CITY=…`]],
    ['${env.A-B}', [`${here}: \${env.A-B} does not name an environment variable; write \${env.NAME}`]],
    ['${user.name}', [`${here}: there is no name \${user.name}; write one of user.id, user.index`]],
    ['${city}', [`${here}: there is no name \${city}; did you mean vars.city?`]],
    ['${conversaton}', [`${here}: there is no name \${conversaton}; did you mean conversation?`]],
    [
      '${later}',
      [`${here}: \${later} is captured only by a later step; move the step that captures it before this one`],
    ],
    ['${turn}', [`${here}: \${turn} is used before any message was sent in this journey; put a sendMessage before it`]],
    [
      '${answer}',
      [`${here}: \${answer} is used before any turn was followed in this journey; put a followTurn before it`],
    ],
    ['${index}', [`${here}: \${index} is defined only inside a burst; in a repeat, write \${iteration}`]],
    ['${iteration}', [`${here}: \${iteration} is defined only inside a repeat; put the step below repeat:`]],
    ['a ${b', [`${here}: "\${" without its "}"; write \${name}, or $\${ for a literal \${`]],
    [
      '${user.id} ${user.index} ${application} ${arrival} ${conversation} ${vars.city} ${data.cities.size} $${free}',
      [],
    ],
  ])('%s', async (text, problems) => {
    expect(await problemsOf({ ...files, 's.yaml': scenario(text) })).toEqual(problems);
  });

  test('every text of every step is looked at', async () => {
    const texts = [
      'issueToken: { locale: "${x}", timezone: "${x}" }',
      'createConversation: { title: "${x}", conversation: "${x}" }',
      'sendMessage: { message: a, conversation: "${x}", location: { city: "${x}", commune: "${x}" } }',
      'burst: { count: 1, message: "${x}", location: { city: "${x}" } }',
      'resend: { message: "${x}" }',
      'readHistory: { conversation: "${x}" }',
      'rateAnswer: { rating: up, message: "${x}" }',
    ];
    const problems = await problemsOf({ 's.yaml': steps(...texts) });
    expect(problems.map((problem) => / (\S+): there is no name \$\{x\}; /.exec(problem)?.[1])).toEqual([
      'journeys.ask.steps[0].issueToken.locale',
      'journeys.ask.steps[0].issueToken.timezone',
      'journeys.ask.steps[1].createConversation.title',
      'journeys.ask.steps[1].createConversation.conversation',
      'journeys.ask.steps[2].sendMessage.conversation',
      'journeys.ask.steps[2].sendMessage.location.city',
      'journeys.ask.steps[2].sendMessage.location.commune',
      'journeys.ask.steps[3].burst.message',
      'journeys.ask.steps[3].burst.location.city',
      'journeys.ask.steps[4].resend.message',
      'journeys.ask.steps[5].readHistory.conversation',
      'journeys.ask.steps[6].rateAnswer.message',
    ]);
  });
});

describe('load, phases, users, data', () => {
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
      [`${at(3, 7, 'load')}: must be an object or a list, not 5`],
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
      'a burstiness of nothing',
      `name: bad\n${ask}load: { model: gamma, rate: 2/s, duration: 1m, burstiness: 0 }\n`,
      [`${at(3, 60, 'load.burstiness')}: must be at least 0.01`],
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
      'phases that the next would begin with',
      `name: bad\n${ask}phases:\n  - { name: a, load: [{ model: burst, count: 5, gap: 0ms }, { model: burst, count: 1, gap: 1s }] }\n  - { name: b, load: [{ model: per-user-iterations, users: 1, iterations: 2 }] }\n  - { name: c, load: [{ model: closed-users, users: 1, iterations: 2 }], duration: 1s }\n  - { name: d, load: [{ model: burst, count: 2, gap: 1s }, { model: burst, count: 1 }] }\n  - { name: e, load: [{ model: burst, count: 1, start: 0h30m }] }\n  - { name: f, load: [{ model: burst, count: 1 }] }\n`,
      [
        `${at(4, 5, 'phases[0]')}: has no length of its own, so the next phase would begin at the same time; add for example duration: 30s`,
        `${at(5, 5, 'phases[1]')}: has no length of its own, so the next phase would begin at the same time; add for example duration: 30s`,
      ],
    ],
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
      'no application',
      `${head}${ask}applications: {}\n`,
      [`${at(4, 15, 'applications')}: names no application; name one, or leave it out`],
    ],
    [
      'a secret in the file',
      `${head}${ask}applications: { a: { clientId: "\${env.ID}", clientSecret: hunter2 } }\n`,
      [
        `${at(4, 59, 'applications.a.clientSecret')}: must name an environment variable, as \${env.SPILLWAY_CLIENT_SECRET}: secrets must not be in files`,
      ],
    ],
    [
      'a weight of nothing',
      `${head}journeys: { ask: { weight: 0, steps: [{ pause: 1s }] } }\n`,
      [`${at(3, 28, 'journeys.ask.weight')}: must be above 0`],
    ],
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
      `name: bad\nload: { model: burst, count: 1, journeys: { ask: 1 }, onlyUsers: u1 }\n${ask}onError: { retry: { backoff: 50ms } }\nprofile: { limits: { rate: { counts: sendMessage } } }\n`,
      [
        `${at(2, 43, 'load.journeys')}: must be a list, not an object; write texts in brackets, for example [a, b]`,
        `${at(2, 66, 'load.onlyUsers')}: must be a list, not "u1"; write texts in brackets, for example [a, b]`,
        `${at(4, 30, 'onError.retry.backoff')}: must be an object, not "50ms"; it takes first, factor, ceiling, jitter`,
        `${at(5, 38, 'profile.limits.rate.counts')}: must be a list, not "sendMessage"; write for example [issueToken]`,
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

  test('a profile whose members contradict one another', async () => {
    const contradictory = `limits: { rate: { window: 0, counts: [] } }
limitOrder: [rate, rate, daily]
errorCodes: { rate: [busy], daily: [busy] }
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
      'p.yaml:4:8 turns: one status stands in two of open, completed and failed; leave it in one',
      'p.yaml:5:17 stream.path: must begin with / and hold {turn_id}; write for example /api/partners/v1/turns/{turn_id}/stream',
      'p.yaml:6:21 client.deadline: must be at least 1ms; write for example 30s',
      'p.yaml:6:31 client.proxy: must be an address; write for example https://api.example.com',
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
      'u0, u01',
      [
        `${at(3, 45, first)}: there is no user "u0"; write u1 to u3`,
        `${at(3, 49, second)}: there is no user "u01"; write u1 to u3`,
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

describe('more mistakes than anybody reads', () => {
  const unknown = (line: number) =>
    `${at(line, 9, `journeys.ask.steps[${line - 6}].wait`)}: there is no step "wait"; write one of issueToken, createConversation, sendMessage, burst, resend, followTurn, readHistory, rateAnswer, pause, repeat`;

  test('are reported up to the hundredth, with the number of the others', async () => {
    const problems = await problemsOf({ 's.yaml': steps(...Array.from({ length: 150 }, () => 'wait: 1s')) });
    expect(problems).toHaveLength(101);
    expect(problems.slice(0, 1)).toEqual([unknown(6)]);
    expect(problems.slice(99)).toEqual([unknown(105), 's.yaml: has 50 more problems, probably of the same kind']);
  });

  test('are looked for in the first items of lists if there are more than can be listed', () => {
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

test('a mistyped "journeys" is the only problem of the texts below it', async () => {
  const text = `${head}jurneys: { ask: { steps: [sendMessage: { message: "Hi \${user.id}" }] } }\n`;
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

  test('a CSV file with another separator', async () => {
    const scenario = `${head}data: { q: { file: q.csv } }\njourneys: { ask: { steps: [{ createConversation: { title: "\${data.q.title}" } }] } }\n`;
    expect(await problemsOf({ 's.yaml': scenario, 'q.csv': 'title;question\na;b\n' })).toEqual([
      expect.stringMatching(
        /: "q" has no column "title"; its only column is "title;question": separate columns by commas, not by semicolons$/,
      ),
    ]);
  });
});

describe('the environment', () => {
  test('an unset variable is reported with its place, without consequential errors', async () => {
    const files = {
      's.yaml': `${head}${ask}profile: p.yaml\nvariables: { a: "\${env.CITY}" }\n`,
      'p.yaml': 'baseUrl: "${env.TARGET}"\n',
    };
    expect(await problemsOf(files, { env: { CITY: '' } })).toEqual([
      `${at(5, 17, 'variables.a')}: the environment variable CITY is not set; set it with export CITY=… or pass -e CITY=…`,
      'p.yaml:1:10 baseUrl: the environment variable TARGET is not set; set it with export TARGET=… or pass -e TARGET=…',
    ]);
  });

  test('no message quotes the value of a variable', async () => {
    const files = {
      's.yaml': `${head}${ask}seed: "\${env.SECRET}"\ndeadline: "x\${env.SECRET}"\nusers: [{ id: a, application: "\${env.SECRET}" }]\n`,
    };
    const problems = await problemsOf(files, { env: { SECRET: 'hunter"2' } });
    expect(problems).toEqual([
      `${at(4, 7, 'seed')}: must be a number, not "\${env.SECRET}"`,
      `${at(5, 11, 'deadline')}: "x\${env.SECRET}" is not a duration; write for example 250ms, 1.5s, 2min or 1h`,
      `${at(6, 31, 'users[0].application')}: there is no application "\${env.SECRET}"; write one of a1`,
    ]);
  });

  test('an empty value counts as none, and a name needs its end', async () => {
    const files = { 's.yaml': `${head}${ask}deadline: "\${env.EMPTY}"\nseed: "\${env.A"\n` };
    expect(await problemsOf(files, { env: { EMPTY: '' } })).toEqual([
      `${at(4, 11, 'deadline')}: the environment variable EMPTY is not set; set it with export EMPTY=… or pass -e EMPTY=…`,
      `${at(5, 7, 'seed')}: "\${" without its "}"; write \${env.NAME}, or $\${ for a literal \${`,
    ]);
  });

  test('a mistyped -e is reported, one for other scenarios is not', async () => {
    const scenario = `${head}${ask}variables: { city: Bern }\n`;
    expect(await problemsOf({ 's.yaml': scenario }, { variables: { citty: 'x', unrelated: 'y' } })).toEqual([
      '-e citty: nothing in the scenario uses this variable; did you mean city?',
    ]);
  });

  test('an invalid seed on the command line', async () => {
    expect(await problemsOf({ 's.yaml': head + ask }, { seed: 1.5 })).toEqual([
      '--seed: 1.5 is not a seed; give a whole number from 0 to 4294967295',
    ]);
  });
});
