import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOfNonced, digestWith, jsonText, shortDigests, withNonce } from './digests.ts';
import { freshKey } from './identifiers.ts';
import { putSipDigits, sipKeyOf } from './sip-hash.ts';

/** The authors' reference implementation with 64-bit integers, for input of any length. */
function reference(key: Uint8Array, message: Uint8Array): string {
  const M = (1n << 64n) - 1n;
  const word = (bytes: Uint8Array, at: number) => Buffer.from(bytes).readBigUInt64LE(at);
  const rotated = (x: bigint, n: bigint) => ((x << n) | (x >> (64n - n))) & M;
  const [k0, k1] = [word(key, 0), word(key, 8)];
  const v = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ] as [bigint, bigint, bigint, bigint];
  const round = () => {
    v[0] = (v[0] + v[1]) & M;
    v[1] = rotated(v[1], 13n) ^ v[0];
    v[0] = rotated(v[0], 32n);
    v[2] = (v[2] + v[3]) & M;
    v[3] = rotated(v[3], 16n) ^ v[2];
    v[0] = (v[0] + v[3]) & M;
    v[3] = rotated(v[3], 21n) ^ v[0];
    v[2] = (v[2] + v[1]) & M;
    v[1] = rotated(v[1], 17n) ^ v[2];
    v[2] = rotated(v[2], 32n);
  };
  const whole = Math.floor(message.length / 8) * 8;
  const last = Buffer.alloc(8);
  last.set(message.subarray(whole));
  last[7] = message.length & 0xff;
  const blocks = Array.from({ length: whole / 8 }, (_, i) => word(message, 8 * i));
  for (const block of [...blocks, word(last, 0)]) {
    v[3] ^= block;
    round();
    round();
    v[0] ^= block;
  }
  v[2] ^= 0xffn;
  for (let i = 0; i < 4; i++) round();
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(v[0] ^ v[1] ^ v[2] ^ v[3]);
  return out.toString('hex');
}

const counting = (length: number) => Uint8Array.from({ length }, (_, at) => at);
const sipDigits = (key: Uint8Array, message: string) => {
  const text = Buffer.alloc(20, '.');
  const view = new DataView(text.buffer, text.byteOffset, text.length);
  putSipDigits(view, 2, sipKeyOf(`..${Buffer.from(key).toString('latin1')}`, 2), message);
  return text.toString('latin1');
};

describe('SipHash-2-4', () => {
  it("matches the authors' test vectors for eight and for fifteen bytes", () => {
    const digitsOf = (length: number) => sipDigits(counting(16), Buffer.from(counting(length)).toString('latin1'));
    expect(digitsOf(8)).toBe('..6224939a79f5f593..');
    // The example in appendix A of the paper; it checks the reference used below, too.
    expect(digitsOf(15)).toBe('..e545be4961ca29a1..');
    expect(reference(counting(16), counting(15))).toBe('e545be4961ca29a1');
  });

  it('gives the same result with 32-bit as with 64-bit words', () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    fc.assert(
      fc.property(bytes(16), fc.uint8Array({ maxLength: 300 }), (key, message) => {
        expect(sipDigits(key, Buffer.from(message).toString('latin1'))).toBe(`..${reference(key, message)}..`);
      }),
      { numRuns: 2_000 },
    );
  });
});

const hexDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

describe('a short digest', () => {
  const hashOf = (key: Uint8Array, purpose: string, text: string) => {
    const words = new Uint32Array(2);
    shortDigests(key, purpose)(words, text);
    return words.join();
  };
  const key = freshKey();

  it('differs for different texts, keys and purposes, and is the same again', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        const hash = hashOf(key, 'token', one);
        expect(hash).toBe(hashOf(key, 'token', one));
        expect([
          hashOf(key, 'token', other),
          hashOf(key, 'other', one),
          hashOf(freshKey(), 'token', one),
        ]).not.toContain(hash);
      }),
      { numRuns: 300 },
    );
  });

  it('tells characters beyond a byte from those in whose place they would come', () => {
    const texts = ['a', 'š', 'Ā', '\0', '"a"', '"\\u0161"', '"š"', 'Å¡'];
    expect(new Set(texts.map((text) => hashOf(key, 'token', text))).size).toBe(texts.length);
  });
});

describe('a keyed digest', () => {
  const key = freshKey();

  it('differs for different texts and for different divisions into parts', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.array(fc.string(), { minLength: 1 }), (some, others) => {
        fc.pre(JSON.stringify(some) !== JSON.stringify(others));
        expect(digestWith(key, ...some)).not.toBe(digestWith(key, ...others));
      }),
    );
    expect(digestWith(key, 'a', 'b')).toMatch(/^[0-9a-f]{32}$/);
    expect(digestWith(key, '["a","b"]')).not.toBe(digestWith(key, 'a', 'b'));
  });

  it('of a text that ends in a nonce equals that of base and nonce', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), hexDigits(8), (base, nonce) => {
        expect(digestWith(key, withNonce(base, nonce))).toBe(digestOfNonced(key, base, nonce));
      }),
    );
    expect(digestWith(key, withNonce('two\nlines [01234567]', '89abcdef'))).toBe(
      digestOfNonced(key, 'two\nlines [01234567]', '89abcdef'),
    );
  });

  it('differs within its first 13 digits, which the judge keeps, for texts that differ in the base or the nonce', () => {
    const first = (base: string, nonce: string) => digestOfNonced(key, base, nonce).slice(0, 13);
    fc.assert(
      fc.property(fc.string(), fc.string(), hexDigits(8), hexDigits(8), (base, other, nonce, another) => {
        fc.pre(base !== other && nonce !== another);
        expect(new Set([first(base, nonce), first(base, another), first(other, nonce)]).size).toBe(3);
      }),
    );
  });

  it('does not reveal which texts differ only in their nonce', () => {
    const digests = ['00000001', '00000002', '00000003'].map((nonce) => digestOfNonced(key, 'yes', nonce));
    for (const from of [0, 8, 16, 24])
      expect(new Set(digests.map((digest) => digest.slice(from, from + 8))).size).toBe(3);
  });

  it('is the same after the cache overflowed, by number or by size', () => {
    const before = digestOfNonced(key, 'first', '00000001');
    for (let n = 0; n < 10_500; n++) digestOfNonced(key, `text ${n}`, '00000001');
    for (let n = 0; n < 50; n++) digestOfNonced(key, `${n}${'y'.repeat(100_000)}`, '00000001');
    expect(digestOfNonced(key, 'first', '00000001')).toBe(before);
  });

  it('is computed over the same JSON as JSON.stringify gives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(jsonText(text)).toBe(JSON.stringify(text));
      }),
    );
    expect(['', '"', '\\', '\u2028', '\ud800', 'é', '\u007f'].map((text) => jsonText(text))).toEqual([
      '""',
      '"\\""',
      '"\\\\"',
      '"\u2028"',
      '"\\ud800"',
      '"é"',
      '"\u007f"',
    ]);
  });

  it.each(['Hello', withNonce('Hello', '0123abcd')])('says nothing without its key, of %s', (text) => {
    expect(digestWith(key, text)).toMatch(/^[0-9a-f]{32}$/);
    expect(digestWith(key, text)).toBe(digestWith(key, text));
    const others = [digestWith(freshKey(), text), digestWith(freshKey(), text)];
    expect(new Set([digestWith(key, text), ...others].map((digest) => digest.slice(0, 16))).size).toBe(3);
    expect(new Set([digestWith(key, text), ...others].map((digest) => digest.slice(16))).size).toBe(3);
    expect(digestWith(key, text)).not.toContain('0123abcd');
  });
});
