import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exchanges } from '../testing/history/arbitrary-records.ts';
import { exchange, us } from '../testing/history/sample-records.ts';
import { digitsOf, hasDigits, putDigits } from './digits.ts';
import { exchangeLine } from './exchange-line.ts';
import { ExchangeWriter } from './exchange-writer.ts';
import type { Exchange } from './records.ts';

const uuid = (n: number) => `0190a1b2-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Additional members of a completed turn. */
const messagesOf = (latencyMs: number | undefined, id: string) =>
  latencyMs === undefined
    ? {}
    : { conversation: uuid(latencyMs | 0), userMessageId: uuid(latencyMs | 0), assistantMessageId: id, latencyMs };

/** Exchanges as in a run: mostly similar, sometimes not. */
const alike: fc.Arbitrary<Exchange> = fc
  .record({
    seq: fc.nat({ max: 20_000_000 }),
    at: fc.oneof(fc.nat({ max: 100_000_000 }), fc.constantFrom(9, 10, 2 ** 31, 2 ** 40, 86_400_000_000_000)),
    user: fc.nat({ max: 3 }),
    step: fc.nat({ max: 1_200 }),
    connection: fc.option(fc.nat({ max: 120 }), { nil: undefined }),
    operation: fc.constantFrom('sendMessage', 'readTurn', 'createConversation'),
    status: fc.constantFrom('queued', 'processing', 'quo"ted', 'ünïcode'),
    date: fc.constantFrom('Sat, 21 Nov 2026 12:00:00 GMT', 'Sat, 21 Nov 2026 12:00:01 GMT', 'new\nline'),
    id: fc.oneof(fc.nat().map(uuid), fc.constantFrom('short', `back\\slash${'x'.repeat(26)}`)),
    hasHeaders: fc.boolean(),
    refused: fc.constantFrom(false, false, false, true),
    latencyMs: fc.constantFrom(undefined, undefined, 7, 812, 12.5),
    capWaitUs: fc.constantFrom(
      undefined,
      undefined,
      { connection: us(312) },
      { token: us(9), openTurns: us(0), connection: us(2 ** 40) },
      { inFlight: us(1.5) },
      {},
    ),
  })
  .map(({ seq, at, user, step, connection, operation, status, date, id, hasHeaders, refused, latencyMs, capWaitUs }) =>
    exchange({
      ...(capWaitUs === undefined ? {} : { capWaitUs }),
      seq,
      operation: operation as Exchange['operation'],
      sentAt: us(at),
      user: `u${user}`,
      token: `t${user}`,
      step,
      date,
      conversation: uuid(user),
      ...(connection === undefined ? {} : { connection }),
      ...(operation === 'createConversation'
        ? {}
        : { turn: { id, status, createdAt: date, ...messagesOf(latencyMs, id) } }),
      ...(operation === 'sendMessage' ? { message: { id, digest: 'ab'.repeat(16) } } : {}),
      ...(hasHeaders ? {} : { retryAfter: '2' }),
      ...(refused ? { outcome: 'refused', status: 429 } : {}),
    }),
  );

function linesOf(records: readonly Exchange[], room = 1 << 20): string[] {
  const page = Buffer.alloc(room);
  const writer = new ExchangeWriter();
  return records.map((record) => {
    const end = writer.write(page, 7, record);
    return end < 0 ? exchangeLine(record) : page.toString('latin1', 7, end);
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
      { numRuns: 1_000 },
    );
  });

  it('contains no control characters, including DEL', () => {
    expect(exchangeLine(exchange({ seq: 0, journey: 'a\u007fb\u009bc\n' }))).toContain(
      '"journey":"a\\u007fb\\u009bc\\n"',
    );
  });

  it('is the same when written by a template, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: alike }, exchanges), { maxLength: 60 }), (records) => {
        expect(linesOf(records)).toEqual(records.map((record) => exchangeLine(record)));
      }),
      { numRuns: 300 },
    );
  });

  it('is written by a template after enough similar lines, and never beyond the end of the page', () => {
    const like = Array.from({ length: 20 }, (_, n) =>
      exchange({ seq: 100 + n, sentAt: us(1_000 + n), token: 't1', turn: { id: uuid(n), status: 'queued' } }),
    );
    const page = Buffer.alloc(4_096);
    const writer = new ExchangeWriter();
    const ends = like.map((record) => writer.write(page, 0, record));
    expect(ends.filter((end) => end < 0)).toHaveLength(8);
    expect(ends.slice(8)).toEqual(like.slice(8).map((record) => exchangeLine(record).length));
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
