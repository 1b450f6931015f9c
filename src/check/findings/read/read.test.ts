import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LimitFieldsReader, readLimitFields } from './limit-fields.ts';
import { parseRetryAfter } from './retry-after.ts';
import { parseList } from './structured-list.ts';

describe('a List of a structured field', () => {
  const read = (text: string) =>
    parseList(text)?.map(({ value, parameters }) => [value, Object.fromEntries(parameters)]);

  it('is read with its parameters', () => {
    expect(read('"minute";r=3;t=7, day;q=-50;on;off=?0;k=:aGk=:;d=1.5;s="a\\"b"')).toEqual([
      ['minute', { r: 3, t: 7 }],
      [{ token: 'day' }, { q: -50, on: true, off: false, k: { other: ':aGk=:' }, d: 1.5, s: 'a"b' }],
    ]);
    expect(read('  "a" ;r=1')).toBeUndefined();
    expect(read('"a"; r=1\t,\t"b"  ')).toEqual([
      ['a', { r: 1 }],
      ['b', {}],
    ]);
  });

  it.each([
    '',
    ',',
    '"a",',
    '"a" "b"',
    '"a";',
    '"a";R=1',
    '"a";r=',
    '"a',
    '"\u00e9"',
    '("a" "b")',
    '"a";r=1.',
    '"a";r=1234567890123456',
    '"a"\n,"b"',
  ])('that is malformed is not read at all: %j', (text) => {
    expect(parseList(text)).toBeUndefined();
  });

  it('never throws, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parseList(text);
        parseRetryAfter(text);
        readLimitFields({
          ...{ ratelimit: text, 'ratelimit-policy': text, 'x-ratelimit-limit': text },
          ...{ 'ratelimit-limit': text, 'ratelimit-remaining': text, 'ratelimit-reset': text },
        });
      }),
    );
  });
});

describe('Retry-After', () => {
  it.each([
    ['0', { kind: 'seconds', seconds: 0 }],
    [' 120 ', { kind: 'seconds', seconds: 120 }],
    ['Sat, 21 Nov 2026 12:00:01 GMT', { kind: 'date', us: Date.UTC(2026, 10, 21, 12, 0, 1) * 1_000 }],
    ['-1', { kind: 'unreadable' }],
    ['1.5', { kind: 'unreadable' }],
    ['60000ms', { kind: 'unreadable' }],
    ['Sat, 31 Feb 2026 12:00:00 GMT', { kind: 'unreadable' }],
    ['Saturday, 21-Nov-26 12:00:00 GMT', { kind: 'unreadable' }],
    ['2026-11-21T12:00:00Z', { kind: 'unreadable' }],
    ['', { kind: 'unreadable' }],
  ] as const)('%j is %j', (text, read) => {
    expect(parseRetryAfter(text)).toEqual(read);
  });
});

