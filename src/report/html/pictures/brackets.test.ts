import { expect, it } from 'vitest';
import type { VerdictsDocument } from '../../verdicts-json.ts';
import { bracketOf, certificatesOf } from './brackets.ts';

const certificate = (refusal: number) => ({
  because: 'wrongful-refusal',
  limit: 'rate',
  refusal,
  exchanges: [],
  observed: 3,
  needed: 20,
});

it('the proof of a violated limit is not drawn again as a wrongful refusal, of which there are three at most', () => {
  const wrongful = [7, 8, 9, 10, 11].map((exchange) => ({ exchange, certificates: [certificate(exchange)] }));
  const document = {
    limits: [{ verdict: 'violated', certificate: certificate(7) }, { verdict: 'consistent' }],
    refusals: { wrongful },
  } as unknown as VerdictsDocument;
  expect(certificatesOf(document)).toEqual([7, 8, 9, 10].map(certificate));
});

it('a bracket says how many are possible, of a bucket the whole ones', () => {
  const labelOf = (possible: number) =>
    bracketOf({ because: 'over-admission', limit: 'rate', observed: 41, possible } as never).label;
  expect(labelOf(40)).toBe('41 admitted, at most 40 possible');
  expect(labelOf(20.4)).toBe('41 admitted, at most 20 possible');
  // A sum of parts that is a little less than whole in floating point.
  expect(labelOf(0.1 + 0.7 + 39.2 - 1e-12)).toBe('41 admitted, at most 40 possible');
});

it('a bracket of a block says what contradicts it, not how many of two admissions and a refusal are possible', () => {
  const block = { because: 'inconsistent', limit: 'rate', observed: 3, possible: 2, exchanges: [1, 2, 3] };
  expect(bracketOf(block as never).label).toBe('admitted within a window after a refusal that blocks');
});
