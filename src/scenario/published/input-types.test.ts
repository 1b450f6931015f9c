import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ScenarioSchema } from '../schema/schema.ts';
import { inputTypes } from './input-types.ts';
import { scenario } from './scenario.ts';
import type { ScenarioInput } from './scenario-input.ts';

type Inferred = z.input<typeof ScenarioSchema>;
type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

describe('the type of a scenario as written', () => {
  test('is the committed file, byte for byte', () => {
    const committed = readFileSync(join(import.meta.dirname, 'scenario-input.ts'), 'utf8');
    expect(committed, 'run npm run schemas').toBe(inputTypes());
  });

  test('admits what the schema admits, and nothing else', () => {
    // The compiler checks this. What it says is long; npm run schemas writes the type anew.
    const admits = (inferred: Frozen<Inferred>): ScenarioInput => inferred;
    const nothingElse = (input: ScenarioInput): Frozen<Inferred> => input;
    expect([admits, nothingElse]).toHaveLength(2);
  });

  test('admits constants', () => {
    const steps = [{ createConversation: { conversation: 'chosen' } }, { pause: '1s' }] as const;
    const load = [{ model: 'burst', count: 1, journeys: ['ask'] }] as const;
    expect(scenario({ name: 'constants', journeys: { ask: { steps } }, load }).load).toBe(load);
  });

  test('tells what an editor shows: meaning, unit, default and range', () => {
    const text = inputTypes();
    for (const told of [
      `  /** Client-side limits; waiting for them is measured. */
  caps?: Caps | undefined;
`,
      `  /** Planned time between two polls.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.
   * Default: "1s". */
  interval?: Duration | undefined;
`,
      `  /** Length of the window.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.
   * Default: "60s". */
  window?: Duration | undefined;
`,
      `  /** Waits: a duration, or one drawn from a distribution.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  pause: Duration | Assumed;
`,
      `  /** After a 429, unless the journey or the step says otherwise.
   * stop ends the journey, continue goes on with the next step, retry sends the request again.
   * Default: "stop". */
  onRefused?: OnRefused | undefined;
`,
      `  /** Factor by which the interval grows after each poll.
   * Default: 1.
   * Range: at least 1, at most 10. */
  backoff?: number | undefined;
`,
    ])
      expect(text).toContain(told);
  });

  test('says of no duration that it may be 0 if 0 is wrong', () => {
    const mayBeZero = [...inputTypes().matchAll(/; or 0\.(?:\n +\*.*)* \*\/\n *(\w+)/g)].map(([, name]) => name);
    expect(mayBeZero.filter((name) => /window|keptFor|deadline|ttl|median|p95/.test(name ?? ''))).toEqual([]);
    expect(mayBeZero).toContain('warmUp');
  });

  test('tells of each member what its name and its values do not', () => {
    const bare = [...inputTypes().matchAll(/(?<!\*\/\n)(?<=\n) *([a-z]+)\??: /gi)].map(([, name]) => name);
    const names = 'backoff description distribution max min oneOf rating reason retry steps type violation';
    expect([...new Set(bare)].sort().join(' ')).toBe(names);
  });
});
