import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exchanges } from '../../testing/history/arbitrary-records.ts';
import { exchange, us } from '../../testing/history/sample-records.ts';
import type { Exchange } from '../records.ts';
import { digitsOf, hasDigits, putDigits } from './digits.ts';
import { exchangeLine } from './exchange-line.ts';
import { ExchangeWriter } from './exchange-writer.ts';

const uuid = (n: number) => `0190a1b2-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** After so many alike, a template is made. */
const LEARNT_AFTER = 8;

const usual = exchange({
  seq: 1_000,
  worker: 1,
  operation: 'sendMessage',
  intendedAt: us(100_000),
  sentAt: us(200_000),
  headersAt: us(300_000),
  receivedAt: us(400_000),
  status: 202,
  bytes: { sent: 100, received: 200 },
  date: 'Sat, 21 Nov 2026 12:00:00 GMT',
  conversation: uuid(1),
  turn: {
    id: uuid(2),
    status: 'queued',
    conversation: uuid(3),
    userMessageId: uuid(4),
    assistantMessageId: uuid(5),
    latencyMs: 812,
    createdAt: '2026-11-21T12:00:00.123Z',
    updatedAt: '2026-11-21T12:00:00.456Z',
  },
  message: { id: uuid(6), digest: 'ab'.repeat(16) },
  token: 't1',
  connection: 7,
});

/** Same length, another length, empty, characters that JSON escapes, absent. */
const textsLike = (text: string) => [text.replaceAll(/\d/g, '7'), 'short', '', '"'.repeat(text.length), undefined];
/** The same number of digits, more of them, zero, absent. */
const numbersLike = (number: number) => [number + 1, number * 10 + 9, 0, undefined];
const likeOf = (value: unknown): readonly unknown[] =>
  typeof value === 'number' ? numbersLike(value) : typeof value === 'string' ? textsLike(value) : [undefined];

/** Copies that differ in one member. @param always members that no record lacks */
const changed = <T extends object>(members: T, always: readonly string[]): T[] =>
  Object.entries(members).flatMap(([name, value]) =>
    likeOf(value)
      .filter((other) => other !== undefined || !always.includes(name))
      .map((other) => present({ ...members, [name]: other }) as T),
  );

/** Omits absent members, like real records. */
const present = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const { kind, operation, outcome, bytes, turn = { id: '' }, message = { id: '', digest: '' }, ...others } = usual;
const rest = { kind, operation, outcome, bytes, turn, message };
const alwaysThere = [
  'seq',
  'application',
  'user',
  'arrival',
  'journey',
  'step',
  'attempt',
  'intendedAt',
  'sentAt',
  'receivedAt',
];

/** The usual exchange, and others that differ from it in one member. */
const alike: readonly Exchange[] = [
  usual,
  ...changed(others, alwaysThere).map((members) => ({ ...members, ...rest })),
  { ...others, kind, operation, outcome, bytes },
  ...[
    { operation: 'readTurn' as const },
    { outcome: 'refused' as const },
    { retryAfter: '2' },
    { readLateUs: us(30_000) },
    { failure: 'ECONNRESET' },
    { bodyProblem: 'no JSON' },
    { headers: { ratelimit: '"minute";r=3' } },
    { error: { code: 'rate_limited' } },
    { history: { limit: 20, offset: 0, items: [] } },
    { otherwise: { conversation: uuid(8) } },
    { resend: 'same' as const },
    { expect: { checked: 2, unmet: [] } },
    ...changed(bytes, ['sent', 'received']).map((other) => ({ bytes: other })),
    ...changed(turn, ['id']).map((other) => ({ turn: other })),
    { turn: { ...turn, latencyMs: 12.5 } },
    { turn: { ...turn, error: 'overloaded' } },
    { turn: { ...turn, status: 'processing' } },
    ...changed(message, ['id', 'digest']).map((other) => ({ message: other })),
    { message: { ...message, textDigest: 'ef' } },
    { message: { ...message, text: 'Hello' } },
    { capWaitUs: {} },
    { capWaitUs: { connection: us(312) } },
    { capWaitUs: { token: us(9), openTurns: us(0), connection: us(2 ** 40) } },
    { capWaitUs: { inFlight: us(1.5) } },
    { capWaitUs: { connection: us(-1) } },
  ].map((members) => ({ ...usual, ...members })),
];

const page = Buffer.alloc(1 << 14);

/** The lines that a template wrote; `undefined` for a record that fits none. */
function writtenLines(records: readonly Exchange[]): (string | undefined)[] {
  const writer = new ExchangeWriter();
  return records.map((record) => {
    const end = writer.write(page, 7, record);
    return end < 0 ? undefined : page.toString('latin1', 7, end);
  });
}

describe('the line of an exchange', () => {
  it('is equivalent to JSON.stringify, in ASCII', () => {
    fc.assert(
      fc.property(exchanges, (record) => {
        const line = exchangeLine(record);
        expect(JSON.parse(line)).toStrictEqual(JSON.parse(JSON.stringify(record)));
        expect(line).toMatch(/^[\x20-\x7e]*\n$/);
      }),
      { numRuns: 600 },
    );
  });

  it('contains no control characters, including DEL', () => {
    expect(exchangeLine(exchange({ seq: 0, journey: 'a\u007fb\u009bc\n' }))).toContain(
      '"journey":"a\\u007fb\\u009bc\\n"',
    );
  });

  it('is the same when written by a template of an exchange that differs in any member', () => {
    let written = 0;
    for (const model of alike) {
      for (const record of alike) {
        const [line] = writtenLines([...new Array<Exchange>(LEARNT_AFTER).fill(model), record]).slice(LEARNT_AFTER);
        if (line === undefined) continue;
        expect(line).toBe(exchangeLine(record));
        written += 1;
      }
    }
    expect(written).toBeGreaterThan(alike.length);
  });

  it('is the same when written by a template, whatever came before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...alike) }, exchanges), {
          minLength: 30,
          maxLength: 60,
        }),
        (records) => {
          const lines = writtenLines(records);
          expect(lines).toEqual(lines.map((line, index) => line && exchangeLine(records[index] as Exchange)));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is written by a template after enough similar lines, and never beyond the end of the page', () => {
    const like = Array.from({ length: 20 }, (_, n): Exchange => {
      const at = `2026-11-21T12:00:00.${100 + n}Z`;
      return {
        ...{ ...usual, seq: 1_000 + n, sentAt: us(200_000 + n), conversation: uuid(n) },
        turn: {
          ...{ ...turn, id: uuid(100 + n), conversation: uuid(200 + n), latencyMs: 800 + n },
          ...{ userMessageId: uuid(300 + n), assistantMessageId: uuid(400 + n), createdAt: at, updatedAt: at },
        },
        message: { id: uuid(500 + n), digest: `${10 + n}`.repeat(16) },
      };
    });
    const page = Buffer.alloc(4_096);
    const writer = new ExchangeWriter();
    const ends = like.map((record) => writer.write(page, 0, record));
    expect(ends.filter((end) => end < 0)).toHaveLength(LEARNT_AFTER);
    expect(ends.slice(LEARNT_AFTER)).toEqual(like.slice(LEARNT_AFTER).map((record) => exchangeLine(record).length));
    const [last] = like.slice(-1);
    if (last) expect(writer.write(page.subarray(0, exchangeLine(last).length - 1), 0, last)).toBe(-1);
  });
});

it('writes numbers with their exact number of digits', () => {
  const numbers = fc.oneof(fc.nat({ max: 2_000 }), fc.maxSafeNat(), fc.integer({ min: 999_990, max: 1_000_010 }));
  fc.assert(
    fc.property(numbers, (number) => {
      const digits = digitsOf(number);
      expect(digits).toBe(String(number).length);
      expect([digits - 1, digits, digits + 1].map((count) => count > 0 && hasDigits(number, count))).toEqual([
        false,
        true,
        false,
      ]);
      const bytes = Buffer.alloc(20, '.');
      expect(putDigits(bytes, 2, number, digits)).toBe(2 + digits);
      expect(bytes.toString('latin1')).toBe(`..${number}`.padEnd(20, '.'));
    }),
  );
  expect([1.5, -1, Number.NaN].map((number) => hasDigits(number, 1))).toEqual([false, false, false]);
});
