import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../scenario/index.ts';
import { root } from '../../testing/cli.ts';
import { planScenario } from './plan-scenario.ts';
import type { Price } from './price.ts';

const noon = new Date('2026-01-15T12:00:00Z');
const folder = join(root, 'scenarios');
const files = readdirSync(folder).filter((file) => /\.(yaml|ts)$/.test(file));

const span = ({ low, high }: Price['tokens']) => (low === high ? String(low) : `${low} to ${high}`);
const counted = (range: Price['tokens'], one: string) => `${span(range)} ${one}${range.high === 1 ? '' : 's'}`;

/** What the head of a scenario says that it costs. */
function costIn({ requests, tokens, dailyUse }: Price): string {
  return `Costs ${counted(requests, 'request')}, ${counted(tokens, 'token')}, ${counted(dailyUse, 'new message')} a day.`;
}

describe('a shipped scenario', () => {
  it.each(files)('%s states its cost in its first comment, as spillway plan computes it', async (file) => {
    const path = join(folder, file);
    const { price } = await planScenario(await loadScenario(path, { env: {} }), { embedded: true, now: noon });
    expect(price.whole).toBe(true);
    const head = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /^(#|\/\/) Costs /.test(line));
    expect(head.map((line) => line.replace(/^(#|\/\/) /, ''))).toEqual([costIn(price)]);
  });
});
