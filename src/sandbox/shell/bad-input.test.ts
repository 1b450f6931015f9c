import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../api/index.ts';
import { root } from './http-client.exam.ts';
import { errorIn, head, separateSandboxes } from './separate-sandbox.exam.ts';

const { like } = separateSandboxes();

describe('bad input', () => {
  it('that is not HTTP is answered in the envelope or hung up on', async () => {
    const service = await like('patient');
    const post = `POST ${root}/tokens HTTP/1.1\r\nhost: x\r\n`;
    const garbage: [string, number | undefined][] = [
      ['HELLO\r\n\r\n', 400],
      ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 400],
      ['GET / HTTP/9.9\r\nhost: x\r\n\r\n', 400],
      ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
      ['BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nhost: x\r\nbad header: \u0000\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n', 400],
      [`${post}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
      [`${post}content-length: 5\r\ncontent-length: 6\r\n\r\nhello!`, 400],
      [`${post}content-length: -1\r\n\r\n`, 400],
      [`${post}content-length: 1e3\r\n\r\n`, 400],
      [`${post}transfer-encoding: gzip, chunked, x\r\n\r\n`, 400],
      [`${post}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400],
      [`${post}transfer-encoding: chunked\r\n\r\nffffffffffffffffffff\r\n`, 400],
      [`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
      [`GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(10_000)}\r\n`, 431],
      ['CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n', 404],
    ];
    for (const [text, status] of garbage) {
      const peer = await service.open();
      peer.socket.write(text, 'latin1');
      const heard = await peer.hangsUpWithin(15_000);
      expect([text.slice(0, 60), errorIn(heard).status]).toEqual([text.slice(0, 60), status]);
    }
    await service.goesOn();
  });

  it('behind requests that are whole is answered after them, and behind half of one instead of it', async () => {
    const service = await like('patient');
    const create = `${head(service, 'content-type: application/json', 'content-length: 2')}\r\n\r\n{}`;
    const half = `${head(service, 'content-type: application/json', 'transfer-encoding: chunked')}\r\n\r\nzz\r\n`;
    const last = `${head(service, 'content-type: application/json', 'content-length: 2', 'connection: close')}\r\n\r\n{}`;
    const statusesOf = async (...pieces: string[]) => {
      const peer = await service.open();
      for (const piece of pieces) peer.socket.write(piece, 'latin1');
      const heard = await peer.hangsUpWithin(15_000);
      return [...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    };
    expect(await statusesOf(`${create}GARBAGE\r\n\r\n`)).toEqual([201, 400]);
    expect(await statusesOf(`${create}${create}GARBAGE\r\n\r\n`, 'MORE', 'AND MORE')).toEqual([201, 201, 400]);
    expect(await statusesOf(`${create}${half}`)).toEqual([201, 400]);
    expect(await statusesOf(`${last}GARBAGE\r\n\r\n`)).toEqual([201]);
    await service.goesOn();
  });

  it('of random bytes does no harm', async () => {
    const service = await like('patient');
    let state = 1;
    const next = () => (state = (state * 48_271) % 2_147_483_647);
    for (let i = 0; i < 200; i++) {
      const peer = await service.open();
      peer.socket
        .on('error', () => undefined)
        .end(Buffer.from(Array.from({ length: next() % 200 }, () => next() % 256)));
      await peer.hangsUpWithin(15_000);
    }
    await service.goesOn();
  });

  it('of invalid UTF-8 is answered 422, 401 or 404', async () => {
    const service = await like('patient');
    const wrong = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe, 0xc3, 0x28]), Buffer.from('"}')]);
    const overlong = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]);
    for (const bytes of [wrong, overlong]) expect((await service.converse(bytes)).status).toBe(422);
    const lines: [string, ...number[]][] = [
      [`GET ${root}/turns/%ff%fe HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.token}\r\n`, 422],
      // The parser of Node 20.19.0 lets the bytes through, those of later versions do not.
      [`GET ${root}/turns/\u00ff\u00fe HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.token}\r\n`, 400, 422],
      [`GET ${root}/turns/x?a=%ff HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.token}\r\n`, 422],
      [`GET ${root}/turns/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \u00ff\u00fe\r\n`, 401],
      [`POST ${root}/tokens HTTP/1.1\r\nhost: x\r\nauthorization: Basic //79/Q==\r\n`, 401],
    ];
    for (const [line, ...statuses] of lines) {
      const peer = await service.open();
      peer.socket.write(`${line}connection: close\r\n\r\n`, 'latin1');
      expect(statuses, line.slice(0, 40)).toContain(errorIn(await peer.hangsUpWithin(15_000)).status);
    }
    await service.goesOn();
  });

  it.each([
    ['gzip', '{}', 422],
    ['gzip', gzipSync('{}'), 422],
    ['identity', '{}', 201],
  ])(
    'of a body whose encoding is told to be %s is answered by whether that can be read',
    async (encoding, body, status) => {
      const service = await like('patient');
      const answer = await service.converse(body, { 'content-encoding': encoding });
      expect(answer.status).toBe(status);
      if (status === 422)
        expect(ErrorEnvelope.parse(answer.body).error).toMatchObject({
          code: 'invalid_request',
          message: 'content-encoding: must be identity, or absent',
        });
    },
  );

  it('of deep or odd JSON is answered 422, and takes no time', async () => {
    const service = await like('patient');
    const deep = (open: string, close: string, inside: string) => {
      const depth = Math.floor(60_000 / (open.length + close.length));
      return open.repeat(depth) + inside + close.repeat(depth);
    };
    const odd = [
      '['.repeat(65_000),
      deep('[', ']', ''),
      deep('{"a":', '}', '1'),
      `{"title":${deep('[', ']', '')}}`,
      `{"title":${deep('{"title":', '}', '"x"')}}`,
      '{"title":1e999}',
      '{"__proto__":{"title":"x"}}',
      '{"constructor":{"prototype":{}}}',
      '{"title":"x"}{"title":"y"}',
      `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
      'null',
      '"x"',
      '\ufeff',
    ];
    const began = performance.now();
    for (const text of odd) {
      const { status, body } = await service.converse(text);
      expect([text.slice(0, 30), status]).toEqual([text.slice(0, 30), 422]);
      expect(JSON.stringify(body).length).toBeLessThan(1_500);
    }
    expect(performance.now() - began).toBeLessThan(15_000);
    // A lone surrogate is a JSON string like any other, and comes back as one.
    expect(await service.converse('{"title":"\\ud800"}')).toMatchObject({ status: 201, body: { title: '\ud800' } });
    await service.goesOn();
  });
});
