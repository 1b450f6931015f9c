import { type Micros, microsFromMillis, parseDuration } from '../../base/index.ts';
import type { Problem } from './fault.ts';

/** Whether the fault strikes before the request is decided (which then never happens) or after. */
export type Moment = 'before' | 'after';

/** Parses one optional parameter. More than one word is an error. */
export function optional<T>(
  words: readonly string[],
  absent: T,
  read: (word: string) => T | undefined,
  expected: string,
): { readonly value: T } | Problem {
  const [word, ...rest] = words;
  if (word === undefined) return { value: absent };
  const value = rest.length === 0 ? read(word) : undefined;
  return value === undefined ? { problem: `"${words.join(':')}" is not ${expected}` } : { value };
}

export const moment = (words: readonly string[], absent: Moment) =>
  optional(words, absent, (word) => (word === 'before' || word === 'after' ? word : undefined), '"before" or "after"');

/** A duration above 0. */
export const duration = (words: readonly string[], absent: Micros) =>
  optional(
    words,
    absent,
    (word) => {
      const ms = parseDuration(word);
      return ms === undefined || ms === 0 ? undefined : microsFromMillis(ms);
    },
    'a duration such as 500ms or 5s',
  );

/** A whole number within bounds, both included. */
export const wholeNumber = <T>(words: readonly string[], absent: T, min: number, max: number) =>
  optional<T | number>(
    words,
    absent,
    (word) => (/^\d{1,15}$/.test(word) && Number(word) >= min && Number(word) <= max ? Number(word) : undefined),
    `a whole number from ${min} to ${max}`,
  );

/** A share above 0, up to 1. */
export const share = (words: readonly string[]) =>
  optional(
    words,
    1,
    (word) => (/^\d*\.?\d+$/.test(word) && Number(word) > 0 && Number(word) <= 1 ? Number(word) : undefined),
    'a share above 0, up to 1',
  );
