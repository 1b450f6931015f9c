import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ScenarioSchema } from '../schema/schema.ts';
import { profileJsonSchema, scenarioJsonSchema } from './json-schema.ts';
import { schemaFiles, writeSchemaFiles } from './write-json-schemas.ts';

const scenarios = fileURLToPath(new URL('../../../scenarios', import.meta.url));
const compile = (schema: object) => new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
/** Compiled once: that takes a third of a second. */
const isScenario = compile(scenarioJsonSchema());
const isProfile = compile(profileJsonSchema());

const example = `
$schema: ./scenario.schema.json
name: example
profile: { name: example, limits: { rate: { max: 30, window: 1min } } }
users: [{ id: a, locale: fr-CH }, { id: b, application: second }]
applications:
  first: null
  second: { clientId: "\${env.ID}", clientSecret: "\${env.SECRET}" }
data: { cities: { file: cities.csv, order: random } }
journeys:
  ask:
    onRefused: { retry: { max: 2, backoff: { first: 1s, jitter: 0.5 } } }
    steps:
      - createConversation: { title: Hello }
        capture: { id: conversation_id }
      - repeat:
          times: 3
          steps:
            - sendMessage: { message: "Question \${iteration}", location: { city: Geneva } }
              expect: { status: [202, 429], body: { turn_id: { type: string } } }
            - repeat: { times: 2, steps: [{ pause: { distribution: exponential, mean: 1s } }] }
      - followTurn: { by: both, deadline: 20s }
load: { model: constant-rate, rate: 20/min, duration: 1min }
`;

describe('the JSON Schemas', () => {
  test('are the committed files, byte for byte', () => {
    for (const [name, text] of Object.entries(schemaFiles())) {
      expect(readFileSync(join(scenarios, name), 'utf8'), `${name}: run npm run schemas`).toBe(text);
    }
  });

  test('are written into a folder', () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'spillway-schemas-')), 'new');
    expect(writeSchemaFiles(folder)).toEqual([
      join(folder, 'scenario.schema.json'),
      join(folder, 'profile.schema.json'),
    ]);
    expect(readFileSync(join(folder, 'profile.schema.json'), 'utf8')).toBe(schemaFiles()['profile.schema.json']);
  });

  test('name only formats that the draft has, because validators refuse others', () => {
    const named = Object.values(schemaFiles()).flatMap((text) => text.match(/(?<="format": ")[^"]*/g) ?? []);
    expect(new Set(named)).toEqual(new Set(['date-time', 'uri']));
  });

  test('name the draft, a title and the descriptions of fields', () => {
    const schema = scenarioJsonSchema();
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.title).toBe('Spillway scenario');
    const { seed } = schema.properties as Record<string, { description?: string; default?: unknown }>;
    expect(seed).toMatchObject({
      default: 1,
      description: 'The same seed gives the same plan; `--seed` overrides it.',
    });
  });

  test('accept an example that the loader accepts too', () => {
    const value = parse(example) as Record<string, unknown>;
    expect([isScenario(value), isScenario.errors]).toEqual([true, null]);
    expect(ScenarioSchema.safeParse(value).error).toBeUndefined();
    expect(isProfile(value.profile)).toBe(true);
  });

  test.each([
    ['an unknown key', { sead: 1 }],
    ['a step without a step name', { journeys: { ask: { steps: [{ expect: { status: 200 } }] } } }],
    ['a nested unknown step', { journeys: { ask: { steps: [{ repeat: { times: 1, steps: [{ wait: '1s' }] } }] } } }],
    ['a secret in the file', { applications: { a: { clientId: 'id', clientSecret: 'secret' } } }],
    ['an unknown load model', { load: { model: 'burts', count: 1 } }],
  ])('refuse %s', (_, change) => {
    expect(isScenario({ ...(parse(example) as object), ...change })).toBe(false);
  });

  test('refuse an unknown key in a profile', () => {
    expect(isProfile({ limit: {} })).toBe(false);
  });
});
