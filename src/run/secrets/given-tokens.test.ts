import { describe, expect, it } from 'vitest';
import { viewsOf } from '../../client/index.ts';
import { GivenTokens } from './given-tokens.ts';

const given = (...tokens: readonly string[]) => {
  const known = new GivenTokens();
  for (const token of tokens) known.add(token);
  return known;
};

describe('the tokens of a run', () => {
  it.each([
    ['whole', 'bad Token-One-7f1d2c3b here'],
    ['in another case', 'TOKEN-ONE-7F1D2C3B'],
    ['in part', 'oken-One-7f1d2c'],
    ['percent-encoded', '%54%6f%6b%65%6e%2D%4f%6e%65'],
  ])('are found %s', (_, text) => {
    expect([...given('Token-One-7f1d2c3b', 'another-8e9f0a1b2c').maybeIn(viewsOf(text))]).toEqual([
      'Token-One-7f1d2c3b',
    ]);
  });

  it('are not found in other texts', () => {
    const known = given('Token-One-7f1d2c3b');
    expect(
      ['19', 'rate_limited', 'Token-1', 'ken-One-7f1d', ''].flatMap((text) => [...known.maybeIn(viewsOf(text))]),
    ).toEqual([]);
  });

  it('are found if all of them start with the same text', () => {
    const tokens = ['a', 'b', 'c'].map((letter) => `eyJhbGciOiJIUzI1NiJ9.${letter.repeat(16)}`);
    const known = given(...tokens);
    for (const token of tokens) expect(known.maybeIn(viewsOf(token))).toContain(token);
  });

  it('are found if they are short and numbered', () => {
    const tokens = ['a-token-17', 'a-token-18', 'a-token-19'];
    const known = given(...tokens);
    for (const token of tokens) expect(known.maybeIn(viewsOf(`of ${token}`))).toContain(token);
  });

  it('are dropped when they are old, so that memory is bounded, but the last 500,000 characters are kept', () => {
    const token = (n: number) => `${String(n).padStart(8, '0')}${'-'.repeat(92)}`;
    const known = new GivenTokens();
    for (let n = 0; n < 12_000; n++) known.add(token(n));
    expect(known.maybeIn(viewsOf(token(11_999)))).toContain(token(11_999));
    expect(known.maybeIn(viewsOf(token(7_000)))).toContain(token(7_000));
    expect(known.maybeIn(viewsOf(token(0)))).not.toContain(token(0));
  });
});
