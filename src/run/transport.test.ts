import { expect, it } from 'vitest';
import type { WarmUp } from '../client/index.ts';
import { warmUpWithin } from './transport.ts';

/** Has opened so many when time is up, and would never come to an end by itself. */
const slow = (opened: number) => ({
  warmUp: (_?: number, signal?: AbortSignal) =>
    new Promise<WarmUp>((settle) => {
      signal?.addEventListener('abort', () => settle({ opened, failures: ['stopped'] }));
    }),
});

it.each([
  { opened: 3, warm: { opened: 3, failures: ['stopped'] } },
  { opened: 0, warm: { opened: 0, failures: ['no connection within 0.001 s'] } },
])('a target that took $opened connections when time was up', async ({ opened, warm }) => {
  expect(await warmUpWithin(1, slow(opened))).toEqual(warm);
});
