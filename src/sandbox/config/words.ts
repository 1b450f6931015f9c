import type { z } from 'zod';
import { kindName, nearest } from '../../base/index.ts';

type Issue = z.core.$ZodIssue;

/** A problem with a value and what to write instead. */
interface Wrong {
  readonly message: string;
  readonly hint?: string;
}

const durations = 'must be a duration with its unit, such as 250ms, 30s or 2min';

/** Describes a zod issue in plain words. @param written the value; undefined if it must not be shown */
export function inWords(issue: Issue, written: unknown): Wrong {
  switch (issue.code) {
    case 'invalid_type':
      return { message: `must be ${kindName(issue.expected)}${insteadOf(written)}` };
    case 'invalid_value':
      return unknownWord(issue.values.map(String), written);
    case 'too_small':
      return { message: `must ${bound(issue.origin, 'at least', Number(issue.minimum))}` };
    case 'too_big':
      return { message: `must ${bound(issue.origin, 'at most', Number(issue.maximum))}` };
    case 'invalid_format':
      return {
        message: issue.format === 'datetime' ? 'must be a date-time, such as 2026-11-21T23:59:00Z' : issue.message,
      };
    case 'invalid_union':
      return ofUnion(issue, written);
    default:
      return { message: issue.message };
  }
}

function unknownWord(words: readonly string[], written: unknown): Wrong {
  const near = typeof written === 'string' ? nearest(written, words) : undefined;
  return {
    message: `must be one of ${words.join(', ')}${insteadOf(written)}`,
    ...(near !== undefined && { hint: `did you mean ${near}?` }),
  };
}

/** The message of the union member with a custom check, if it has one; otherwise the union is one of durations. */
function ofUnion(issue: Extract<Issue, { code: 'invalid_union' }>, written: unknown): Wrong {
  if ('options' in issue && Array.isArray(issue.options)) return unknownWord(issue.options.map(String), written);
  const own = issue.errors.flat().find(({ code }) => code === 'custom');
  return { message: own?.message ?? durations };
}

/** Short texts and numbers are shown: they come from the user's own file or command line. */
function insteadOf(written: unknown): string {
  if (typeof written === 'string') return written.length <= 40 ? `, not ${JSON.stringify(written)}` : '';
  if (typeof written === 'boolean' || written === null || Number.isFinite(written)) return `, not ${String(written)}`;
  if (Array.isArray(written)) return ', not a list';
  return typeof written === 'object' ? ', not an object' : '';
}

function bound(origin: string, which: 'at least' | 'at most', limit: number): string {
  if (origin === 'array') return `have ${which} ${limit} ${limit === 1 ? 'item' : 'items'}`;
  if (origin !== 'string') return `be ${which} ${limit}`;
  return which === 'at least' && limit === 1 ? 'not be empty' : `have ${which} ${limit} characters`;
}
