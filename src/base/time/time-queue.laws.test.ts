import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TimeQueue } from './time-queue.ts';
import type { Micros } from './units.ts';

it('returns items in the order of their instants, equal instants in the order of insertion', () => {
  const steps = fc.array(fc.oneof(fc.nat(20), fc.constant('pop' as const)), { maxLength: 300 });
  fc.assert(
    fc.property(steps, (sequence) => {
      const queue = new TimeQueue<{ at: number; number: number }>();
      const model: { at: number; number: number }[] = [];
      sequence.forEach((step, number) => {
        if (step === 'pop') {
          model.sort((a, b) => a.at - b.at || a.number - b.number);
          expect(queue.next).toBe(model[0]?.at ?? Number.POSITIVE_INFINITY);
          expect(queue.pop()).toEqual(model.shift());
        } else {
          queue.push(step as Micros, { at: step, number });
          model.push({ at: step, number });
        }
        expect(queue.size).toBe(model.length);
      });
    }),
  );
});

it('returns live items in the same order, however often dead ones are pruned', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { minLength: 2_500, maxLength: 3_000 }), fc.nat(7), (instants, kept) => {
      const alive = (number: number) => number % 8 === kept;
      const [pruned, whole] = [new TimeQueue<number>(), new TimeQueue<number>()];
      instants.forEach((at, number) => {
        whole.push(at as Micros, number);
        pruned.push(at as Micros, number);
        pruned.prune(0, alive);
      });
      const drain = (queue: TimeQueue<number>) => {
        const out: number[] = [];
        for (let item = queue.pop(); item !== undefined; item = queue.pop()) if (alive(item)) out.push(item);
        return out;
      };
      expect(pruned.size).toBeLessThan(1_500);
      expect(drain(pruned)).toEqual(drain(whole));
    }),
    { numRuns: 20 },
  );
});
