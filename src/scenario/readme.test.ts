import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { planScenario } from '../run/forecast/plan-scenario.ts';
import { loadScenario } from './index.ts';
import { BodyExpectation } from './schema/expect.ts';
import { ScenarioSchema } from './schema/schema.ts';
import { stepNames } from './schema/steps.ts';
import { reservedNames } from './validation/names.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const [readme, guide] = [read('README.md'), read('scenarios/README.md')];

/** Names in backticks in the first column of the table with this head. */
const namedIn = (head: string): string[] => {
  const [, rows = ''] = guide.split(`| ${head} |\n|---|---|\n`);
  const cells = (rows.split('\n\n')[0] ?? '').split('\n').map((row) => row.split(' | ')[0] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''));
};

describe('the README of scenarios', () => {
  it('names every field, every step, and every name that a text may use', () => {
    expect(['$schema', ...namedIn('field | what it says')].sort()).toEqual(Object.keys(ScenarioSchema.shape).sort());
    expect(namedIn('step | what it does').sort()).toEqual([...stepNames].sort());
    const groups = namedIn('name | what it is replaced by').map((name) => /^\$\{(\w+)/.exec(name)?.[1]);
    expect([...new Set(groups)].sort()).toEqual(['NAME', ...reservedNames].sort());
  });

  it('names every check of what is expected, in the order in which messages list them', () => {
    const { options } = BodyExpectation;
    const checks = options.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []));
    const [, list = ''] = /in place of a value, a check: ([^.]*)\./.exec(guide) ?? [];
    expect(list.replaceAll('`', '').split(', '), 'scenarios/README.md names').toEqual(checks);
  });

  const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
  const [, hello = ''] = /```yaml\n(# yaml-language-server[\s\S]*?)```/.exec(readme) ?? [];

  it('has examples', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(6);
  });

  it.each(blocks.map((block) => [block]))(
    'has an example that can be planned, with the rest of the shortest scenario: %s',
    async (block) => {
      const folder = mkdtempSync(join(tmpdir(), 'spillway-readme-'));
      writeFileSync(join(folder, 'people.csv'), 'name\nada\n');
      writeFileSync(join(folder, 'arrivals.csv'), 'at\n0\n1.5\n');
      const { load, ...rest } = parse(hello);
      const given = parse(block);
      const whole = { ...rest, ...(!given.phases && { load }), ...given };
      writeFileSync(join(folder, 's.yaml'), stringify(whole));
      const env = { SHOP_ID: 'a', SHOP_SECRET: 'b', OFFICE_ID: 'c', OFFICE_SECRET: 'd' };
      const loaded = await loadScenario(join(folder, 's.yaml'), { env });
      const { scenario } = loaded;
      expect(Object.keys(given).filter((field) => !(field in scenario))).toEqual([]);
      expect(scenario.name).toBe('hello');
      const { price } = await planScenario(loaded, { embedded: true });
      expect(price.arrivals.high).toBeGreaterThan(0);
    },
  );
});
