import { afterEach, describe, expect, it, vi } from 'vitest';
import { freshKey } from '../base/index.ts';
import { TokenNumbers, tokenMemory } from './token-numbers.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the number of a token', () => {
  it('is the same for all workers, which number what is new in turn', () => {
    const [memory, key] = [tokenMemory(), freshKey()];
    const [one, other] = [new TokenNumbers(memory, key), new TokenNumbers(memory, key)];
    expect([one.of('a'), other.of('b'), other.of('a'), one.of('b'), one.of('c'), other.of('c')]).toEqual([
      1, 2, 1, 2, 3, 3,
    ]);
  });

  it.each(['add', 'compareExchange'] as const)('is one, if another worker brings it before %s', (method) => {
    const [memory, key] = [tokenMemory(), freshKey()];
    const [one, other] = [new TokenNumbers(memory, key), new TokenNumbers(memory, key)];
    const original = Atomics[method] as (...values: unknown[]) => unknown;
    let ofOther: number | undefined;
    vi.spyOn(Atomics, method).mockImplementationOnce(((...values: unknown[]) => {
      ofOther = other.of('a');
      return original(...values);
    }) as never);
    const ofOne = one.of('a');
    expect(ofOne).toBe(ofOther);
    expect([one.of('a'), other.of('a')]).toEqual([ofOne, ofOne]);
  });

  it('is kept for thousands of tokens, and no two tokens have the same one', () => {
    const numbers = new TokenNumbers(tokenMemory(), freshKey());
    const tokens = Array.from({ length: 4_000 }, (_, n) => `token ${n}`);
    const first = tokens.map((token) => numbers.of(token));
    expect(first).toEqual(tokens.map((_, n) => n + 1));
    expect(tokens.map((token) => numbers.of(token))).toEqual(first);
  });

  it('is new for a token that so many others have replaced: memory stays bounded', () => {
    const numbers = new TokenNumbers(tokenMemory(), freshKey());
    expect(numbers.of('first')).toBe(1);
    for (let n = 0; n < 300_000; n++) numbers.of(`token ${n}`);
    expect(numbers.of('token 299999')).toBe(300_001);
    expect(numbers.of('first')).toBe(300_002);
  });

  it('leaves no text of a token in memory', () => {
    const memory = tokenMemory();
    new TokenNumbers(memory, freshKey()).of('secret-of-a-token');
    expect(Buffer.from(memory).includes('secret')).toBe(false);
  });
});
