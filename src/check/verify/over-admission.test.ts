import { describe, expect, it } from 'vitest';
import type { OverAdmissionRule } from '../certificates/certificate.ts';
import { holdsOverAdmission } from './over-admission.ts';
import { overAdmission, W } from './rate/edges.exam.ts';
import type { Decided } from './raw/raw.ts';

/** So many, the first begun at 0 and the last decided at `span`. */
const within = (span: number, count: number): Decided[] =>
  Array.from({ length: count }, (_, i) =>
    i === 0 ? { from: 0, to: span / 2 } : i === count - 1 ? { from: span / 2, to: span } : { from: span / 3, to: span },
  );

describe('a certificate of over-admission', () => {
  const termsOf = (shortUs: number, slackUs: number, backUs = 0) => ({ shortUs, slackUs, backUs });
  const least = (rule: OverAdmissionRule, span: number, slack = 0) =>
    Array.from({ length: 40 }, (_, i) => i + 2).find((count) =>
      holdsOverAdmission(overAdmission(rule, count), within(span, count), termsOf(W, slack)),
    );

  it.each<[OverAdmissionRule, [span: number, least: number | undefined, slack?: number][]]>([
    [
      'universal-2N',
      [
        [0, 11],
        [59, 11],
        [60, undefined],
      ],
    ],
    [
      'universal-density',
      [
        [59, 11],
        [60, 16],
        [119, 16],
        [120, 21],
      ],
    ],
    [
      'sliding-log-n-plus-1',
      [
        [0, 6],
        [59, 6],
        [60, undefined],
      ],
    ],
    [
      'sliding-log-density',
      [
        [59, 6],
        [60, 11],
        [119, 11],
        [120, 16],
      ],
    ],
    [
      'token-bucket-density',
      [
        [0, 6],
        [11, 6],
        [12, 7],
        [11, 7, 1],
        [59, 10],
        [60, 11],
      ],
    ],
    [
      'interval-refill-density',
      [
        [0, 7],
        [11, 7],
        [12, 8],
        [11, 8, 1],
        [60, 12],
      ],
    ],
    [
      'sliding-counter-density',
      [
        [0, 8],
        [11, 8],
        [12, 9],
        [11, 9, 1],
        [59, 12],
        [60, undefined],
      ],
    ],
    ['fixed-window-anchored-since', [[0, undefined]]],
    ['concurrency-cores', [[0, undefined]]],
  ])('%s holds from so many on in such a span', (rule, cases) => {
    for (const [span, count, slack] of cases) expect(least(rule, span, slack), `${span} + ${slack}`).toBe(count);
  });

  it('does not hold of another number than it says, of a window without length, or of instants that nobody knows', () => {
    const holds = (observed: number, decided: Decided[], shortUs = W) =>
      holdsOverAdmission(overAdmission('sliding-log-n-plus-1', observed), decided, termsOf(shortUs, 0));
    expect(holds(6, within(1, 6))).toBe(true);
    expect(holds(7, within(1, 6))).toBe(false);
    expect(holds(6, within(1, 6), 0)).toBe(false);
    expect(holdsOverAdmission(overAdmission('sliding-log-density', 6), within(1, 6), termsOf(-1, 0))).toBe(false);
    const unknown = [...within(1, 5), { from: Number.NEGATIVE_INFINITY, to: 1 }];
    expect(holdsOverAdmission(overAdmission('token-bucket-density', 6), unknown, termsOf(W, 0))).toBe(false);
    expect(holds(6, unknown)).toBe(false);
  });

  it('of a counter holds only if no two nodes can have filled two windows at once', () => {
    const holds = (early: number, late: number, after: number, backUs: number) => {
      const decided = [
        ...Array.from({ length: early }, () => ({ from: 0, to: 2 })),
        ...Array.from({ length: late }, () => ({ from: after, to: after })),
      ];
      const certificate = overAdmission('sliding-counter-density', early + late);
      return holdsOverAdmission(certificate, decided, termsOf(W, 0, backUs));
    };
    expect(holds(7, 2, 7, 5)).toBe(true);
    expect(holds(7, 2, 6, 5)).toBe(false);
    expect(holds(6, 3, 7, 5)).toBe(false);
    expect(holds(4, 4, 1, 0)).toBe(true);
  });
});
