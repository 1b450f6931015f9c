import { expect, it } from 'vitest';
import type { Bounds } from './bounds.ts';
import { rememberedFor } from './remembered.ts';

it('asks once per slice, whatever the answer', () => {
  const asked: object[] = [];
  const answer = rememberedFor((slice: { readonly name?: string }) => {
    asked.push(slice);
    return slice.name;
  });
  const [one, other] = [{ name: 'one' }, {}];
  expect([one, one, other, other, one].map((slice) => answer(slice))).toEqual([
    'one',
    'one',
    undefined,
    undefined,
    'one',
  ]);
  expect(asked).toEqual([one, other]);
});

it('asks again under other bounds, and keeps the answer for the last ones', () => {
  const asked: number[] = [];
  const answer = rememberedFor((_: object, { max }: Bounds) => {
    asked.push(max);
    return max > 1 ? max : undefined;
  });
  const [slice, low, high] = [{}, { max: 1 } as Bounds, { max: 2 } as Bounds];
  expect([low, low, high, high, low].map((bounds) => answer(slice, bounds))).toEqual([
    undefined,
    undefined,
    2,
    2,
    undefined,
  ]);
  expect(asked).toEqual([1, 2, 1]);
  expect(answer({}, high)).toBe(2);
});
