import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerReaders, type BodyForm } from '../../api/index.ts';
import { freshUuid } from '../../base/index.ts';
import { runs } from '../../testing/share.ts';
import { readBody, wholeOf } from './answer.ts';
import { BodyMemory } from './body-memory.ts';

const JSON_TYPE = 'application/json';
const read = (memory: BodyMemory, text: string) => readBody(JSON_TYPE, wholeOf(Buffer.from(text)), memory);

/** A memory that has met a body often enough to know it. */
function knowing(text: string): BodyMemory {
  const memory = new BodyMemory();
  for (let count = 0; count < 8; count++) read(memory, text);
  return memory;
}

const isKnown = (memory: BodyMemory, text: string) => read(memory, text).bodyForm !== undefined;

const accepted = (turn: string, at: string, status = 'queued') =>
  `{"turn_id":"${turn}","conversation_id":"0190a1b2-0000-4000-8000-000000000001","status":"${status}","created_at":"${at}"}`;
const [A, B] = ['0190a1b2-0000-4000-8000-000000000002', 'ffffffff-ffff-8fff-bfff-ffffffffffff'];
const NOON = '2026-01-02T12:00:00.000Z';

describe('bodies like one that is known', () => {
  const memory = knowing(accepted(A, NOON));

  it('are those that differ in identifiers and instants, and are read as they are', () => {
    const other = accepted(B, '1999-12-28T23:59:59.999Z');
    expect(isKnown(memory, other)).toBe(true);
    expect(read(memory, other).body).toEqual(JSON.parse(other));
    expect(Object.keys(read(memory, other).body as object)).toEqual(Object.keys(JSON.parse(other)));
  });

  it.each([
    ['another status', accepted(A, NOON, 'failed')],
    ['another member', accepted(A, NOON).replace('status', 'state_')],
    ['another length', accepted(A, NOON, 'processing')],
    ['an identifier in capitals', accepted(A.toUpperCase(), NOON)],
    ['no version of an identifier', accepted(A.replace('-4', '-9'), NOON)],
    ['no variant of an identifier', accepted(A.replace('-8', '-7'), NOON)],
    ['no hyphen', accepted(A.replace('-', '0'), NOON)],
    ['a letter too far', accepted(A.replace('a', 'g'), NOON)],
    ['a letter too far at the end', accepted(A.replace(/2$/, 'g'), NOON)],
    ['a month too far', accepted(A, NOON.replace('-01-', '-13-'))],
    ['no month', accepted(A, NOON.replace('-01-', '-00-'))],
    ['a day that not every month has', accepted(A, NOON.replace('-02T', '-29T'))],
    ['no day', accepted(A, NOON.replace('-02T', '-00T'))],
    ['an hour too far', accepted(A, NOON.replace('T12', 'T24'))],
    ['a minute too far', accepted(A, NOON.replace(':00:', ':60:'))],
    ['a second too far', accepted(A, NOON.replace(':00.', ':60.'))],
    ['another offset', accepted(A, NOON.replace('Z', 'X'))],
    ['another separator', accepted(A, NOON.replace('T', ' '))],
    ['no digit', accepted(A, NOON.replace('2026', '20a6'))],
  ])('are not those with %s', (_, text) => {
    expect(isKnown(memory, text)).toBe(false);
    expect(read(memory, text)).toEqual({ body: JSON.parse(text) });
  });

  it('are not those that are no JSON, or not ASCII', () => {
    for (const text of [accepted('"'.repeat(36), NOON), accepted(`${'\\'.repeat(35)}x`, NOON)])
      expect(read(memory, text)).toEqual({ bodyProblem: 'not-json' });
    const wide = Buffer.from(accepted(A, NOON));
    wide[20] = 0xe9;
    expect(readBody(JSON_TYPE, wholeOf(wide), memory)).toEqual({ bodyProblem: 'not-utf8' });
  });

  it('have the shape that one of them was found to have, and no other', () => {
    const form = read(memory, accepted(B, NOON)).bodyForm as BodyForm;
    const body = read(memory, accepted(A, NOON)).body;
    expect(answerReaders.sendMessage(body, form)).toEqual(body);
    expect(read(memory, accepted(B, NOON)).bodyForm).toBe(form);
    // Accepted without a check from now on, because the form was validated before.
    expect(answerReaders.sendMessage('not looked at', form)).toBe('not looked at');
    expect(answerReaders.readHistory(body, form)).toBeUndefined();
    expect(answerReaders.issueToken(body, form)).toBeUndefined();
  });
});

