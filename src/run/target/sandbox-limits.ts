import { algorithmOfReading, days, type LimitName, limitDefaults, limitNames, slotKinds } from '../../api/index.ts';
import { assumedBy, type SandboxSettings } from '../../sandbox/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';

/** The limits that the scenario sets (none, one or several), each completed by what the profile declares. */
function each<Written extends object, Declared extends object>(
  written: number | Written | readonly Written[] | undefined,
  declared: Declared,
): (Declared | (Declared & Written) | { max: number })[] {
  if (written === undefined) return [declared];
  if (typeof written === 'number') return [{ ...declared, max: written }];
  return [written].flat().map((limit) => ({ ...declared, ...(limit as Written) }));
}

/** When a turn takes its slot: the declared reading if it is a kind of slot, otherwise the profile's `slot`; as for the judge. */
const slotOf = ({ reading, slot }: LoadedScenario['profile']['limits']['concurrency']) =>
  slotKinds.find((kind) => kind === reading) ?? slot;

/** When the day turns: the declared reading if it is a kind of day, otherwise the profile's `day`; as for the judge. */
export const dayOf = ({ reading, day }: LoadedScenario['profile']['limits']['daily']): typeof day =>
  days.find((kind) => kind === reading) ?? day;

/**
 * The limits of the embedded sandbox: those that the scenario sets, otherwise those that the profile declares. Where the profile
 * leaves something open, the sandbox's defaults apply: a fixed window if the reading names no algorithm, UTC for an unknown day.
 */
export function sandboxLimits({
  scenario,
  profile,
}: Pick<LoadedScenario, 'scenario' | 'profile'>): NonNullable<SandboxSettings['limits']> {
  const { limits: written = {} } = scenario.sandbox;
  const { rate, concurrency, daily } = profile.limits;
  // Some defects show only under certain limits, so these take precedence over the profile.
  const assumed = assumedBy(scenario.sandbox.defects ?? []);
  const algorithm = assumed.algorithm ?? algorithmOfReading(rate.reading);
  const day = assumed.day ?? dayOf(daily);
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
    // A profile may name only some limits; the others follow.
    order: written.order ?? [...new Set([...(profile.limitOrder ?? limitDefaults.order), ...limitNames])],
    rate: each(written.rate ?? assumed.rates, declared.rate),
    concurrency: each(written.concurrency, declared.concurrency),
    daily: each(written.daily, declared.daily),
  };
}

/** The limits of one kind that the scenario, or a defect of it, sets for the embedded sandbox, as written. */
export function ownLimits(
  { scenario }: Pick<LoadedScenario, 'scenario'>,
  name: LimitName,
): readonly Partial<Counted>[] {
  const { limits: written = {}, defects = [] } = scenario.sandbox;
  const set = written[name] ?? (name === 'rate' ? assumedBy(defects).rates : undefined) ?? [];
  return [set].flat().map((one) => (typeof one === 'number' ? { max: one } : (one as Partial<Counted>)));
}

/** What limits of every kind have, and the window of a rate limit. */
interface Counted {
  readonly max: number;
  readonly window: number;
}

/**
 * A warning for each sandbox limit that the scenario sets differently from the profile: the judge compares the sandbox with the
 * profile and would report a violation. None if the scenario sets a defect, or for several limits of one kind, none of which has
 * to be the declared one.
 */
export function undeclaredLimits({ scenario, profile }: Pick<LoadedScenario, 'scenario' | 'profile'>): string[] {
  if ((scenario.sandbox.defects ?? []).length > 0) return [];
  return limitNames.flatMap((name) => {
    const [only, ...others] = ownLimits({ scenario }, name);
    if (only === undefined || others.length > 0) return [];
    const declared = profile.limits[name] as unknown as Readonly<Record<string, unknown>>;
    const other = Object.entries(only).filter(
      ([key, value]) => ['max', 'window', 'scope'].includes(key) && value !== declared[key],
    );
    if (other.length === 0) return [];
    const asText = (entries: readonly (readonly [string, unknown])[]) =>
      entries.map(([key, value]) => `${key}: ${value}${key === 'window' ? 'ms' : ''}`).join(', ');
    const asDeclared = other.map(([key]) => [key, declared[key]] as const);
    return [
      `the sandbox's ${name} limit has ${asText(other)}, but the profile declares ${asText(asDeclared)}, and the sandbox is judged by the profile; to declare the same, write profile: { limits: { ${name}: { ${asText(other)} } } }`,
    ];
  });
}
