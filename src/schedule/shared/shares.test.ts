import { expect, it } from 'vitest';
import type { Loop } from '../../plan/index.ts';
import { type RunShares, runShares, sharedIterations } from './shares.ts';

const loopOf = (number?: number) => ({ ...(number !== undefined && { stock: { number, iterations: 9 } }) }) as Loop;
const sharesOf = (caps: Parameters<typeof runShares>[0], ...stocks: readonly (number | undefined)[]): RunShares =>
  runShares(caps, { loops: stocks.map(loopOf) } as unknown as Parameters<typeof runShares>[1]);
const named = (shares: RunShares) => Object.keys(shares).sort();

it('workers share the caps that a scenario sets, and no others', () => {
  expect(named(sharesOf({ whenFull: 'queue' }))).toEqual(['pending', 'stocks']);
  expect(named(sharesOf({ whenFull: 'queue', openTurns: 1 }))).toEqual(['openTurns', 'pending', 'stocks']);
  expect(named(sharesOf({ whenFull: 'queue', inFlight: 1 }))).toEqual(['inFlight', 'pending', 'stocks']);
  expect(named(sharesOf({ whenFull: 'queue', requestsPerMinute: 1 }))).toEqual([
    'pending',
    'requestsPerMinute',
    'stocks',
  ]);
});

it('the iterations of each stock are counted over all workers', () => {
  const shares = sharesOf({ whenFull: 'queue' }, undefined, 1, 0, 1);
  const [one, other] = [sharedIterations(shares), sharedIterations(shares)];
  expect([one(1), other(1), one(0), one(1), other(0)]).toEqual([0, 1, 0, 2, 1]);
  expect([shares.stocks.byteLength, sharesOf({ whenFull: 'queue' }, undefined).stocks.byteLength]).toEqual([8, 0]);
});
