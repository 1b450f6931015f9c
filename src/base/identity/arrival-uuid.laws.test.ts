import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivalUuid, type UuidParts } from './arrival-uuid.ts';

const parts: fc.Arbitrary<UuidParts> = fc.record({
  runId: fc.constantFrom('run-1', 'run-2'),
  arrival: fc.oneof(fc.nat(3), fc.maxSafeNat(), fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 40 - 1, 2 ** 40)),
  step: fc.oneof(fc.nat(3), fc.constantFrom(2 ** 31, 2 ** 32 - 1, 2 ** 32)),
  kind: fc.constantFrom('message', 'conversation'),
  index: fc.oneof(fc.nat(3), fc.constantFrom(2 ** 20 - 1, 2 ** 20, 2 ** 24 - 1, 2 ** 24)),
});

describe('the UUID of an arrival', () => {
  it('has the shape of version 8 (RFC 9562 section 5.8), and is a pure function of its parts', () => {
    fc.assert(
      fc.property(parts, (given) => {
        expect(arrivalUuid(given)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        arrivalUuid({ ...given, runId: 'another' });
        expect(arrivalUuid(given)).toBe(arrivalUuid({ ...given }));
      }),
    );
  });

  it('differs for different parts', () => {
    fc.assert(
      fc.property(parts, parts, (some, others) => {
        fc.pre(JSON.stringify(some) !== JSON.stringify(others));
        expect(arrivalUuid(some)).not.toBe(arrivalUuid(others));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is unique over arrivals, steps, indices and kinds, and its first 32 bits look random', () => {
    const seen = new Set<string>();
    const beginnings = new Set<string>();
    for (let arrival = 0; arrival < 40; arrival++)
      for (let step = 0; step < 40; step++)
        for (let index = 0; index < 4; index++)
          for (const kind of ['message', 'conversation'] as const) {
            const id = arrivalUuid({ runId: 'run', arrival, step, kind, index });
            seen.add(id);
            beginnings.add(id.slice(0, 8));
          }
    expect(seen.size).toBe(12_800);
    // 12,800 random 32-bit values have 0.02 colliding pairs on average.
    expect(beginnings.size).toBeGreaterThan(12_796);
  });

  it('differs between runs in half of its bits on average', () => {
    const bits = (id: string) =>
      BigInt(`0x${id.replaceAll('-', '')}`)
        .toString(2)
        .padStart(128, '0');
    let different = 0;
    for (let run = 0; run < 200; run++) {
      const [one, other] = [run, run + 1_000].map((n) => bits(arrivalUuid({ ...zero, runId: `run ${n}` })));
      different += [...(one ?? '')].filter((bit, place) => bit !== other?.[place]).length;
    }
    // Binomial with 200 × 122 trials and p = 1/2: 12,200 ± 5 × 78.
    expect(Math.abs(different - 12_200)).toBeLessThan(390);
  });
});

const zero = { arrival: 0, step: 0, kind: 'message', index: 0 } as const;
