import { z } from 'zod';
import { nearest } from '../../base/index.ts';

type Issue = z.core.$ZodIssue;

/** One thing wrong in the settings, at its place in what was written. */
export interface SettingsProblem {
  readonly path: readonly PropertyKey[];
  /** Whether it is the key that is wrong, rather than its value. */
  readonly atKey: boolean;
  readonly message: string;
  readonly hint?: string;
}

/** As `safeParse`, with every problem in people's words. */
export function parseSettings<T>(
  schema: z.ZodType<T>,
  settings: unknown,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly SettingsProblem[] } {
  const allowedKeys = new Map<readonly string[], readonly string[]>();
  const parsed = schema.safeParse(settings, {
    // An issue names the keys that are too many, its schema those that exist: only here are both at hand.
    error: (issue) => {
      if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject)
        allowedKeys.set(issue.keys, Object.keys(issue.inst.shape));
      return undefined;
    },
  });
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues.flatMap((issue): readonly SettingsProblem[] => {
    const path = placeIn(settings, issue.path);
    if (issue.code === 'invalid_value') return [{ path, atKey: false, ...unknownWord(issue, path, settings) }];
    if (issue.code !== 'unrecognized_keys') return [{ path, atKey: false, message: messageOf(issue) }];
    return issue.keys.map((key) => unknownKey(key, path, allowedKeys.get(issue.keys) ?? []));
  });
  return { ok: false, problems };
}

function unknownKey(key: string, path: readonly PropertyKey[], allowed: readonly string[]): SettingsProblem {
  const near = nearest(key, allowed);
  const hint = near === undefined ? `allowed here: ${allowed.join(', ')}` : `did you mean ${near}?`;
  return { path: [...path, key], atKey: true, message: `unknown key "${key}"`, hint };
}

function unknownWord(
  { values }: Extract<Issue, { code: 'invalid_value' }>,
  path: readonly PropertyKey[],
  settings: unknown,
): Pick<SettingsProblem, 'message' | 'hint'> {
  const words = values.map(String);
  const written = path.reduce(memberOf, settings);
  const near = typeof written === 'string' ? nearest(written, words) : undefined;
  return {
    message: `must be one of ${words.join(', ')}`,
    ...(near !== undefined && { hint: `did you mean ${near}?` }),
  };
}

const memberOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;

/** A list that was written as its only member has an index in the issue's path that stands nowhere in the settings. */
function placeIn(settings: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const place: PropertyKey[] = [];
  let here = settings;
  for (const segment of path) {
    if (typeof segment === 'number' && !Array.isArray(here)) continue;
    place.push(segment);
    here = memberOf(here, segment);
  }
  return place;
}

/** Of a union of forms, what the form that was meant has against the value: a sentence of ours, where there is one. */
function messageOf(issue: Issue): string {
  if (issue.code !== 'invalid_union') return issue.message;
  const own = issue.errors.flat().find(({ code }) => code === 'custom');
  return own?.message ?? 'must be a duration with its unit, such as 250ms, 30s or 2min';
}
