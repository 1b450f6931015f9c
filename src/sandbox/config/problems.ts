import { z } from 'zod';
import { nearest, PARSED_ONCE } from '../../base/index.ts';
import { inWords } from './words.ts';

/** One problem of the settings, with its path in the user's input. */
export interface SettingsProblem {
  readonly path: readonly PropertyKey[];
  /** Whether the key itself is wrong rather than its value. */
  readonly atKey: boolean;
  readonly message: string;
  readonly hint?: string;
}

/** Like `safeParse`, with every problem in plain words. */
export function parseSettings<T>(
  schema: z.ZodType<T>,
  settings: unknown,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly SettingsProblem[] } {
  const allowedKeys = new Map<readonly string[], readonly string[]>();
  const parsed = schema.safeParse(settings, {
    ...PARSED_ONCE,
    // The issue lists the unknown keys, its schema the existing ones. Only here are both available.
    error: (issue) => {
      if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject)
        allowedKeys.set(issue.keys, Object.keys(issue.inst.shape));
      return undefined;
    },
  });
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues.flatMap((issue): readonly SettingsProblem[] => {
    const path = placeIn(settings, issue.path);
    if (issue.code !== 'unrecognized_keys') {
      const written = path.some(isSecret) ? undefined : path.reduce(memberOf, settings);
      return [{ path, atKey: false, ...inWords(issue, written) }];
    }
    return issue.keys.map((key) => unknownKey(key, path, allowedKeys.get(issue.keys) ?? []));
  });
  return { ok: false, problems };
}

function unknownKey(key: string, path: readonly PropertyKey[], allowed: readonly string[]): SettingsProblem {
  const near = nearest(key, allowed);
  const hint = near === undefined ? `allowed here: ${allowed.join(', ')}` : `did you mean ${near}?`;
  return { path: [...path, key], atKey: true, message: `unknown key "${key}"`, hint };
}

/** Credentials must not appear in messages. */
const isSecret = (key: PropertyKey) => key === 'clientId' || key === 'clientSecret';

const memberOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;

/** The issue's path in the user's input: drops the index if a single limit was written without a list. */
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
