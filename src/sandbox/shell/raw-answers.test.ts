import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { root, sendRaw, startWithUser } from './http-client.exam.ts';
import { errorIn, separateSandboxes } from './separate-sandbox.exam.ts';

const { like } = separateSandboxes();

const turn = `${root}/turns/0c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7a01`;
const connecting = 'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n';
const expecting = `GET ${turn} HTTP/1.1\r\nhost: x\r\nexpect: a-pony\r\n\r\n`;
const handshake = [
  `GET ${turn}/stream HTTP/1.1`,
  'host: x',
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${'A'.repeat(22)}==\r\n\r\n`,
].join('\r\n');
const kinds: readonly (readonly [name: string, request: string, status: number])[] = [
  ['CONNECT', connecting, 404],
  ['an expectation that cannot be met', expecting, 417],
  ['a handshake that is refused', handshake, 401],
];

describe('an answer that is written without the framework', () => {
  it.each(kinds)('to %s comes after those to earlier requests', async (_name, request, status) => {
    const { sandbox, token } = await startWithUser({ faults: ['readTurn:latency:constant:200ms'] });
    const slow = `GET ${turn} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`;
    const text = await sendRaw(sandbox.port, `${slow}${slow}${request}`);
    expect([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, each]) => Number(each))).toEqual([404, 404, status]);
  });

  it.each(kinds)('to %s may meet a connection that was reset', async (_name, request) => {
    const service = await like('patient');
    for (let attempt = 0; attempt < 300; attempt++) {
      const socket = connect(service.port, '127.0.0.1', () =>
        socket.write(request, () => setImmediate(() => socket.resetAndDestroy())),
      );
      await once(
        socket.on('error', () => undefined),
        'close',
      );
    }
    await service.goesOn();
  });

  it.each(kinds)('to %s leaves no connection behind, whatever follows the request', async (_name, request, status) => {
    const service = await like('strict');
    for (let attempt = 0; attempt < 40; attempt++) {
      const peer = await service.open();
      peer.socket.write(request);
      peer.socket.write('more'.repeat(25_000));
      const heard = await peer.hangsUpWithin(15_000);
      // A client that continues to send may lose the answer to a reset.
      if (heard !== '') expect(errorIn(heard).status).toBe(status);
    }
    // On a connection of its own.
    const next = await sendRaw(service.port, 'GET /x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(errorIn(next).status).toBe(404);
  });

  it.each(kinds)('to %s does not wait for a client that never closes', async (_name, request, status) => {
    const service = await like('strict');
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(request);
    let heard = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      heard += chunk;
    });
    await once(socket, 'end');
    expect(errorIn(heard).status).toBe(status);
    // Writing fails once the other side has closed both directions.
    const writing = setInterval(() => socket.write('x'), 50);
    const failed = await new Promise((resolve) => socket.on('error', () => resolve(true)));
    clearInterval(writing);
    expect(failed).toBe(true);
  });
});
