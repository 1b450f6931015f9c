import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, ExitCode, SpillwayError } from '../base/index.ts';
import { loadScenario } from './load.ts';

/** A folder outside the repository, without installed packages. */
function fileWith(name: string, text: string, others: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-module-'));
  for (const [each, content] of Object.entries({ [name]: text, ...others })) {
    mkdirSync(dirname(join(folder, each)), { recursive: true });
    writeFileSync(join(folder, each), content);
  }
  return join(folder, name);
}

const typed = `import { type ScenarioInput, scenario } from 'spillway';
import { journeys } from './journeys.ts';

interface Settings { readonly count: number }
const settings: Settings = { count: 3 };
const load: ScenarioInput['load'] = { model: 'burst', count: settings.count };
export default scenario({ name: 'typed', journeys, load });
`;
const journeys = `export const journeys = { ask: { steps: [{ sendMessage: { message: 'Hi \${user.id}' } }] } };\n`;
const plain = `import { scenario } from 'spillway';
export default scenario({ name: 'plain', journeys: { ask: { steps: [{ pause: '2s' }] } }, load: { model: 'burst', count: 1 } });
`;
const rest = "journeys: { ask: { steps: [{ pause: '2s' }] } }, load: { model: 'burst', count: 1 }";
const failure = async (file: string): Promise<SpillwayError> => {
  const error = await loadScenario(file, { env: {} }).catch((thrown: unknown) => thrown);
  if (error instanceof SpillwayError) return error;
  throw new Error('it loaded, or failed otherwise');
};

describe('a module', () => {
  test('is a scenario, with types and imports of its own', async () => {
    const { scenario } = await loadScenario(fileWith('s.ts', typed, { 'journeys.ts': journeys }), { env: {} });
    expect([scenario.name, scenario.load, scenario.journeys.ask?.steps]).toEqual([
      'typed',
      { model: 'burst', start: 0, count: 3, gap: 0 },
      [{ sendMessage: { message: 'Hi ${user.id}', nonce: true } }],
    ]);
  });

  test.each(['s.mts', 's.js', 's.mjs'])('may be called %s', async (name) => {
    const { scenario } = await loadScenario(fileWith(name, plain), { env: {} });
    expect([scenario.name, scenario.journeys.ask?.steps]).toEqual(['plain', [{ pause: 2_000 }]]);
  });

  test('reads what -e sets from process.env, which has its own values again afterwards', async () => {
    const text = `const { SPILLWAY_TEST_A = 'none', SPILLWAY_TEST_B = 'none' } = process.env;
const later = async () => { await null; return process.env.SPILLWAY_TEST_A ?? 'none'; };
export default later().then((last) => ({ name: [SPILLWAY_TEST_A, SPILLWAY_TEST_B, last].join('.'), ${rest} }));\n`;
    const file = fileWith('s.ts', text);
    process.env.SPILLWAY_TEST_B = 'own';
    try {
      const variables = { SPILLWAY_TEST_A: 'a', SPILLWAY_TEST_B: 'b' };
      expect((await loadScenario(file, { env: {}, variables })).scenario.name).toBe('a.b.a');
      expect((await loadScenario(file, { env: {} })).scenario.name).toBe('none.own.none');
    } finally {
      delete process.env.SPILLWAY_TEST_B;
    }
  });

  test('that is a profile reads what -e sets, too, given or named', async () => {
    const profile = fileWith('p.ts', "export default { name: process.env.SPILLWAY_TEST_A ?? 'none' };\n");
    const given = fileWith('s.ts', `export default { name: 's', ${rest} };\n`);
    const naming = fileWith('n.ts', `export default { name: 's', profile: ${JSON.stringify(profile)}, ${rest} };\n`);
    const options = { env: {}, variables: { SPILLWAY_TEST_A: 'a' } };
    expect((await loadScenario(given, { ...options, profileFile: profile })).profile.name).toBe('a');
    expect((await loadScenario(naming, options)).profile.name).toBe('a');
    expect((await loadScenario(naming, { env: {} })).profile.name).toBe('none');
  });

  test('can import everything that the package exports', async () => {
    const text = `import * as spillway from 'spillway';\nexport default { ...spillway.scenario({ name: Object.keys(spillway).join('.') }) };\n`;
    const { scenario } = await loadScenario(fileWith('s.ts', text.replace('name:', `${rest}, name:`)), { env: {} });
    expect(scenario.name.split('.')).toEqual(Object.keys(await import('../index.ts')));
  });

  test.each(['plain', '#1', '100%', '%20 ä'])(
    'in a folder called %s can import the defaults of others',
    async (folder) => {
      const names = ['common.cjs', 'data.json', 'module.mjs', 'typed.ts', 'named.cjs'];
      const imports = names.map((name, index) => `import i${index} from './${name}';`).join('\n');
      const text = `${imports}\nexport default { name: [i0.a, i1.b, i2.c, i3.d, i4.e].join('.'), ${rest} };\n`;
      const file = fileWith(`${folder}/s.ts`, text, {
        [`${folder}/common.cjs`]: "module.exports = { a: 'a' };\n",
        [`${folder}/data.json`]: '{ "b": "b" }\n',
        [`${folder}/module.mjs`]: "export default { c: 'c' };\n",
        [`${folder}/typed.ts`]: "export default { d: 'd' as const };\n",
        [`${folder}/named.cjs`]: "exports.e = 'e';\n",
      });
      expect((await loadScenario(file, { env: {} })).scenario.name).toBe('a.b.c.d.e');
    },
  );

  test('that nests its steps too deeply is an error of configuration', async () => {
    const text = `let steps = [{ pause: '1s' }];
for (let level = 0; level < LEVELS; level++) steps = [{ repeat: { times: 1, steps } }];
export default { name: 'deep', journeys: { a: { steps } }, load: { model: 'burst', count: 1 } };\n`;
    const file = fileWith('s.mjs', text.replace('LEVELS', '3_000'));
    expect(await failure(file)).toMatchObject({
      exitCode: ExitCode.invalidConfiguration,
      message: `${file}: is nested too deeply to be read; nest lists and maps at most 500 levels deep`,
    });
    const { scenario } = await loadScenario(fileWith('s.mjs', text.replace('LEVELS', '160')), { env: {} });
    expect(scenario.journeys.a?.steps).toHaveLength(1);
  });

  test('may hold null', async () => {
    const text =
      "export default { name: 'n', applications: { first: null }, journeys: { a: { steps: [{ pause: '1s' }] } }, load: { model: 'burst', count: 1 } };\n";
    const { applications } = await loadScenario(fileWith('s.mjs', text), { env: {} });
    expect(applications).toEqual([{ label: 'first' }]);
  });

  test('is read again each time', async () => {
    const file = fileWith('s.ts', plain);
    await loadScenario(file, { env: {} });
    writeFileSync(file, plain.replace("'plain'", "'changed'"));
    expect((await loadScenario(file, { env: {} })).scenario.name).toBe('changed');
  });

  test('may be a profile too', async () => {
    const file = fileWith('s.ts', plain.replace("name: 'plain'", "name: 'plain', profile: 'p.ts'"), {
      'p.ts': "export default { name: 'from a module' };\n",
    });
    expect((await loadScenario(file, { env: {} })).profile.name).toBe('from a module');
  });
});

