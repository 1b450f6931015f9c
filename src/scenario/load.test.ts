import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxProfile } from '../api/index.ts';
import { ConfigurationError } from '../base/index.ts';
import { loadScenario, resolveCredentials } from './index.ts';

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-load-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const minimal =
  'name: minimal\nload: { model: burst, count: 1 }\njourneys: { ask: { steps: [{ sendMessage: { message: Hello } }] } }\n';
const problemsIn = (act: () => unknown): readonly string[] => {
  try {
    act();
    return [];
  } catch (error) {
    return error instanceof ConfigurationError ? error.message.split('\n') : [String(error)];
  }
};

describe('loadScenario', () => {
  test('fills in every default', async () => {
    const file = join(folderWith({ 's.yml': minimal }), 's.yml');
    const loaded = await loadScenario(file, { env: {} });
    expect(loaded).toEqual({
      file,
      scenario: {
        name: 'minimal',
        sandbox: { clockRate: 1 },
        seed: 1,
        tokens: {},
        variables: {},
        users: 1,
        data: {},
        gates: {},
        journeys: { ask: { weight: 1, steps: [{ sendMessage: { message: 'Hello', nonce: true } }] } },
        load: { model: 'burst', start: 0, count: 1, gap: 0 },
        caps: { whenFull: 'queue' },
        onRefused: 'stop',
        onError: 'stop',
        warmUp: 0,
        generator: { medianLag: 50, p99Lag: 500, eventLoop: 50, lateDrops: 0.01, enforce: true },
        record: { messages: false },
      },
      profile: sandboxProfile(),
      profileIsDefault: true,
      data: {},
      gates: [],
      gatePlaces: new Map(),
      profileFile: file,
      env: {},
      secrets: {},
      applications: [
        {
          label: 'a1',
          credentials: { clientId: '${env.SPILLWAY_CLIENT_ID}', clientSecret: '${env.SPILLWAY_CLIENT_SECRET}' },
        },
      ],
    });
  });

  test('reads JSON', async () => {
    const json = JSON.stringify({
      name: 'j',
      load: { model: 'burst', count: 1 },
      journeys: { a: { steps: [{ pause: '1s' }] } },
    });
    const { scenario } = await loadScenario(join(folderWith({ 's.json': json }), 's.json'), { env: {} });
    expect([scenario.name, scenario.journeys.a?.steps]).toEqual(['j', [{ pause: 1_000 }]]);
  });

  test('overrides seed and variables', async () => {
    const file = join(folderWith({ 's.yaml': `${minimal}seed: 3\nvariables: { city: Bern, count: 2 }\n` }), 's.yaml');
    const loaded = await loadScenario(file, { env: {}, seed: 9, variables: { city: 'Biel', added: 'x' } });
    expect(loaded.scenario.seed).toBe(9);
    expect((await loadScenario(file, { env: {}, seed: 0 })).scenario.seed).toBe(0);
    expect(loaded.scenario.variables).toEqual({ city: 'Biel', count: 2, added: 'x' });
  });

  test('takes the rows of data from beside the scenario', async () => {
    const folder = folderWith({
      'in/s.yaml': `${minimal}data:\n  cities: { file: data/c.csv, order: random }\n  people: { file: ../p.json }\n`,
      'in/data/c.csv': 'name\nBern\n',
      'p.json': '[{"age":7}]',
    });
    const absolute = `${minimal}data: { people: { file: ${JSON.stringify(join(folder, 'p.json'))} } }\n`;
    writeFileSync(join(folder, 'in/absolute.yaml'), absolute);
    const named = await loadScenario(join(folder, 'in/absolute.yaml'), { env: {} });
    expect(named.data).toEqual({ people: { rows: [{ age: 7 }], order: 'sequential' } });
    const { data } = await loadScenario(join(folder, 'in/s.yaml'), { env: {} });
    expect(data).toEqual({
      cities: { rows: [{ name: 'Bern' }], order: 'random' },
      people: { rows: [{ age: 7 }], order: 'sequential' },
    });
  });

  test('takes the profile from beside the scenario, from within it, or from the command line', async () => {
    const folder = folderWith({
      'file.yaml': `${minimal}profile: profiles/p.yaml\n`,
      'inline.yaml': `${minimal}profile: { name: inline }\n`,
      'profiles/p.yaml': 'name: beside\n',
      'other.yaml': 'name: other\nlimits: { rate: { max: 7, window: 10s } }\n',
      'empty.yaml': '',
    });
    const name = async (file: string, profileFile?: string) => {
      const loaded = await loadScenario(join(folder, file), {
        env: {},
        ...(profileFile ? { profileFile: join(folder, profileFile) } : {}),
      });
      return [loaded.profile.name, loaded.profileIsDefault, loaded.profile.limits.rate.max];
    };
    expect(await name('file.yaml')).toEqual(['beside', false, 20]);
    expect(await name('inline.yaml')).toEqual(['inline', false, 20]);
    expect(await name('file.yaml', 'other.yaml')).toEqual(['other', false, 7]);
    expect(await name('inline.yaml', 'other.yaml')).toEqual(['other', false, 7]);
    expect(await name('file.yaml', 'empty.yaml')).toEqual(['sandbox', false, 20]);
  });
});

