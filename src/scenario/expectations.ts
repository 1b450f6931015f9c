import { plural } from '../base/index.ts';
import { readPath } from './body-path.ts';
import type { BodyExpectation, Expect } from './schema/expect.ts';
import type { Scenario } from './schema/schema.ts';
import type { Step } from './schema/steps.ts';

/** The result of a step's expectations. */
export interface ExpectationResult {
  /** Number of checks: one for the status, one for each path of the body. */
  readonly checked: number;
  /**
   * A sentence for each unmet expectation: the path, what was expected, and kind and length of what was found. Never a value of
   * the service, which could be a message or a token.
   */
  readonly unmet: readonly string[];
}

/** Names of the journeys in which a step has expectations. */
export const expectingJourneys = ({ journeys }: Scenario): readonly string[] =>
  Object.keys(journeys).filter((name) => journeys[name]?.steps.some(stepExpects));

const stepExpects = (step: Step): boolean =>
  'repeat' in step ? step.repeat.steps.some(stepExpects) : 'expect' in step && step.expect !== undefined;

/**
 * Checks an answer against a step's `expect`.
 * @param status undefined if no answer came
 * @param body parsed JSON; undefined if there was none
 */
export function checkExpectations(expect: Expect, status: number | undefined, body: unknown): ExpectationResult {
  const sentences: (string | undefined)[] = [];
  if (expect.status !== undefined) sentences.push(statusSentence(expect.status, status));
  for (const [path, expected] of Object.entries(expect.body ?? {})) {
    const found = readPath(body, path);
    sentences.push(
      isMet(expected, found) ? undefined : `${path}: expected ${expectedText(expected)}, found ${kindOf(found)}`,
    );
  }
  return { checked: sentences.length, unmet: sentences.filter((sentence) => sentence !== undefined) };
}

function statusSentence(expected: number | readonly number[], status: number | undefined): string | undefined {
  const allowed = typeof expected === 'number' ? [expected] : expected;
  if (status !== undefined && allowed.includes(status)) return undefined;
  return `status: expected ${allowed.join(' or ')}, found ${status ?? 'no answer'}`;
}

function isMet(expected: BodyExpectation, found: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return found === expected;
  if ('exists' in expected) return (found !== undefined) === expected.exists;
  if ('type' in expected) return typeOf(found) === expected.type;
  if ('matches' in expected) return typeof found === 'string' && new RegExp(expected.matches, 'u').test(found);
  if ('oneOf' in expected) return expected.oneOf.some((value) => value === found);
  const { min, max, minLength, maxLength }: Bounds = expected;
  if (minLength === undefined && maxLength === undefined) return typeof found === 'number' && within(found, min, max);
  const length = lengthOf(found);
  return length !== undefined && within(length, minLength, maxLength);
}

/** Of a number, or of a length. */
type Bounds = { readonly [bound in 'min' | 'max' | 'minLength' | 'maxLength']?: number | undefined };

const within = (value: number, low: number | undefined, high: number | undefined) =>
  (low === undefined || value >= low) && (high === undefined || value <= high);

function expectedText(expected: BodyExpectation): string {
  if (typeof expected !== 'object' || expected === null) return JSON.stringify(expected);
  if ('exists' in expected) return expected.exists ? 'something' : 'nothing';
  if ('type' in expected) return `type ${expected.type}`;
  if ('matches' in expected) return `text that matches /${expected.matches}/`;
  if ('oneOf' in expected) return `one of ${expected.oneOf.map((value) => JSON.stringify(value)).join(', ')}`;
  const { min, max, minLength, maxLength }: Bounds = expected;
  if (minLength === undefined && maxLength === undefined) return `a number ${rangeText(min, max)}`;
  return `a length ${rangeText(minLength, maxLength)}`;
}

function rangeText(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && high !== undefined) return `from ${low} to ${high}`;
  return low === undefined ? `of at most ${high}` : `of at least ${low}`;
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'array' : typeof value;
};

const lengthOf = (value: unknown): number | undefined => {
  if (typeof value === 'string') return [...value].length;
  return Array.isArray(value) ? value.length : undefined;
};

/** Kind and length, never the value. */
function kindOf(value: unknown): string {
  if (typeof value === 'string') return `a string of ${plural([...value].length, 'character')}`;
  if (Array.isArray(value)) return `an array of ${plural(value.length, 'item')}`;
  if (value === null || value === undefined) return typeOf(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
