import { algorithmOfReading, limitNames, slotKinds } from '../api/index.ts';
import { assumedBy, type SandboxSettings } from '../sandbox/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';

/** One limit or several, as the scenario writes them: each as an object over what the profile declares. */
function each<Written extends object, Declared extends object>(
  written: number | Written | readonly Written[] | undefined,
  declared: Declared,
): (Declared | (Declared & Written) | { max: number })[] {
  if (written === undefined) return [declared];
  if (typeof written === 'number') return [{ ...declared, max: written }];
  return [written].flat().map((limit) => ({ ...declared, ...(limit as Written) }));
}

/** A reading that is the name of one says when a slot is taken; otherwise the profile's `slot` does, as for the judge. */
const slotOf = ({ reading, slot }: LoadedScenario['profile']['limits']['concurrency']) =>
  slotKinds.find((kind) => kind === reading) ?? slot;

/**
 * The limits of the embedded sandbox: what the scenario writes, and where it is silent what the profile declares. A profile
 * says less than a sandbox needs: a reading that names no algorithm is the fixed window, and an unknown day is that of UTC.
 */
export function sandboxLimits({
  scenario,
  profile,
}: Pick<LoadedScenario, 'scenario' | 'profile'>): NonNullable<SandboxSettings['limits']> {
  const { limits: written = {} } = scenario.sandbox;
  const { rate, concurrency, daily } = profile.limits;
  // A defect shows under its own limits only, so that these stand before what a profile declares.
  const assumed = assumedBy(scenario.sandbox.defects ?? []);
  const algorithm = assumed.algorithm ?? algorithmOfReading(rate.reading);
  const day = assumed.day ?? daily.day;
  const declared = {
    rate: {
      max: rate.max,
      window: rate.window,
      scope: rate.scope,
      operations: rate.counts,
      countsReplays: rate.countsReplays ?? true,
      ...(algorithm !== undefined && { algorithm }),
    },
    concurrency: { max: concurrency.max, scope: concurrency.scope, slot: slotOf(concurrency) },
    daily: { max: daily.max, scope: daily.scope, ...(day !== 'unknown' && { day }) },
  };
  return {
    // A profile may name fewer; the others come after those.
    order: written.order ?? [...new Set([...profile.limitOrder, ...limitNames])],
    rate: each(written.rate ?? assumed.rates, declared.rate),
    concurrency: each(written.concurrency, declared.concurrency),
    daily: each(written.daily, declared.daily),
  };
}

/**
 * What a scenario sets of the embedded sandbox's limits otherwise than it declares, in sentences: the judge holds the sandbox to what is
 * declared, and convicts it. Nothing where a defect is wanted, nor of limits that are stacked, of which no one is the declared one.
 */
export function undeclaredLimits({ scenario, profile }: Pick<LoadedScenario, 'scenario' | 'profile'>): string[] {
  const { limits: written = {}, defects = [] } = scenario.sandbox;
  if (defects.length > 0) return [];
  return limitNames.flatMap((name) => {
    const set = [written[name] ?? []].flat();
    const [only] = set.map((one) => (typeof one === 'number' ? { max: one } : (one as object)));
    if (only === undefined || set.length !== 1) return [];
    const declared = profile.limits[name] as unknown as Readonly<Record<string, unknown>>;
    const other = Object.entries(only).filter(
      ([key, value]) => ['max', 'window', 'scope'].includes(key) && value !== declared[key],
    );
    if (other.length === 0) return [];
    const said = (entries: readonly (readonly [string, unknown])[]) =>
      entries.map(([key, value]) => `${key}: ${value}${key === 'window' ? 'ms' : ''}`).join(', ');
    const asDeclared = other.map(([key]) => [key, declared[key]] as const);
    return [
      `the sandbox's ${name} limit has ${said(other)}, the profile declares ${said(asDeclared)}, and is what the sandbox is judged by; to declare the same, write profile: { limits: { ${name}: { ${said(other)} } } }`,
    ];
  });
}
