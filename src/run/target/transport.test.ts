import { expect, it } from 'vitest';
import type { WarmUp } from '../../client/index.ts';
import { warmUpWithin } from './transport.ts';

/** Has opened this many connections at the time limit, and would never finish by itself. */
const slow = (opened: number) => ({
  warmUp: (signal?: AbortSignal) =>
    new Promise<WarmUp>((settle) => {
      signal?.addEventListener('abort', () => settle({ opened, failures: ['stopped'] }));
    }),
});

it.each([
  { opened: 3, warm: { opened: 3, failures: ['stopped'] } },
  { opened: 1, warm: { opened: 1, failures: ['stopped'] } },
  { opened: 0, warm: { opened: 0, failures: ['no connection within 0.001 s'] } },
])('a target that accepted $opened connections within the time limit', async ({ opened, warm }) => {
  expect(await warmUpWithin(1, slow(opened))).toEqual(warm);
});
