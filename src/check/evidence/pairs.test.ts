import { describe, expect, it } from 'vitest';
import { Pairs } from './pairs.ts';

describe('pairs', () => {
  it('are numbered from 1 as they come, however many', () => {
    const pairs = new Pairs();
    const numbered = new Map<string, number>();
    for (let i = 0; i < 6_000; i++) {
      const [first, second] = [(i * 37) % 101, (i * 91) % 57];
      const known = numbered.get(`${first} ${second}`) ?? numbered.size + 1;
      numbered.set(`${first} ${second}`, known);
      expect(pairs.of(first, second)).toBe(known);
    }
    expect(pairs.size).toBe(numbered.size);
    expect(numbered.size).toBeGreaterThan(4_096);
    for (const [name, number] of numbered) expect(`${pairs.first(number)} ${pairs.second(number)}`).toBe(name);
    expect(new Pairs().of(2 ** 32 - 1, 2 ** 31)).toBe(1);
  });
});
