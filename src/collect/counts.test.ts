import { describe, expect, it } from 'vitest';
import { keyOf, partsOf } from './counts.ts';

describe('a key of several parts', () => {
  it('has as many parts as were joined, whatever characters they contain', () => {
    expect(partsOf(keyOf('2026-11-25', 'a1'))).toEqual(['2026-11-25', 'a1']);
    expect(partsOf(keyOf('12', 'a\u0000b', ''))).toEqual(['12', 'a\u2400b', '']);
  });
});
