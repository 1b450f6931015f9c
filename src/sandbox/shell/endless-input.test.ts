import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { conversation_id, root } from './http-client.exam.ts';
import { errorIn, head, MEGABYTE, separateSandboxes } from './separate-sandbox.exam.ts';

const { like, sockets } = separateSandboxes();
const pause = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

describe('bad input', () => {
  it('of 10,000 idle connections leaves room for a request, in bounded memory', async () => {
    const service = await like('patient');
    // Both ends of every connection count towards this process's limit of open files.
    const openFiles = Number(execFileSync('sh', ['-c', 'ulimit -n']).toString());
    const count = Math.min(10_000, Number.isNaN(openFiles) ? 10_000 : openFiles - 500);
    for (let opened = 0; opened < count; opened += 500) {
      await Promise.all(Array.from({ length: Math.min(500, count - opened) }, () => service.open()));
    }
    expect(sockets.filter((socket) => !socket.destroyed)).toHaveLength(count);
    await service.goesOn();
  });

  it('of more connections than allowed is hung up on, and room is found again', async () => {
    const service = await like('strict');
    const peers = await Promise.all(Array.from({ length: 40 }, () => service.open()));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const alive = peers.filter(({ socket }) => !socket.destroyed);
    expect(alive.length).toBeLessThanOrEqual(20);
    expect(alive.length).toBeGreaterThan(10);
    for (const { socket } of alive) socket.destroy();
    const found = () => service.converse('{}').catch(() => undefined);
    for (let attempt = 0; attempt < 50 && (await found()) === undefined; attempt++) await pause(100);
    await service.goesOn();
  });

  it('that arrives one byte at a time runs into a timeout: headers, body, and a silent connection', async () => {
    const service = await like('strict');
    const [headers, body, silent] = [await service.open(), await service.open(), await service.open()];
    headers.socket.write(`POST ${root}/tokens HTTP/1.1\r\n`);
    body.socket.write(head(service, 'content-type: application/json', 'content-length: 1000', '', ''));
    const drip = setInterval(() => {
      for (const { socket } of [headers, body]) if (socket.writable) socket.write('x');
    }, 40);
    try {
      for (const peer of [headers, body, silent]) {
        const heard = await peer.hangsUpWithin(15_000);
        expect(errorIn(heard).status).toBe(408);
        expect(heard).toContain('"message":"the request did not arrive whole within the time allowed"');
      }
    } finally {
      clearInterval(drip);
    }
    await service.goesOn();
  });

  it.each([
    ['chunked', 'transfer-encoding: chunked'],
    ['announced', `content-length: ${100 * MEGABYTE}`],
  ])('of 100 MB, %s, is refused long before its end', async (kind, header) => {
    const service = await like('patient');
    const peer = await service.open();
    peer.socket.write(head(service, 'content-type: application/json', header, '', ''));
    const block = Buffer.alloc(MEGABYTE, 'x');
    const chunk = kind === 'chunked' ? Buffer.concat([Buffer.from('100000\r\n'), block, Buffer.from('\r\n')]) : block;
    let sent = 0;
    while (sent < 100 && peer.socket.writable) {
      if (!peer.socket.write(chunk))
        await Promise.race([once(peer.socket, 'drain').catch(() => undefined), peer.ended]);
      sent++;
    }
    const heard = await peer.hangsUpWithin(15_000);
    expect(sent).toBeLessThan(50);
    // A client that continues to send may lose the answer to the reset that follows it.
    if (heard !== '') expect(errorIn(heard)).toEqual({ status: 413, code: 'payload_too_large' });
    await service.goesOn();
  });

  it('of requests without end on one connection, none of whose answers is read, waits', async () => {
    const service = await like('patient');
    const peer = await service.open();
    peer.socket.pause();
    const block = `GET ${root}/turns/x HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(1_000);
    let blocks = 0;
    while (blocks < 1_000) {
      const taken = peer.socket.write(block) || (await Promise.race([once(peer.socket, 'drain'), pause(300)]));
      if (taken === undefined) break;
      blocks++;
    }
    expect(blocks).toBeLessThan(1_000);
    await service.goesOn();
  });
});

describe('a WebSocket that never reads', () => {
  const start = async (temper: 'patient' | 'strict') => {
    const service = await like(temper);
    await service.converse(JSON.stringify({ conversation_id }));
    const sent = await fetch(`http://127.0.0.1:${service.port}${root}/conversations/${conversation_id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: '{"client_message_id":"m","message":"x"}',
    });
    const { turn_id } = (await sent.json()) as { turn_id: string };
    const peer = await service.open();
    const lines = [
      `GET ${root}/turns/${turn_id}/stream HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${service.token}`,
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${'A'.repeat(22)}==`,
    ];
    peer.socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await once(peer.socket, 'data');
    expect(peer.heard).toContain('101 Switching Protocols');
    return { service, peer };
  };

  it('and asks for pongs without end is cut off', async () => {
    const { service, peer } = await start('patient');
    peer.socket.pause();
    // Final, opcode 9; masked, 125 bytes; the mask is zero.
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const block = Buffer.concat(Array.from({ length: 1_000 }, () => ping));
    let blocks = 0;
    while (blocks < 2_000 && peer.socket.writable) {
      if (!peer.socket.write(block))
        await Promise.race([once(peer.socket, 'drain').catch(() => undefined), peer.ended]);
      blocks++;
    }
    await peer.hangsUpWithin(15_000);
    expect(blocks).toBeLessThan(2_000);
    await service.goesOn();
  });

  it('and never answers the closing is cut off', async () => {
    const { service, peer } = await start('strict');
    await peer.hangsUpWithin(15_000);
    // Opcode 8, code 1000: the normal end of the stream.
    expect(peer.heard.endsWith('\u0088\u0002\u0003\u00e8')).toBe(true);
    await service.goesOn();
  });
});
