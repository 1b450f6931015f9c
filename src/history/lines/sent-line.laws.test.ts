import fc from 'fast-check';
import { expect, it } from 'vitest';
import { operationIds } from '../../api/index.ts';
import { decodeLine } from './decode.ts';
import { readSentLine } from './sent-line.ts';

const line = (seq: number | string, operation: string, at: number | string) =>
  `{"kind":"sent","seq":${seq},"operation":"${operation}","at":${at}}`;
const anyOperation = fc.constantFrom(...operationIds);
const below = (limit: number) => fc.oneof(fc.nat(), fc.integer({ min: 0, max: limit - 1 }));
const anyNumber = below(10 ** 15);
const anyTime = below(10 ** 14);

it('reads the lines of sent records as JSON.parse does', () => {
  fc.assert(
    fc.property(anyNumber, anyOperation, anyTime, (seq, operation, at) => {
      const text = line(seq, operation, at);
      expect(readSentLine(text)).toEqual(JSON.parse(text));
    }),
  );
});

it('leaves every line that differs in a character to the JSON parser', () => {
  const characters = fc.constantFrom(...' "\\{}:,-+.eE019azsS\u00e9\0'.split(''), '');
  fc.assert(
    fc.property(anyNumber, anyOperation, anyTime, fc.nat(), characters, (seq, operation, at, place, character) => {
      const text = line(seq, operation, at);
      const cut = place % text.length;
      const other = `${text.slice(0, cut)}${character}${text.slice(cut + 1)}`;
      const read = readSentLine(other);
      if (read) expect(read).toEqual(JSON.parse(other));
    }),
  );
});

it.each([
  ['a number with a zero before it', line('007', 'readTurn', 5), 'bad'],
  ['a number below zero', line(-1, 'readTurn', 5), 'bad'],
  ['no operation of ours', line(1, 'readTurns', 5), 'bad'],
  ['something behind it', `${line(1, 'readTurn', 5)} x`, 'bad'],
])('does not believe %s', (_, text, outcome) => {
  expect(readSentLine(text)).toBeUndefined();
  expect(decodeLine(text)).toBe(outcome);
});

it.each([
  ['a worker', line(1, 'readTurn', '5,"worker":2'), { kind: 'sent', seq: 1, operation: 'readTurn', at: 5, worker: 2 }],
  ['an instant before the run', line(1, 'readTurn', -5), { kind: 'sent', seq: 1, operation: 'readTurn', at: -5 }],
  ['a blank', line(' 1', 'readTurn', 5), { kind: 'sent', seq: 1, operation: 'readTurn', at: 5 }],
])('leaves %s to the parser of JSON', (_, text, record) => {
  expect(readSentLine(text)).toBeUndefined();
  expect(decodeLine(text)).toEqual(record);
});
