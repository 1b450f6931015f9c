import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScenarioSchema } from '../schema/schema.ts';
import { untouched } from './in-real-time.ts';
import { changeTimes } from './stretch.ts';

/*
 * Makes values of everything that a scenario may contain, without knowing which of them are times, and looks at which numbers change.
 */

/** Of these, the first that a leaf of the schema takes. */
const LEAVES = ['2s', '20/min', 0.5, 1, 100, 'word', '${env.WORD}', '2026-01-15T09:00:00Z', 'a', true, ['a'], null];
/** How often a schema may contain itself, as steps contain steps. */
const DEEPEST = 2;

type Around = readonly z.ZodType[];

/** Values with which every option of every union occurs, each object with all of its members. */
function valuesOf(schema: z.ZodType, around: Around = []): readonly unknown[] {
  if (around.filter((one) => one === schema).length === DEEPEST) return [];
  const within = [...around, schema];
  if (schema instanceof z.ZodLiteral) return [[...schema.values][0]];
  if (schema instanceof z.ZodEnum) return [schema.options[0]];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => valuesOf(option as z.ZodType, within));
  if (schema instanceof z.ZodArray) return [valuesOf(schema.element as z.ZodType, within)];
  if (schema instanceof z.ZodRecord)
    return [Object.fromEntries(valuesOf(schema.valueType as z.ZodType, within).map((value, n) => [`n${n}`, value]))];
  if (schema instanceof z.ZodObject) return objectsOf(schema, within);
  if ('unwrap' in schema) return valuesOf((schema.unwrap as () => z.ZodType)(), within);
  for (const leaf of LEAVES) {
    const parsed = schema.safeParse(leaf);
    if (parsed.success) return [parsed.data];
  }
  throw new Error(`no leaf fits ${JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))}`);
}

/** As many as the member with the most values has. */
function objectsOf(schema: z.ZodObject, within: Around): readonly unknown[] {
  const members = Object.entries<z.ZodType>(schema.shape)
    .map(([name, member]) => [name, valuesOf(member, within)] as const)
    .filter(([, values]) => values.length > 0);
  const most = Math.max(1, ...members.map(([, values]) => values.length));
  return Array.from({ length: most }, (_, n) =>
    Object.fromEntries(members.map(([name, values]) => [name, values[n % values.length]])),
  );
}

/** Whether `valuesOf` gave the name, where any is allowed. */
const isMade = (key: string): boolean => /^n\d+$/.test(key);

/** `journeys.steps.burst.gap` */
const nameOf = (path: readonly PropertyKey[]): string =>
  path.filter((key) => typeof key === 'string' && !isMade(key)).join('.');

/** The names of all numbers that are not -1. */
function* numbersIn(value: unknown, name = ''): Generator<string> {
  if (typeof value === 'number' && value !== -1) yield name;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value))
    yield* numbersIn(item, Array.isArray(value) || isMade(key) ? name : key);
}

function changesOf() {
  const changes = { multiply: new Set<string>(), divide: new Set<string>() };
  const without = Object.fromEntries(untouched.map((member) => [member, true])) as Record<
    (typeof untouched)[number],
    true
  >;
  const left = valuesOf(ScenarioSchema.omit(without)).flatMap((value) => {
    const changed = changeTimes(
      ScenarioSchema,
      { ...(value as object), sandbox: {}, generator: {} },
      (_, how, path) => {
        changes[how].add(nameOf(path));
        return -1;
      },
    );
    return [...numbersIn(changed)];
  });
  const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
  return { multiplied: sorted(changes.multiply), divided: sorted(changes.divide), left: sorted(left) };
}

describe('every number of a scenario', () => {
  const { multiplied, divided, left } = changesOf();

  // A new number or duration of the schema belongs into one of these three lists; or its part of the scenario into `untouched`.
  it('is multiplied if it is a time', () => {
    const steps = (name: string) => [`journeys.steps.${name}`, `journeys.steps.repeat.steps.${name}`];
    const policies = (name: string) =>
      ['backoff.ceiling', 'backoff.first', 'retryAfterCeiling'].map((at) => `${name}.retry.${at}`);
    const distribution = ['', '.max', '.mean', '.median', '.min', '.p95', '.value'];
    const loads = ['after', 'before', 'duration', 'each', 'gap', 'hold', 'ramp', 'stages.duration', 'start'];
    const ofLoads = [...loads, ...distribution.map((member) => `think${member}`)];
    const perStep = [
      ...['onRefused', 'onError'].flatMap(policies),
      ...['burst.gap', 'resend.gap'],
      ...['burst.follow', 'followTurn'].flatMap((follow) =>
        ['deadline', 'interval', 'maxInterval'].map((name) => `${follow}.${name}`),
      ),
      ...distribution.map((member) => `pause${member}`),
    ];
    expect(multiplied).toEqual(
      [
        ...['deadline', 'gracefulStop', 'warmUp', 'phases.duration', 'gates.delayAbortEval', 'gates.window'],
        ...['onRefused', 'onError', 'journeys.onRefused', 'journeys.onError'].flatMap(policies),
        ...perStep.flatMap(steps),
        ...['load', 'phases.load'].flatMap((load) => ofLoads.map((name) => `${load}.${name}`)),
      ].sort(),
    );
  });

  it('is divided if it is per time', () => {
    const names = ['base', 'by', 'from', 'peak', 'rate', 'speed', 'stages.to'];
    expect(divided).toEqual(['load', 'phases.load'].flatMap((load) => names.map((name) => `${load}.${name}`)));
  });

  it('is left as it is if it is neither, or counts on the clock of the service', () => {
    const counts = 'conversations count from inFlight iterations limit max offset openTurns pages steps times to users';
    const shares = 'backoff burstiness factor jitter share turnsWithin weight';
    // Per minute of the service's clock, whatever its speed.
    const onTheServicesClock = 'requestsPerMinute';
    const others = 'body maxLength min minLength oneOf seed status variables';
    expect(left).toEqual([counts, shares, onTheServicesClock, others].flatMap((names) => names.split(' ')).sort());
  });
});
