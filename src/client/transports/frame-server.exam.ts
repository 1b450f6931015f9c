import type { Socket } from 'node:net';
import { type RawServer, rawServer } from './raw-server.exam.ts';

/** A frame of HTTP/2 (RFC 9113 section 4.1). */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, push: 5, ping: 6, goAway: 7 } as const;
export const END_STREAM = 0x1;
const ACK = 0x1;
const END_HEADERS = 0x4;
const HEADER_BYTES = 9;
/** `PRI * HTTP/2.0`, and so on. */
const PREFACE_BYTES = 24;

export function frame(type: number, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(payload as string, 'latin1');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUIntBE(bytes.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, bytes]);
}

export function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
}

/** HPACK literals without indexing (RFC 7541 section 6.2.2); each text must be shorter than 127 bytes. */
const literals = (fields: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [
      Buffer.from([0, name.length]),
      Buffer.from(name, 'latin1'),
      Buffer.from([value.length]),
      Buffer.from(value, 'latin1'),
    ]),
  );

export const headersFrame = (stream: number, fields: Readonly<Record<string, string>>, flags = 0): Buffer =>
  frame(frameTypes.headers, END_HEADERS | flags, stream, literals(fields));
export const dataFrame = (stream: number, text: string, flags = END_STREAM): Buffer =>
  frame(frameTypes.data, flags, stream, text);
export const resetFrame = (stream: number, code: number): Buffer => frame(frameTypes.reset, 0, stream, words(code));

export function settingsFrame(settings: Readonly<Record<number, number>> = {}): Buffer {
  const entries = Object.entries(settings).map(([id, value]) => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(Number(id), 0);
    entry.writeUInt32BE(value, 2);
    return entry;
  });
  return frame(frameTypes.settings, 0, 0, Buffer.concat(entries));
}

/**
 * A server under frame-level control of the test, so that it can send any wrong HTTP/2 frame. It acknowledges settings itself.
 * @param first bytes sent at the start; default an empty SETTINGS frame
 */
export const frameServer = (
  onFrame: (frame: Frame, socket: Socket) => void,
  first: Buffer = settingsFrame(),
): Promise<RawServer> =>
  rawServer((socket) => {
    let pending = Buffer.alloc(0);
    let skipped = PREFACE_BYTES;
    socket.setNoDelay(true);
    socket.write(first);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      if (skipped > 0 && pending.length >= skipped) {
        pending = pending.subarray(skipped);
        skipped = 0;
      }
      while (skipped === 0 && pending.length >= HEADER_BYTES) {
        const end = HEADER_BYTES + pending.readUIntBE(0, 3);
        if (pending.length < end) return;
        const [type = 0, flags = 0] = pending.subarray(3, 5);
        const read = { type, flags, stream: pending.readUInt32BE(5), payload: pending.subarray(HEADER_BYTES, end) };
        pending = pending.subarray(end);
        if (type === frameTypes.settings && (flags & ACK) === 0) socket.write(frame(frameTypes.settings, ACK, 0));
        onFrame(read, socket);
      }
    });
  });

/** Whether this frame completes a request. */
export const endsRequest = ({ type, flags }: Frame): boolean =>
  type <= frameTypes.headers && (flags & END_STREAM) !== 0;
