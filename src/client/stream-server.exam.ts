import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ApiCall, type StreamEvent, sandboxProfile } from '../api/index.ts';
import { closedAfterEach } from '../testing/closing.ts';
import type { StreamOptions, TransportOptions } from './transport.ts';
import { clock, ms } from './transports/exam/setting.exam.ts';
import { answering, type RawRequest } from './transports/raw-server.exam.ts';
import { openUndiciTransport } from './transports/undici.ts';

export const call: ApiCall = {
  operation: 'openStream',
  credentials: { kind: 'bearer', token: 'opaque-token-never-shown' },
  parameters: { turn_id: 'turn-1' },
  deadlineUs: ms(5_000),
};

/** RFC 6455 section 4.2.2. */
export function accept(socket: Socket, request: RawRequest): void {
  const key = createHash('sha1')
    .update(`${request.headers.get('sec-websocket-key')}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${key}\r\ndate: Sat, 21 Nov 2026 12:00:00 GMT\r\n\r\n`,
  );
}

/** An unmasked frame (RFC 6455 section 5.2); opcode 1 is text, 2 binary, 8 close, 9 ping. */
export function frame(payload: string | Buffer, opcode = 1): Buffer {
  const bytes = Buffer.from(payload);
  const size = bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...size]), bytes]);
}
export const event = (name: string, more: object = {}) =>
  frame(JSON.stringify({ event: name, turn_id: 'turn-1', ...more }));

/** Opens servers and transports, which are closed after the test that opened them. Call it once per file. */
export function streamSetting() {
  const kept = closedAfterEach();

  /** Opens a stream to a server that handles each handshake with this function. */
  const stream = async (
    onRequest: (socket: Socket, request: RawRequest) => void,
    over: Partial<StreamOptions> = {},
    overCall: Partial<ApiCall> = {},
    overTransport: Partial<TransportOptions> = {},
  ) => {
    const server = await kept(answering(onRequest));
    const transport = await kept(
      openUndiciTransport({ baseUrl: server.url, profile: sandboxProfile(), connections: 1, clock, ...overTransport }),
    );
    const events: StreamEvent[] = [];
    const opened = await transport.openStream(
      { ...call, ...overCall },
      { onEvent: (seen) => events.push(seen), ...over },
    );
    return { server, transport, events, ...opened };
  };
  return { kept, stream };
}