describe('the environment', () => {
  const scenario = `name: env
load: { model: burst, count: 1 }
profile: p.yaml
variables: { credentials: "\${env.REGION}", region: "\${env.REGION}-x", price: "5 $\${each}" }
users: [{ id: "\${env.WHO}" }]
applications: { first: { clientId: "\${env.ID}", clientSecret: "\${env.KEY}" }, second: { clientId: "\${env.ID2}", clientSecret: "\${env.KEY2}" } }
journeys: { ask: { steps: [{ sendMessage: { message: "\${env.GREETING} $\${env.NOT_ONE}" } }] } }
`;
  const files = {
    's.yaml': scenario,
    'p.yaml': 'baseUrl: "${env.TARGET}"\nclient: { proxy: "http://x:${env.PASS}@proxy:1" }\n',
  };
  const env = {
    REGION: 'ch',
    WHO: 'anna',
    ID: 'id-1',
    KEY: 'key-1',
    GREETING: 'Hi',
    TARGET: 'https://api.example.com',
    PASS: 'p',
    OTHER: 'unused',
  };

  test('fills texts outside steps at once, and keeps what steps use for later', async () => {
    const loaded = await loadScenario(join(folderWith(files), 's.yaml'), { env, variables: { WHO: 'berta' } });
    expect(loaded.scenario.variables).toEqual({
      credentials: 'ch',
      region: 'ch-x',
      price: '5 ${each}',
      WHO: 'berta',
    });
    expect(loaded.scenario.users).toEqual([{ id: 'berta' }]);
    expect(loaded.scenario.journeys.ask?.steps).toEqual([
      { sendMessage: { message: '${env.GREETING} $${env.NOT_ONE}', nonce: true } },
    ]);
    expect([loaded.profile.baseUrl, loaded.profile.client.proxy]).toEqual([
      'https://api.example.com',
      'http://x:p@proxy:1',
    ]);
    expect(loaded.env).toEqual({ GREETING: 'Hi' });
  });

  test('knows the value of every variable that is named and set', async () => {
    const { secrets } = await loadScenario(join(folderWith(files), 's.yaml'), { env });
    expect(secrets).toEqual({
      REGION: 'ch',
      WHO: 'anna',
      ID: 'id-1',
      KEY: 'key-1',
      GREETING: 'Hi',
      TARGET: 'https://api.example.com',
      PASS: 'p',
    });
  });

  test('knows the secrets of a profile file, also where the scenario names applications of its own', async () => {
    const folder = folderWith({
      's.yaml': `${minimal}profile: p.yaml\napplications: { own: { clientId: "\${env.A}", clientSecret: "\${env.B}" } }\n`,
      'p.yaml':
        'credentials: { clientId: "${env.C}", clientSecret: "${env.D}" }\nclient: { headers: { x-key: "Key ${env.E}" } }\n',
      'default.yaml': minimal,
    });
    const values = { A: 'a', B: 'b', C: 'c', D: 'd', E: 'e' };
    expect((await loadScenario(join(folder, 's.yaml'), { env: values })).secrets).toEqual(values);
    const usual = { SPILLWAY_CLIENT_ID: 'id', SPILLWAY_CLIENT_SECRET: 'secret' };
    expect((await loadScenario(join(folder, 'default.yaml'), { env: usual })).secrets).toEqual(usual);
  });

  test('holds credentials by reference, and reads them when they are needed', async () => {
    const file = join(folderWith(files), 's.yaml');
    const loaded = await loadScenario(file, { env });
    expect(JSON.stringify([loaded.applications, loaded.scenario.applications])).not.toMatch(/id-1|key-1/);
    expect(resolveCredentials(loaded, { ...env, ID2: 'id-2', KEY2: 'key-2' })).toEqual(
      new Map([
        ['first', { kind: 'basic', clientId: 'id-1', clientSecret: 'key-1' }],
        ['second', { kind: 'basic', clientId: 'id-2', clientSecret: 'key-2' }],
      ]),
    );
    expect(problemsIn(() => resolveCredentials(loaded, { ...env, ID2: env.ID, KEY2: 'key-2' }))).toEqual([
      `${file} applications.second: has the same client id as first: the service takes them for one application; remove one of them, or give it its own credentials`,
    ]);
    expect(problemsIn(() => resolveCredentials(loaded, { ...env, ID2: 'id:2', KEY2: 'key-2' }))).toEqual([
      `${file} applications.second: has a client id with a colon, which HTTP Basic authentication cannot carry; put the id and the secret into separate variables`,
    ]);
    // Two that are not set are not one application.
    expect(problemsIn(() => resolveCredentials(loaded, {}))).toHaveLength(4);
    expect(problemsIn(() => resolveCredentials(loaded, { ...env, KEY2: '' }))).toEqual([
      `${file}: application second needs the environment variable ID2, which is not set; set it with export ID2=… or pass -e ID2=…`,
      `${file}: application second needs the environment variable KEY2, which is not set; set it with export KEY2=… or pass -e KEY2=…`,
    ]);
  });

  test('gives a1 the credentials that the profile names, and the sandbox alone those of null', async () => {
    const folder = folderWith({
      's.yaml': `${minimal}profile: { credentials: { clientId: "\${env.A}", clientSecret: "\${env.B}" } }\n`,
      'null.yaml': `${minimal}applications: { first: null }\n`,
    });
    const loaded = await loadScenario(join(folder, 's.yaml'), { env: { A: 'a', B: 'b' } });
    expect(resolveCredentials(loaded, { A: 'a', B: 'b' })).toEqual(
      new Map([['a1', { kind: 'basic', clientId: 'a', clientSecret: 'b' }]]),
    );
    expect(loaded.secrets).toEqual({ A: 'a', B: 'b' });
    const file = join(folder, 'null.yaml');
    const withoutCredentials = await loadScenario(file, { env: {} });
    expect(withoutCredentials.applications).toEqual([{ label: 'first' }]);
    expect(problemsIn(() => resolveCredentials(withoutCredentials, {}))).toEqual([
      `${file} applications.first: application first has no credentials; only the embedded sandbox can create them; write first: { clientId: "\${env.…}", clientSecret: "\${env.…}" }`,
    ]);
  });
});
