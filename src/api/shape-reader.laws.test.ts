import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerReaders, shapeFaults } from './answer-readers.ts';
import { ErrorEnvelope } from './errors.ts';
import { type OperationId, operationIds, operations } from './operations.ts';
import { codeOfError, ReadableAcceptance, ReadableHistory, ReadableMessage, ReadableTurn } from './readable.ts';
import { shapeReader } from './shape-reader.ts';
import { TurnMessage } from './shapes.ts';

const shapes: Record<string, z.ZodType> = { error: ErrorEnvelope, message: TurnMessage };
for (const id of operationIds) if (id !== 'openStream') shapes[id] = operations[id].response;
/** The shapes of readable.ts, each under the name of a valid answer with all its members. */
const readable = {
  sendMessage: ReadableAcceptance,
  readTurn: ReadableTurn,
  readHistory: ReadableHistory,
  message: ReadableMessage,
} as const;

const uuid = '0190a1b2-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';
const message = {
  conversation_id: uuid,
  user_message_id: uuid,
  assistant_message_id: uuid,
  answer: 'text',
  response_type: 'text',
  cards: [{ a: 1 }],
  visualizations: [],
  sources: [{ title: 't', url: 'u' }],
  suggested_actions: [],
  metadata: { latency_ms: 12 },
};
const members = { code: 'internal', message: 'm', retryable: true, request_id: uuid };
/** One valid answer of each shape, with all optional members. */
const right: Readonly<Record<string, unknown>> = {
  error: { error: members },
  message,
  issueToken: { access_token: 'x', token_type: 'Bearer', expires_in: 0.5 },
  createConversation: { conversation_id: uuid, title: '', created_at: at, more: [] },
  sendMessage: { turn_id: uuid, conversation_id: uuid, client_message_id: 'm', status: 'queued', created_at: at },
  readTurn: {
    turn_id: uuid,
    conversation_id: uuid,
    status: 'completed',
    created_at: at,
    updated_at: '2026-01-01T00:00:00+01:00',
    message,
    error: members,
  },
  readHistory: {
    messages: [
      {
        message_id: uuid,
        role: 'user',
        content: '',
        status: 'completed',
        created_at: at,
        cards: [],
        visualizations: [],
        suggested_actions: [],
      },
    ],
  },
  rateAnswer: { success: true, feedback: { rating: 'up' } },
} satisfies Record<Exclude<OperationId, 'openStream'> | 'error' | 'message', unknown>;

const bad = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  'x',
  0,
  -1,
  1.5,
  2 ** 60,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  [],
  {},
  [null],
  uuid.toUpperCase(),
  `${uuid}\n`,
  '0190a1b2-0000-9000-8000-000000000001',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01t00:00:60z',
  `${at}\n`,
  members,
  { error: members },
  { error: 'x', code: 'internal' },
  { error: null, code: 'internal' },
  { error: { code: 'inner' }, code: 'outer' },
);

/** The paths of all values within a value. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([name, member]) => placesIn(member, [...path, name]))];
}

function changed(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  if (by === undefined && rest.length === 0) delete copy[name];
  else copy[name] = changed(copy[name], rest, by);
  return copy;
}

/** Keeps only the members that callers read; other members may or may not be in the result. */
function told(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const named = Object.entries(value).filter(([name, member]) => NAMES.has(name) && member !== undefined);
  return Array.isArray(value) ? value.map(told) : Object.fromEntries(named.map(([name, one]) => [name, told(one)]));
}
const NAMES = new Set(
  ['turn_id', 'conversation_id', 'status', 'created_at', 'updated_at', 'message', 'messages'].concat([
    'message_id',
    'role',
    'content',
    'user_message_id',
    'assistant_message_id',
    'metadata',
    'latency_ms',
  ]),
);

/** The code of a turn's error, whichever other members the reader kept. */
function errorIn(turn: unknown): string | undefined {
  const { error } = (turn ?? {}) as Partial<ReadableTurn>;
  return error && codeOfError(error);
}

const all = [
  ...Object.entries(shapes).map(([name, schema]) => [name, name, schema] as const),
  ...Object.entries(readable).map(([name, schema]) => [`${name}, as read`, name, schema] as const),
];

describe.each(all)('%s', (_, name, schema) => {
  const read = shapeReader(schema);

  it('accepts valid values without calling the schema', () => {
    expect(schema.safeParse(right[name]).success).toBe(true);
    // The same object is returned; the schema would have created another.
    expect(read(right[name])).toBe(right[name]);
  });

  it('accepts and rejects exactly what the schema does', () => {
    const places = placesIn(right[name]);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...places), bad), { maxLength: 3 }), (changes) => {
        const value = changes.reduce<unknown>((kept, [place, by]) => changed(kept, place, by), right[name]);
        expect(read(value) !== undefined).toBe(schema.safeParse(value).success);
        if (name in readable) expect(told(read(value))).toEqual(told(schema.safeParse(value).data));
        if (name === 'readTurn') expect(errorIn(read(value))).toBe(errorIn(schema.safeParse(value).data));
      }),
      { numRuns: 400 },
    );
  });
});

const operationsRead = Object.keys(answerReaders) as (keyof typeof answerReaders)[];
it.each(operationsRead)(
  'shapeFaults names what is wrong with an answer of %s, exactly if its reader refuses it',
  (operation) => {
    const places = placesIn(right[operation]);
    fc.assert(
      fc.property(fc.constantFrom(...places), bad, (place, by) => {
        const value = changed(right[operation], place, by);
        expect(shapeFaults(operation, 200, value).length === 0).toBe(answerReaders[operation](value) !== undefined);
      }),
    );
  },
);

it('shapeFaults names each member, and whether it is there, but not its value', () => {
  expect(shapeFaults('createConversation', 201, { id: uuid, title: 'x', created_at: 'secret' })).toEqual([
    'conversation_id: missing',
    expect.stringMatching(/^created_at: (?!.*secret)/),
  ]);
  expect(shapeFaults('sendMessage', 500, { error: { ...members, retryable: 'no' } })).toEqual([
    'error.retryable: expected boolean, received string',
  ]);
  expect(shapeFaults('readHistory', 200, undefined)).toEqual(['the body: missing']);
  expect(shapeFaults('readHistory', 200, { messages: [{}] })).toContain('messages.0.message_id: missing');
  // Handshakes and redirections have no body to read.
  expect([shapeFaults('openStream', 101, undefined), shapeFaults('readTurn', 302, 'moved')]).toEqual([[], []]);
});

it('calls the schema for constraints that the quick check does not support', () => {
  const upTo3 = z.string().max(3);
  const strict = z.strictObject({ a: z.number() });
  const trimmed = z.looseObject({ a: z.string().trim() });
  expect([shapeReader(upTo3)('abc'), shapeReader(upTo3)('abcd')]).toEqual(['abc', undefined]);
  expect([shapeReader(strict)({ a: 1 }), shapeReader(strict)({ a: 1, b: 2 })]).toEqual([{ a: 1 }, undefined]);
  expect(shapeReader(trimmed)({ a: ' x ' })).toEqual({ a: 'x' });
  expect(shapeReader(z.int().positive())(0)).toBeUndefined();
  expect(shapeReader(z.string().regex(/^x/))('y')).toBeUndefined();
});