describe('fields that speak of limits', () => {
  it('are joined by the name of the policy', () => {
    const headers = {
      ratelimit: '"minute";r=3;t=7, "slots";r=0',
      'ratelimit-policy': '"slots";q=2;qu="concurrent-requests", "minute";q=20;w=60',
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '-1',
      'x-ratelimit-reset': 'whenever',
    };
    const { told, malformed } = readLimitFields(headers);
    expect(malformed).toEqual([]);
    expect(told).toEqual([
      { policy: 'minute', remaining: 3, resetSeconds: 7, quota: 20, windowSeconds: 60 },
      { policy: 'slots', remaining: 0, quota: 2, unit: 'concurrent-requests' },
      { policy: '', quota: 20, remaining: -1 },
    ]);
  });

  it.each([
    ['ratelimit', '"minute"'],
    ['ratelimit', '"minute";r="3"'],
    ['ratelimit', '"minute";r=3;t=1.5'],
    ['ratelimit', '"minute";r=3, "minute";r=4'],
    ['ratelimit', '3;r=3'],
    ['ratelimit-policy', '"minute";w=60'],
    ['ratelimit-policy', '"minute";q=20;w="60"'],
    ['x-ratelimit-limit', '20, 40'],
    ['x-ratelimit-remaining', 'many'],
  ])('are ignored whole where they are malformed: %s: %s', (name, text) => {
    expect(readLimitFields({ [name]: text })).toEqual({ told: [], malformed: [name] });
  });

  const told = (headers: Record<string, string>) => readLimitFields(headers);

  it.each([
    [
      'draft 7, as middlewares send it',
      { 'ratelimit-policy': '20;w=6', ratelimit: 'limit=20, remaining=19, reset=6' },
      [{ policy: '20 per 6 s', quota: 20, windowSeconds: 6, remaining: 19, resetSeconds: 6 }],
    ],
    [
      'draft 6',
      {
        'ratelimit-policy': '20;w=6',
        'ratelimit-limit': '20',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '5',
      },
      [{ policy: '20 per 6 s', quota: 20, windowSeconds: 6, remaining: 0, resetSeconds: 5 }],
    ],
    [
      'draft 3, whose limit holds the policies',
      { 'ratelimit-limit': '10, 10;w=1;burst=1000, 50;w=60', 'ratelimit-remaining': '9', 'ratelimit-reset': '1' },
      [
        { policy: '10 per 1 s', quota: 10, windowSeconds: 1, remaining: 9, resetSeconds: 1 },
        { policy: '50 per 60 s', quota: 50, windowSeconds: 60 },
      ],
    ],
    [
      'without a policy',
      { 'ratelimit-limit': '20', 'ratelimit-remaining': '7' },
      [{ policy: 'RateLimit', quota: 20, remaining: 7 }],
    ],
    [
      'of two policies with one number',
      { 'ratelimit-policy': '20;w=6, 20;w=60', ratelimit: 'limit=20, remaining=1' },
      [
        { policy: 'RateLimit', quota: 20, remaining: 1 },
        { policy: '20 per 6 s', quota: 20, windowSeconds: 6 },
        { policy: '20 per 60 s', quota: 20, windowSeconds: 60 },
      ],
    ],
    [
      'beside X-RateLimit',
      { 'ratelimit-remaining': '7', 'x-ratelimit-remaining': '3' },
      [
        { policy: '', remaining: 3 },
        { policy: 'RateLimit', remaining: 7 },
      ],
    ],
  ])('are read as drafts before the eighth had them: %s', (_, headers, expected) => {
    expect(told(headers as Record<string, string>)).toEqual({ told: expected, malformed: [] });
  });

  it.each([
    ['ratelimit', 'limit=20, remaining=many'],
    ['ratelimit', 'limit=20'],
    ['ratelimit', 'limit=20; remaining=3'],
    ['ratelimit-policy', '20;w=6, "minute";q=20'],
    ['ratelimit-policy', '20;w=soon'],
    ['ratelimit-limit', 'twenty'],
    ['ratelimit-remaining', '1.5'],
    ['ratelimit-reset', 'Fri, 27 Nov 2026 13:00:43 GMT'],
  ])('are ignored where they are malformed in those, too: %s: %s', (name, text) => {
    expect(told({ [name]: text })).toEqual({ told: [], malformed: [name] });
  });

  it('are not read where they are no text', () => {
    expect(readLimitFields({ ratelimit: 3 })).toEqual({ told: [], malformed: [] });
  });
});

describe('a reader of limit fields', () => {
  const fields = (left: number) => ({ ratelimit: `"day";r=${left}`, 'ratelimit-policy': '"day";q=50;w=86400' });

  it('reads the same text once, and numbers what it reads from 1', () => {
    const reader = new LimitFieldsReader();
    const [first, second] = [reader.read(fields(7)), reader.read(fields(6))];
    expect([first.number, second.number]).toEqual([1, 2]);
    expect(first.told).toEqual(readLimitFields(fields(7)).told);
    expect(reader.read(fields(7))).toBe(first);
    const older = { 'x-ratelimit-remaining': '3' };
    expect(reader.read(older)).toMatchObject({ number: 3, told: [{ policy: '', remaining: 3 }] });
    expect(reader.read(older).number).toBe(3);
    expect(reader.read({}).number).toBe(4);
    const draft6 = { 'ratelimit-limit': '20', 'ratelimit-remaining': '3' };
    expect(reader.read(draft6)).toMatchObject({ number: 5, told: [{ policy: 'RateLimit', remaining: 3 }] });
    expect(reader.read({ ...draft6, 'ratelimit-remaining': '2' })).toMatchObject({
      number: 6,
      told: [{ remaining: 2 }],
    });
  });

  it.each(['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-ratelimit-limit', 'x-ratelimit-remaining'])(
    'looks at %s beside those of the draft',
    (name) => {
      const reader = new LimitFieldsReader();
      const draft = { ratelimit: '"a";r=1', 'ratelimit-policy': '"a";q=2;w=60' };
      expect(['3', '4', '3', 'x'].map((text) => reader.read({ ...draft, [name]: text }).number)).toEqual([1, 2, 1, 3]);
      expect(reader.read({ ...draft, [name]: 'x' }).malformed).toEqual([name]);
      expect(reader.read(draft).number).toBe(4);
    },
  );

  it('gives no number twice, though it keeps only so many', () => {
    const reader = new LimitFieldsReader();
    const numbers = new Set(Array.from({ length: 45_000 }, (_, left) => reader.read(fields(left)).number));
    expect(numbers.size).toBe(45_000);
    expect(reader.read(fields(0))).toMatchObject({ number: 45_001, told: readLimitFields(fields(0)).told });
  });
});
