import { expect, it } from 'vitest';
import { seededIds } from './ids.ts';

it('identifiers of a seed are UUIDs of version 8, each another one, and the same every time', () => {
  const drawn = (seed: number) => {
    const ids = seededIds(seed);
    return [...Array.from({ length: 300 }, () => ids.uuid()), ids.token(), ids.token(), ids.uuid()];
  };
  const ids = drawn(7);
  for (const id of ids.filter((_, index) => index !== 300 && index !== 301))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set([...ids, ...drawn(8)]).size).toBe(2 * ids.length);
  expect(drawn(7)).toEqual(ids);
});
