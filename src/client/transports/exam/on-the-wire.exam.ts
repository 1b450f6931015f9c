import { describe, expect } from 'vitest';
import { answering, jsonAnswer } from '../raw-server.exam.ts';
import { call, type Setting, TOKEN } from './setting.exam.ts';

/** The bytes that are sent: request line, headers, body, and their count. */
export function onTheWireExam(name: string, { test, kept, to, against }: Setting): void {
  describe(`${name}: what goes on the wire`, () => {
    test('method, prefix, encoded path, query and headers', async () => {
      const server = await kept(answering(jsonAnswer({})));
      const transport = await to(`${server.url}/prefix/`);
      const { body: _, ...bodiless } = call({ operation: 'readHistory', query: { limit: 3, offset: 0 } });
      await transport.send(bodiless);
      const [line, ...headers] = server.received().trimEnd().split('\r\n');
      expect(line).toBe('GET /prefix/api/partners/v1/conversations/c%201%2F2/messages?limit=3&offset=0 HTTP/1.1');
      const names = headers.map((header) => header.split(':')[0]?.toLowerCase()).sort();
      expect(names).toEqual(['accept', 'authorization', 'connection', 'host', 'user-agent']);
      expect(headers).toContain(`authorization: Bearer ${TOKEN}`);
      expect(headers).toContain('accept: application/json');
      expect(headers.find((header) => header.startsWith('user-agent'))).toMatch(/^user-agent: spillway\/\d+\.\d+\.\d+/);
      expect(headers).toContain(`host: 127.0.0.1:${server.port}`);
    });

    test('a JSON body with its length in bytes, Basic credentials in UTF-8', async () => {
      const { server, transport } = await against(answering(jsonAnswer({}, '201 Created')));
      const body = { external_user_id: 'zoé' };
      await transport.send(
        call({
          operation: 'issueToken',
          parameters: {},
          body,
          credentials: { kind: 'basic', clientId: 'id', clientSecret: 'sécret' },
        }),
      );
      const wire = server.received();
      expect(wire).toContain('POST /api/partners/v1/tokens HTTP/1.1');
      expect(wire).toContain('content-type: application/json');
      expect(wire).toContain(`content-length: ${Buffer.byteLength(JSON.stringify(body))}`);
      expect(wire).toContain(`authorization: Basic ${Buffer.from('id:sécret').toString('base64')}`);
      expect(Buffer.from(wire.slice(wire.indexOf('\r\n\r\n') + 4), 'latin1').toString('utf8')).toBe(
        JSON.stringify(body),
      );
    });

    test('sends JSON that the caller has written as it is', async () => {
      const { server, transport } = await against(answering(jsonAnswer({}, '201 Created')));
      const body = { client_message_id: 'x', message: 'Grüße, "Welt"' };
      const bodyText = '{"client_message_id":"x", "message":"Gr\\u00fc\\u00dfe, \\"Welt\\""}';
      await transport.send(call({ operation: 'sendMessage', parameters: { conversation_id: 'c' }, body, bodyText }));
      const wire = server.received();
      expect(wire).toContain(`content-length: ${bodyText.length}`);
      expect(wire.slice(wire.indexOf('\r\n\r\n') + 4)).toBe(bodyText);
    });

    test('what every request is to say, the handshake of a stream too', async () => {
      const { server, transport } = await against(answering(jsonAnswer({}, '403 Forbidden')), {
        headers: { 'x-api-key': 'key-1', 'user-agent': 'other/1' },
      });
      await transport.send(call());
      const stream = call({ operation: 'openStream', parameters: { turn_id: 't' } });
      await transport.openStream(stream, { onEvent: () => undefined });
      const heads = server
        .received()
        .toLowerCase()
        .split(/(?=post |get )/);
      expect(heads).toHaveLength(2);
      for (const head of heads) {
        expect(head).toContain('x-api-key: key-1\r\n');
        expect(head.match(/user-agent: .*/g)).toEqual(['user-agent: other/1']);
      }
    });

    test('no Authorization header without credentials', async () => {
      const { server, transport } = await against(answering(jsonAnswer({}, '401 Unauthorized')));
      const reply = await transport.send(call({ credentials: { kind: 'none' } }));
      expect(reply).toMatchObject({ kind: 'answer', status: 401 });
      expect(server.received().toLowerCase()).not.toContain('authorization');
    });

    test('bytes are those of the socket', async () => {
      const answer = jsonAnswer({ text: 'é' });
      const { server, transport } = await against(answering(answer.replaceAll('é', 'Ã©')));
      const first = await transport.send(call());
      const second = await transport.send(call());
      const wire = Buffer.byteLength(answer);
      expect([first.bytes, second.bytes]).toEqual([
        { sent: server.received().length / 2, received: wire },
        { sent: server.received().length / 2, received: wire },
      ]);
    });
  });
}
