import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sandboxProfile } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import { readFrame } from './stream-frames.ts';

const at = 7 as Micros;
const profile = sandboxProfile().stream;
if (profile === null) throw new Error('the sandbox has a stream');
const read = (value: unknown, binary = false) =>
  readFrame(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), binary, at, profile);

describe('a frame of a stream', () => {
  it.each([
    [
      { event: 'turn.status', sequence: 1, status: 'processing' },
      { event: 'status', at, sequence: 1, status: 'processing' },
    ],
    [
      { type: 'answer.delta', sequence: 0 },
      { event: 'delta', at, sequence: 0 },
    ],
    [{ event: 'turn.completed' }, { event: 'completed', at }],
    [
      { event: 'turn.failed', sequence: -1, status: 3 },
      { event: 'failed', at },
    ],
    [{ event: 'turn.other' }, { event: 'unknown', at }],
    [
      { event: 7, sequence: 1.5 },
      { event: 'unknown', at },
    ],
  ])('%j', (data, expected) => {
    expect(read(data)).toEqual({ ...expected, data });
  });

  it('that is binary, not JSON or no object is unknown, without data', () => {
    for (const event of [
      read({ event: 'turn.completed' }, true),
      read('{'),
      read('[1]'),
      read('null'),
      read('"turn.completed"'),
    ]) {
      expect(event).toEqual({ event: 'unknown', at, data: undefined });
    }
  });

  it('never throws, for any content', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, binary) => {
        expect(readFrame(Buffer.from(bytes), binary, at, profile).at).toBe(at);
      }),
    );
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(['unknown', 'status', 'delta', 'completed', 'failed']).toContain(
          readFrame(Buffer.from(text), false, at, profile).event,
        );
      }),
    );
  });
});
