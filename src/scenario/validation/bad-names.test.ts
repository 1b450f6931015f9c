import { describe, expect, test } from 'vitest';
import { ask, at, head, problemsOf, steps } from './bad-input.exam.ts';

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

  test('also those of steps that are repeated', async () => {
    const repeat =
      'repeat: { times: 2, steps: [{ repeat: { times: 2, steps: [{ issueToken: { locale: "${x}" } }] } }] }';
    expect(await problemsOf({ 's.yaml': steps(repeat) })).toEqual([
      expect.stringContaining(
        `${at(6, 91, 'journeys.ask.steps[0].repeat.steps[0].repeat.steps[0].issueToken.locale')}: there is no name \${x}; `,
      ),
    ]);
  });

  test('every text of every step is looked at', async () => {
    const texts = [
      'issueToken: { locale: "${x}", timezone: "${x}" }',
      'createConversation: { title: "${x}", conversation: "${x}" }',
      'sendMessage: { message: a, conversation: "${x}", as: "${x}", location: { city: "${x}", commune: "${x}" } }',
      'burst: { count: 1, message: "${x}", location: { city: "${x}" } }',
      'resend: { content: other, message: "${x}" }',
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
      'journeys.ask.steps[2].sendMessage.as',
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

test('a number whose digits would not be sent as they were written', async () => {
  const scenario = `${head}${ask}variables: { id: 12345678901234567890, most: 9007199254740991, quoted: "12345678901234567890" }\n`;
  expect(await problemsOf({ 's.yaml': scenario })).toEqual([
    `${at(4, 18, 'variables.id')}: is a number with more digits than are kept; put it in quotes`,
  ]);
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

  test('a value is not quoted either if it has what parts a message from its hint, and a short one spoils no word', async () => {
    const files = {
      's.yaml': `${head}${ask}seed: "\${env.N}"\ncaps: { inFlight: "\${env.E}" }\ndeadline: "\${env.SECRET}"\n`,
    };
    expect(await problemsOf(files, { env: { N: '5', E: 'e', SECRET: 'hunter; 2' } })).toEqual([
      `${at(4, 7, 'seed')}: must be a number, not "\${env.N}"; write a number; only texts can come from the environment`,
      `${at(5, 19, 'caps.inFlight')}: must be a number, not "\${env.E}"`,
      `${at(6, 11, 'deadline')}: "\${env.SECRET}" is not a duration; write for example 250ms, 1.5s, 2min or 1h`,
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
    const using = scenario.replace('pause: 1s', 'sendMessage: { message: "${vars.citty}" }');
    expect(await problemsOf({ 's.yaml': using }, { variables: { citty: 'x' } })).toEqual([]);
  });

  test('an invalid seed on the command line', async () => {
    expect(await problemsOf({ 's.yaml': head + ask }, { seed: 1.5 })).toEqual([
      '--seed: 1.5 is not a seed; give a whole number from 0 to 4294967295',
    ]);
  });
});
