import { expect, it } from 'vitest';
import { GrowingRows } from './rows.ts';

it('rows keep what was written to them, however many come after', () => {
  const rows = new GrowingRows();
  const held = rows.columns;
  for (let i = 0; i < 1_000; i++) {
    expect(rows.add()).toBe(i);
    rows.columns.seq[i] = 2 ** 40 + i;
    rows.columns.place[i] = 4_000_000_000 + i;
    if (i % 3 === 0) rows.columns.doubtful[i] = 1;
    expect(rows.size).toBe(i + 1);
  }
  expect(held.seq.length).toBeLessThan(rows.columns.seq.length);
  const { seq, place, doubtful, turn } = rows.finish();
  expect([seq.length, place.length, doubtful.length, turn.length]).toEqual(Array(4).fill(1_000));
  expect(Array.from(seq)).toEqual(Array.from({ length: 1_000 }, (_, i) => 2 ** 40 + i));
  expect(Array.from(place)).toEqual(Array.from({ length: 1_000 }, (_, i) => 4_000_000_000 + i));
  expect(Array.from(doubtful)).toEqual(Array.from({ length: 1_000 }, (_, i) => (i % 3 === 0 ? 1 : 0)));
  expect(turn.every((number) => number === 0)).toBe(true);
});

it('each column is its own, to the last of its rows', () => {
  const all = Object.values(new GrowingRows().columns);
  for (const [number, column] of all.entries()) column.fill(number + 1);
  expect(all.map((column) => [...new Set(column)])).toEqual(all.map((_, number) => [number + 1]));
});

it('of none there are columns all the same', () => {
  expect(new GrowingRows().finish().sentAt.length).toBe(0);
});
