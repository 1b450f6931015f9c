import { describe, expect, it } from 'vitest';
import {
  bytes,
  bytesOf,
  floatRegister,
  floats,
  floatsOf,
  Names,
  rowRegister,
  SeenSequences,
  words,
} from './columns.ts';

describe('a column', () => {
  it.each([
    ['floats', floats, Float64Array],
    ['words', words, Uint32Array],
    ['bytes', bytes, Uint8Array],
  ] as const)('of %s keeps what was pushed, however much', (_, make, kind) => {
    const column = make();
    expect(column.size).toBe(0);
    for (let i = 0; i < 200; i++) column.push(i);
    expect(column.size).toBe(200);
    expect([column.at(0), column.at(63), column.at(64), column.at(199)]).toEqual([0, 63, 64, 199]);
    expect(column.values()).toBeInstanceOf(kind);
    expect([...column.values()]).toEqual(Array.from({ length: 200 }, (__, i) => i));
    expect(column.values().buffer).toBe(column.values().buffer);
  });

  it('is made of values by their index', () => {
    expect(floatsOf(3, (i) => i / 2)).toEqual(Float64Array.of(0, 0.5, 1));
    expect(bytesOf(3, (i) => i * 100)).toEqual(Uint8Array.of(0, 100, 200));
  });
});

describe('a register', () => {
  it('has its absent value wherever nothing was written', () => {
    const register = floatRegister(Number.POSITIVE_INFINITY);
    expect([register.get(0), register.get(1_023), register.get(1_024), register.get(1e6)]).toEqual(
      Array(4).fill(Number.POSITIVE_INFINITY),
    );
    register.set(5, 1.5);
    register.set(1_024, 2.5);
    register.set(9_000, 3.5);
    expect([5, 1_024, 9_000].map((index) => register.get(index))).toEqual([1.5, 2.5, 3.5]);
    expect([4, 6, 1_023, 1_025, 8_999, 9_001].map((index) => register.get(index))).toEqual(
      Array(6).fill(Number.POSITIVE_INFINITY),
    );
    const rows = rowRegister();
    rows.set(3, 7);
    expect([rows.get(2), rows.get(3)]).toEqual([0, 7]);
  });
});

describe('names', () => {
  it('are numbered from 1 in the order in which they come', () => {
    const names = new Names<string>();
    expect([names.of('a'), names.of('b'), names.of('a')]).toEqual([1, 2, 1]);
    expect(names.size).toBe(2);
    expect([names.find('b'), names.find('c')]).toEqual([2, 0]);
    expect([names.name(0), names.name(1), names.name(2), names.name(3)]).toEqual([undefined, 'a', 'b', undefined]);
  });
});

describe('sequence numbers seen', () => {
  it('are told apart by worker and number, wherever they lie', () => {
    const seen = new SeenSequences();
    const numbers = [0, 1, 31, 32, 33, 2 ** 15 - 1, 2 ** 15, 2 ** 15 + 1, 2 ** 30, 2 ** 40 - 1];
    for (const worker of [0, 1, 4_095]) for (const number of numbers) expect(seen.has(worker, number)).toBe(false);
    for (const worker of [0, 1, 4_095]) for (const number of numbers) expect(seen.add(worker, number)).toBe(true);
    for (const worker of [0, 1, 4_095])
      for (const number of numbers) {
        expect(seen.add(worker, number)).toBe(false);
        expect(seen.has(worker, number)).toBe(true);
      }
    expect([2, 30, 34, 64, 2 ** 15 - 2, 2 ** 15 + 2].map((number) => seen.has(0, number))).toEqual(
      Array(6).fill(false),
    );
    expect(seen.has(2, 0)).toBe(false);
  });

  it('keeps numbers that lie all over the place, and takes them for no others', () => {
    const seen = new SeenSequences();
    // More stretches than there are pages.
    const scattered = Array.from({ length: 6_000 }, (_, i) => i * 2 ** 20 + 7);
    expect(scattered.every((number) => !seen.has(0, number) && seen.add(0, number))).toBe(true);
    expect(scattered.some((number) => seen.add(0, number))).toBe(false);
    expect(scattered.every((number) => seen.has(0, number))).toBe(true);
    expect(scattered.some((number) => seen.has(0, number + 1) || seen.has(1, number))).toBe(false);
  });
});