describe('a module that is not a scenario', () => {
  test('has its problems reported by path', async () => {
    const file = fileWith('s.ts', plain.replace("pause: '2s'", "sendMesage: { message: 'a' }"));
    const error = await failure(file);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toBe(
      `${file} journeys.ask.steps[0].sendMesage: there is no step "sendMesage"; did you mean sendMessage?`,
    );
  });

  test('has no default export', async () => {
    const file = fileWith('s.ts', 'export const scenario = {};\n');
    const error = await failure(file);
    expect([error.exitCode, error.message]).toEqual([
      ExitCode.invalidConfiguration,
      `${file}: has no default export; write export default scenario({ … })`,
    ]);
  });

  test.each(['undefined', 'null', 'Promise.resolve(null)'])('has %s as its default export', async (value) => {
    const file = fileWith('s.ts', `export default ${value};\n`);
    const error = await failure(file);
    expect([error.exitCode, error.message]).toEqual([
      ExitCode.invalidConfiguration,
      `${file}: has a default export that is ${value === 'undefined' ? value : 'null'}; write export default scenario({ … })`,
    ]);
  });

  test('cannot be parsed', async () => {
    const file = fileWith('s.ts', 'const a = 1;\nconst b = ;\n');
    const error = await failure(file);
    expect([error.exitCode, error.message]).toEqual([
      ExitCode.invalidConfiguration,
      `${file}:2:11: cannot be parsed: Unexpected token`,
    ]);
    const imported = fileWith('s.ts', typed, { 'journeys.ts': 'export const journeys = ;\n' });
    expect((await failure(imported)).message).toBe(
      `${join(dirname(imported), 'journeys.ts')}:1:25: cannot be parsed: Unexpected token`,
    );
  });

  test('does not exist', async () => {
    expect((await failure('/nowhere/s.ts')).message).toBe(
      '/nowhere/s.ts: cannot be read: no such file; check the path',
    );
  });

  test.each(['.toml', '.TS'])('has the unknown file type %s', async (type) => {
    expect((await failure(`/nowhere/s${type}`)).message).toBe(
      `/nowhere/s${type}: ${type} is not a file type for scenarios or profiles; give a file that ends in .yaml, .yml, .json, .ts, .mts, .js, .mjs`,
    );
  });
});

describe('a module that throws', () => {
  test('in a getter, in a folder whose URL is spelt otherwise', async () => {
    const file = fileWith(
      'a folder/s.mjs',
      "export default {\n  get name() {\n    throw new Error('no luck');\n  },\n};\n",
    );
    expect((await failure(file)).message).toBe(
      `${file}:3 threw while it was loaded: Error: no luck; correct the file, or what it imports`,
    );
  });

  test.each<[string, string, string]>([
    [
      'an error',
      `interface A { a: number }\n\nconst f = (): never => {\n  throw new TypeError('no luck\\nat all');\n};\nexport default f();\n`,
      ':4 threw while it was loaded: TypeError: no luck',
    ],
    ['no error', `throw 'a text';\nexport default {};\n`, ' threw while it was loaded: a text'],
    [
      'for want of a module',
      `import x from 'not-installed';\nexport default { x };\n`,
      ":1 threw while it was loaded: Error: Cannot find module 'not-installed'",
    ],
  ])('%s', async (_, text, sentence) => {
    const file = fileWith('s.ts', text);
    const error = await failure(file);
    expect([error.code, error.exitCode]).toEqual(['SCENARIO_THREW', ExitCode.scenarioThrew]);
    expect(error.message).toBe(`${file}${sentence}; correct the file, or what it imports`);
  });
});
