import { describe, expect, test } from 'vitest';
import { checkExpectations, expectingJourneys } from './expectations.ts';
import type { BodyExpectation } from './schema/expect.ts';
import { ScenarioSchema } from './schema/schema.ts';

const body = {
  text: 'secret token',
  count: 7,
  digits: '7',
  flag: true,
  nothing: null,
  list: [1, 2, 3],
  empty: '',
  object: { a: 1 },
  emoji: '👍👍',
};

describe('the status', () => {
  test.each([
    [202, 202, []],
    [[200, 202], 202, []],
    [202, 429, ['status: expected 202, found 429']],
    [[200, 201], 500, ['status: expected 200 or 201, found 500']],
    [200, undefined, ['status: expected 200, found no answer']],
  ])('%j against %s', (expected, found, unmet) => {
    expect(checkExpectations({ status: expected }, found, undefined)).toEqual({ checked: 1, unmet });
  });
});

describe('the body', () => {
  test.each<[string, BodyExpectation]>([
    ['text', 'secret token'],
    ['count', 7],
    ['flag', true],
    ['nothing', null],
    ['text', { exists: true }],
    ['nothing', { exists: true }],
    ['gone', { exists: false }],
    ['list', { type: 'array' }],
    ['object', { type: 'object' }],
    ['nothing', { type: 'null' }],
    ['text', { matches: '^secret' }],
    ['emoji', { matches: '^.{2}$' }],
    ['count', { oneOf: ['7', 7] }],
    ['count', { min: 7, max: 7 }],
    ['count', { max: 8 }],
    ['list', { minLength: 3, maxLength: 3 }],
    ['emoji', { maxLength: 2 }],
    ['empty', { maxLength: 0 }],
    ['list.2', 3],
  ])('%s meets %j', (path, expected) => {
    expect(checkExpectations({ body: { [path]: expected } }, 200, body)).toEqual({ checked: 1, unmet: [] });
  });

  test.each<[string, BodyExpectation, string]>([
    ['text', 'other', 'text: expected "other", found a string of 12 characters'],
    ['count', '7', 'count: expected "7", found a number'],
    ['gone', null, 'gone: expected null, found nothing'],
    ['gone.deeper', { exists: true }, 'gone.deeper: expected something, found nothing'],
    ['text', { exists: false }, 'text: expected nothing, found a string of 12 characters'],
    ['list', { type: 'object' }, 'list: expected type object, found an array of 3 items'],
    ['nothing', { type: 'object' }, 'nothing: expected type object, found null'],
    ['count', { matches: '7' }, 'count: expected text that matches /7/, found a number'],
    ['flag', { oneOf: ['a', 1] }, 'flag: expected one of "a", 1, found a boolean'],
    ['count', { min: 8 }, 'count: expected a number of at least 8, found a number'],
    ['text', { min: 0, max: 9 }, 'text: expected a number from 0 to 9, found a string of 12 characters'],
    ['digits', { min: 5 }, 'digits: expected a number of at least 5, found a string of 1 character'],
    ['list', { maxLength: 2 }, 'list: expected a length of at most 2, found an array of 3 items'],
    ['object', { minLength: 1 }, 'object: expected a length of at least 1, found an object'],
    ['list.0', 2, 'list.0: expected 2, found a number'],
    ['empty', { minLength: 1 }, 'empty: expected a length of at least 1, found a string of 0 characters'],
  ])('%s misses %j', (path, expected, sentence) => {
    expect(checkExpectations({ body: { [path]: expected } }, 200, body)).toEqual({ checked: 1, unmet: [sentence] });
  });

  test('counts the status and every path, and does not quote the answer of the service', () => {
    const result = checkExpectations({ status: 200, body: { text: 1, count: 2, flag: true } }, 201, body);
    expect(result.checked).toBe(4);
    expect(result.unmet).toHaveLength(3);
    expect(result.unmet.join()).not.toMatch(/secret|token|7/);
  });

  test('has no values if there was no answer', () => {
    expect(checkExpectations({ body: { text: { exists: false }, count: 7 } }, undefined, undefined)).toEqual({
      checked: 2,
      unmet: ['count: expected 7, found nothing'],
    });
  });
});

test('journeys that expect something are known, however deep the step', () => {
  const inner = { times: 2, steps: [{ readHistory: {}, expect: { status: 200 } }] };
  const repeat = { times: 2, steps: [{ pause: '1s' }, { repeat: inner }] };
  const scenario = ScenarioSchema.parse({
    name: 'test',
    journeys: { plain: { steps: [{ createConversation: {} }] }, deep: { steps: [{ pause: '1s' }, { repeat }] } },
    load: { model: 'burst', count: 1 },
  });
  expect(expectingJourneys(scenario)).toEqual(['deep']);
});