describe('tokens', () => {
  const token = (value: string, name = 'access_token') => `{"${name}": "${value}","expires_in":900}`;
  const memory = knowing(token('spw_Az09-._~+/='));

  it('of the same length are another of what is known, whatever they are made of', () => {
    const other = token('eyJhbGciOi-._~+');
    expect(isKnown(memory, other)).toBe(true);
    expect(read(memory, other).body).toEqual({ access_token: 'eyJhbGciOi-._~+', expires_in: 900 });
    const form = read(memory, other).bodyForm as BodyForm;
    expect(answerReaders.issueToken(read(memory, other).body, form)).toEqual({
      access_token: 'eyJhbGciOi-._~+',
      expires_in: 900,
    });
  });

  it.each([
    ['a quote', token('spw_Az09-._"":"')],
    ['an escape', token('spw_Az09-._\\n/=')],
    ['another length', token('spw_Az09-._~+/==')],
    ['another member', token('spw_Az09-._~+/=', 'refresh_toke')],
  ])('are not known with %s', (_, text) => {
    expect(read(memory, text)).toEqual({ ...readBody(JSON_TYPE, wholeOf(Buffer.from(text))) });
    expect(isKnown(memory, text)).toBe(false);
  });

  it('are looked for under their name alone', () => {
    const named = knowing(token('spw_Az09', 'name'));
    expect([isKnown(named, token('spw_Az09', 'name')), isKnown(named, token('spw_Az10', 'name'))]).toEqual([
      true,
      false,
    ]);
  });
});

describe('what is not remembered', () => {
  it.each([
    ['a list', `["${A}"]`],
    ['an identifier that is a name', `{"${A}":1}`],
    ['an identifier in a list', `{"all":["${A}"]}`],
    ['an identifier that is said twice', `{"a":"${A}","a":"${B}"}`],
    ['a member that would be another one', `{"__proto__":"${A}"}`],
    ['a text that looks like a mark', `{"a":"${A}","b":"spillway-hole-0"}`],
    ['more than a dozen', `{${Array.from({ length: 13 }, (_, i) => `"m${i}":"${A}"`).join()}}`],
    ['more than four kilobytes', `{"a":"${'x'.repeat(4_096)}"}`],
    ['an instant that is none', `{"a":"2026-13-01T00:00:00Z"}`],
  ])('is %s', (_, text) => {
    const memory = knowing(text);
    expect(isKnown(memory, text)).toBe(false);
    expect(read(memory, text)).toEqual({ body: JSON.parse(text) });
  });

  it('is any but every eighth body that is unlike those remembered, while that is of use, and of those the last four', () => {
    const memory = new BodyMemory();
    const known = () => [1, 2, 3, 4, 5].filter((status) => memory.find(Buffer.from(accepted(A, NOON, `s${status}`))));
    const meet = (status: number, times: number) => {
      for (let count = 0; count < times; count++) read(memory, accepted(A, NOON, `s${status}`));
    };
    meet(1, 7);
    expect(known()).toEqual([]);
    meet(1, 100);
    expect(known()).toEqual([1]);
    for (const status of [2, 3, 4]) meet(status, 9);
    expect(known()).toEqual([1, 2, 3, 4]);
    meet(5, 9);
    expect(known()).toEqual([2, 3, 4, 5]);
  });

  it('is ever more of what a service never says twice', () => {
    const memory = new BodyMemory();
    const all = Array.from({ length: 200 }, (_, index) => accepted(A, NOON, `s${index + 1}`));
    for (const text of all) read(memory, text);
    const known = all.flatMap((text, index) => (memory.find(Buffer.from(text)) ? [index + 1] : []));
    expect(known).toEqual([16, 32, 64, 128]);
  });
});

it('copies what it changes, so that no body shows in another', () => {
  const of = (inner: string, outer: string) =>
    `{"outer":"${outer}","in":{"deep":{"a":"${inner}","b":"${outer}"},"same":[1]}}`;
  const memory = knowing(of(A, A));
  const [first, second] = [read(memory, of(A, B)), read(memory, of(B, A))];
  expect(first.body).toEqual(JSON.parse(of(A, B)));
  expect(second.body).toEqual(JSON.parse(of(B, A)));
  expect(read(memory, of(A, A)).body).toEqual(JSON.parse(of(A, A)));
});

it('reads whatever comes as the parser does', () => {
  const uuid = fc.constantFrom(A, B, A.toUpperCase(), NOON).map((value) => (value === A ? freshUuid() : value));
  const value = fc.oneof(uuid, fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('queued', 'x'));
  const object = fc.dictionary(fc.constantFrom('turn_id', 'status', 'access_token', 'in', '__proto__', '1'), value);
  const nested = fc.oneof(
    object,
    object.map((inner) => ({ in: inner, turn_id: A })),
  );
  const edit = fc.tuple(fc.nat(400), fc.constantFrom(...'0aZ"\\-:{},é'));
  const property = fc.property(nested, fc.array(edit, { maxLength: 3 }), (body, edits) => {
    const text = JSON.stringify(body);
    const memory = knowing(text);
    const changed = [...text];
    for (const [at, character] of edits) changed[at % changed.length] = character;
    const other = changed.join('').replaceAll(A, () => freshUuid());
    const { body: read1, bodyProblem } = read(memory, other);
    expect({ body: read1, bodyProblem }).toEqual({ ...readBody(JSON_TYPE, wholeOf(Buffer.from(other))) });
  });
  fc.assert(property, { numRuns: runs(3_000), seed: 21 });
});
