import { expect, test } from 'vitest';
import { captureFrom, readPath } from './body-path.ts';

const body = { messages: [{ role: 'user' }, { role: 'assistant', cards: [] }], total: 0, message: null, '': 'empty' };

test.each([
  ['messages.1.role', 'assistant'],
  ['messages.0', { role: 'user' }],
  ['messages.1.cards', []],
  ['total', 0],
  ['message', null],
  ['', 'empty'],
  ['message.answer', undefined],
  ['messages.2.role', undefined],
  ['messages.length', undefined],
  ['messages.-1', undefined],
  ['messages.0.role.length', undefined],
  ['constructor.name', undefined],
  ['__proto__', undefined],
])('readPath %s', (path, expected) => {
  expect(readPath(body, path)).toEqual(expected);
});

test.each([[undefined], [null], ['text'], [4]])('readPath finds nothing in %s', (value) => {
  expect(readPath(value, 'a.b')).toBeUndefined();
});

test('captureFrom reports what it found and what it did not', () => {
  expect(captureFrom({ first: 'messages.0.role', none: 'messages.9', null_: 'message', zero: 'total' }, body)).toEqual({
    values: { first: 'user', zero: 0 },
    absent: ['none', 'null_'],
  });
});
