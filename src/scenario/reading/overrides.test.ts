import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../base/index.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { loadScenario } from '../index.ts';

const text = `name: overridden
users: 2
journeys: { ask: { steps: [{ pause: 1s }, { sendMessage: { message: Hello } }] } }
phases:
  - { name: slow, load: { model: constant-rate, rate: 1/s, duration: 4s } }
  - { name: fast, load: [{ model: constant-rate, rate: 5/s, duration: 4s }, { model: burst, count: 3 }] }
variables: { city: Lausanne }
`;

const loaded = async (...overrides: string[]) =>
  (await loadScenario(scenarioFile(text), { env: { CITY: 'Bern' }, overrides })).scenario;
const problems = async (...overrides: string[]): Promise<string[]> => {
  const file = scenarioFile(text);
  try {
    await loadScenario(file, { env: {}, overrides });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.split('\n').map((line) => line.replaceAll(file, 'FILE'));
  }
};

describe('values of the command line', () => {
  it('replace those of the scenario, also in lists, and leave the others', async () => {
    const scenario = await loaded('users=7', 'phases[1].load[0].rate=50/min', 'journeys.ask.steps[0].pause=2.5s');
    expect(scenario.users).toBe(7);
    expect(scenario.phases).toMatchObject([
      { load: { rate: 1 } },
      { load: [{ rate: 50 / 60, duration: 4_000 }, { count: 3 }] },
    ]);
    expect(scenario.journeys.ask?.steps).toMatchObject([{ pause: 2_500 }, { sendMessage: { message: 'Hello' } }]);
  });

  it('add what is not there, with all that is above it; a later one may change an earlier one', async () => {
    const scenario = await loaded('sandbox.limits.rate.max=5', 'sandbox.limits={ daily: { max: 3 } }', 'deadline=9s');
    expect(scenario.sandbox).toMatchObject({ limits: { daily: { max: 3 } } });
    expect(scenario.sandbox.limits).not.toHaveProperty('rate');
    expect(scenario.deadline).toBe(9_000);
  });

  it('are texts, numbers and lists as in YAML, with variables', async () => {
    const { variables, name, sandbox } = await loaded(
      'variables.city=${env.CITY}=${env.CITY}',
      "name='7'",
      'sandbox.defects=[O24, I3]',
    );
    expect([variables, name, sandbox.defects]).toEqual([{ city: 'Bern=Bern' }, '7', ['O24', 'I3']]);
  });

  it('have paths as messages show them: a key that is no plain word is in brackets and quotes', async () => {
    const file = scenarioFile(text);
    const overrides = [
      'gates["limit.rate"]=held',
      'gates["http_req_duration{operation:sendMessage}"]=p(95)<300=',
      'phases.0.name=0',
    ];
    const { gates } = await loadScenario(file, { env: {}, overrides: [overrides[0] ?? ''] });
    expect(gates).toMatchObject([{ kind: 'limit', limit: 'rate', demand: 'held' }]);
    expect(await problems(...overrides)).toEqual([
      '--set phases[0].name: must be text, not 0; write "0"',
      expect.stringMatching(/^--set gates\["http_req_duration\{operation:sendMessage\}"\]: /),
    ]);
  });

  it('add what nobody wrote, of which no mistake is one of the file', async () => {
    expect(await problems('tokens.lifetime=3', 'gates.limit.rate=held', 'sandbox.faults={}')).toEqual([
      '--set sandbox.faults: must be a list, not an object; write texts in brackets, for example [a, b]',
      '--set tokens.lifetime: unknown key "lifetime"; allowed here: locale, timezone',
      expect.stringMatching(/^--set gates.limit: must be text or a list, not an object/),
    ]);
    expect(await problems('applications.a1.clientId=${env.ID}')).toEqual([
      '--set applications.a1.clientSecret: is missing; write text',
    ]);
  });

  it('in a profile are refused beside --profile, with which they would have no effect', async () => {
    const profileFile = scenarioFile('name: other');
    const overrides = ['profile.client.deadline=3s'];
    const inline = scenarioFile(`${text}profile: { name: own }\n`);
    await expect(loadScenario(inline, { env: {}, overrides, profileFile })).rejects.toThrow(
      "--set profile.client: has no effect: --profile takes the place of the scenario's profile; write the value into that file, or leave one of the two out",
    );
    expect((await loadScenario(inline, { env: {}, overrides })).profile.client.deadline).toBe(3_000);
  });

  it('with mistakes are reported as those of the command line, the scenario’s as those of its file', async () => {
    expect(await problems('users=-1', 'lod.rate=1/s', 'phases[0].load.rat=1/s')).toEqual([
      '--set users: must be at least 1',
      '--set phases[0].load.rat: unknown key "rat"; did you mean rate?',
      '--set lod: unknown key "lod"; did you mean load?',
    ]);
    expect(await problems('phases[0].name=fast')).toEqual([expect.stringMatching(/phases\[[01]\]\.name: .*fast/)]);
  });

  it.each([
    ['users', 'a value is not of the form PATH=VALUE'],
    ['=3', 'a value is not of the form PATH=VALUE'],
    ['a b=3', 'a b is not of the form PATH=VALUE'],
    ['users={', 'the value of users is not YAML'],
    ['phases[1]load=3', 'phases[1]load is not of the form PATH=VALUE'],
    ['gates["a\\q"]=x', '"a\\q" is no text in quotes'],
    ['users[0]=3', 'there is no users[0]: users is no list in this scenario'],
    ['journeys[0].weight=3', 'there is no journeys[0]: journeys is no list in this scenario'],
    ['caps[0]=3', 'there is no caps[0]: caps is no list in this scenario'],
    ['journeys.__proto__.weight=3', '"__proto__" cannot be a name'],
    ['variables["__proto__"]=3', '"__proto__" cannot be a name'],
    [
      'journeys.ask.steps[0].pause.x=3',
      'there is no journeys.ask.steps[0].pause.x: journeys.ask.steps[0].pause is no object in this scenario',
    ],
    ['phases[1].load[1][0]=3', 'there is no phases[1].load[1][0]: phases[1].load[1] is no list in this scenario'],
    ['phases[2].name=x', 'there is no phases[2]: the list has 2 entries, counted from 0'],
    ['phases.slow.name=x', 'there is no phases.slow: the list has 2 entries, counted from 0'],
    ['users.count=3', 'there is no users.count: users is no object in this scenario'],
    ['gates.checks{journey:ask}=rate>0', 'gates.checks{journey:ask} is not of the form PATH=VALUE'],
  ])('without a place are a mistake: %s', async (assignment, message) => {
    expect(await problems(assignment)).toEqual([
      `--set: ${message}; write for example --set load.rate=50/s, --set 'sandbox.defects=[O24]' or --set 'gates["limit.rate"]=held'`,
    ]);
  });

  it('cannot be put into a profile that is a file', async () => {
    expect(await problems('profile=service.yaml', 'profile.budget.requests=5')).toContainEqual(
      expect.stringMatching(
        /^--set: there is no profile\.budget: profile names a file, which --set does not change; name another one with --profile;/,
      ),
    );
  });
});
