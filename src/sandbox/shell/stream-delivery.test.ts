import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { conversation_id, type HttpClient, root } from './http-client.exam.ts';
import { announced, bodyOf, type Connection, type Leaving, start, talk, until } from './one-connection.exam.ts';

function handshake({ sandbox, token }: HttpClient, turnId: string, leaving?: Leaving): Promise<Connection> {
  const head = [
    `GET ${root}/turns/${turnId}/stream HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${'A'.repeat(22)}==`,
  ].join('\r\n');
  return talk(sandbox.port, `${head}\r\n\r\n`, leaving);
}

describe('faults of streams over sockets', () => {
  const instant = {
    queued: { distribution: 'constant', value: '1ms' },
    processing: { distribution: 'constant', value: '1ms' },
  } as const;
  const withTurn = async (...faults: string[]) => {
    const client = await start({ latency: instant, faults });
    await client.request('POST', `${root}/conversations`, { conversation_id });
    const json = { client_message_id: 'm', message: 'x' };
    const sent = await client.request('POST', `${root}/conversations/${conversation_id}/messages`, json);
    return { client, turnId: String(sent.body.turn_id) };
  };
  const listen = async ({ sandbox, token }: HttpClient, turnId: string) => {
    const url = `${sandbox.url.replace('http', 'ws')}${root}/turns/${turnId}/stream`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    const sequences: number[] = [];
    socket.on('message', (data) => sequences.push(JSON.parse(String(data)).sequence));
    const began = performance.now();
    const [code] = await once(socket, 'close');
    return { sequences, code, lastedMs: performance.now() - began };
  };

  it('stream-drop cuts without a close frame after as many events as it says', async () => {
    const { client, turnId } = await withTurn('openStream:stream-drop:2:#1', 'openStream:stream-drop:0:#2');
    expect(await listen(client, turnId)).toMatchObject({ sequences: [1, 2], code: 1006 });
    expect(await listen(client, turnId)).toMatchObject({ sequences: [], code: 1006 });
    const { sequences, code } = await listen(client, turnId);
    expect([sequences[0], sequences.length > 3, code]).toEqual([1, true, 1000]);
  });

  it('stream-duplicate and stream-reorder tell events twice, and in the wrong order', async () => {
    const { client, turnId } = await withTurn('openStream:stream-duplicate:#1', 'openStream:stream-reorder:#2');
    const twice = await listen(client, turnId);
    expect(twice.sequences.slice(0, 4)).toEqual([1, 1, 2, 2]);
    const { sequences, code } = await listen(client, turnId);
    expect(sequences).toHaveLength(twice.sequences.length / 2);
    expect(sequences.slice(-2)).toEqual([sequences.length, sequences.length - 1]);
    expect(code).toBe(1000);
  });

  it('a handshake can be held back, reset before and after, stalled, and refused', async () => {
    const { client, turnId } = await withTurn(
      'openStream:latency:constant:300ms:#1',
      'openStream:reset-before:#2',
      'openStream:reset-after:#3',
      'openStream:stall:#4-5',
      'openStream:status-503:#6',
    );
    const late = await listen(client, turnId);
    expect([late.code, late.lastedMs >= 300]).toEqual([1000, true]);
    expect(await handshake(client, turnId)).toMatchObject({ text: '', ending: 'ECONNRESET' });
    expect(await handshake(client, turnId)).toMatchObject({ text: '', ending: 'ECONNRESET' });
    expect(await handshake(client, turnId, { afterMs: 200 })).toMatchObject({ text: '', ending: 'silence' });
    const stalled = handshake(client, turnId);
    const struck = async () => (await client.request('GET', '/_sandbox/truth')).body.faults;
    await until(async () => (await struck())['openStream:stall:#4-5'] === 2);
    const refused = await handshake(client, turnId);
    expect(refused.text).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(JSON.parse(bodyOf(refused)).error.code).toBe('unavailable');
    await client.sandbox.close();
    expect((await stalled).text).toBe('');
  });

  it('a refused handshake can be cut in half, dripped and padded like any answer', async () => {
    const { client, turnId } = await withTurn('*:half-answer:#4', '*:slow-drip:200ms:#5', '*:oversized:5000:#6');
    const wrong = turnId.replace(/^.{8}/, '00000000');
    const half = await handshake(client, wrong);
    expect(half.text).toMatch(/^HTTP\/1\.1 404 /);
    expect(bodyOf(half)).toHaveLength(Math.floor(announced(half) / 2));
    const dripped = await handshake(client, wrong);
    expect(dripped.lastedMs).toBeGreaterThanOrEqual(200);
    expect([JSON.parse(bodyOf(dripped)).error.code, dripped.ending]).toEqual(['not_found', 'end']);
    expect(bodyOf(await handshake(client, wrong))).toHaveLength(5_000);
  });
});
