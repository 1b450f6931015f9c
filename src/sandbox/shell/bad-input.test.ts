import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fetch } from 'undici';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../api/index.ts';
import { sandboxProcess } from '../../testing/cli.ts';
import type { SandboxSettings } from '../config.ts';
import { basic } from '../core-client.exam.ts';
import { conversation_id, lasting, root } from './http-client.exam.ts';
import type { SandboxProcessReply } from './process-messages.ts';

const MEGABYTE = 1_048_576;
/** A generous bound: the test looks for memory that grows with the input. */
const MOST_GROWTH = 150 * MEGABYTE;

const children: ChildProcess[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const settingsOf: Record<'patient' | 'strict', SandboxSettings> = {
  patient: { latency: { queued: lasting('1h') } },
  strict: { maxConnections: 20, requestTimeout: '1s', latency: { queued: lasting('1ms'), processing: lasting('1ms') } },
};

/** A sandbox in its own process, so that its memory can be measured. */
class Service {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
  #peakBefore = 0;

  constructor(child: ChildProcess, port: number, token: string) {
    this.child = child;
    this.port = port;
    this.token = token;
  }

  /** Two processes shared by all tests, because they start slowly: a patient one with very long turns, and a strict one. */
  static readonly #shared = new Map<'patient' | 'strict', Promise<Service>>();
  static async like(temper: 'patient' | 'strict'): Promise<Service> {
    const service = Service.#shared.get(temper) ?? Service.start(settingsOf[temper]);
    Service.#shared.set(temper, service);
    return (await service).weigh();
  }

  static async start(settings: SandboxSettings): Promise<Service> {
    const child = fork(sandboxProcess, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.push(child);
    child.send({ limits: { rate: { max: 1_000_000 } }, ...settings });
    const [reply] = (await once(child, 'message')) as [SandboxProcessReply];
    if (reply.kind !== 'ready') throw new Error(reply.message);
    const { clientId = '', clientSecret = '' } = reply.applications[0] ?? {};
    const answer = await fetch(`${reply.url}${root}/tokens`, {
      method: 'POST',
      headers: { authorization: basic(clientId, clientSecret), 'content-type': 'application/json' },
      body: '{"external_user_id":"u"}',
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    const service = new Service(child, reply.port, access_token);
    await service.converse('{}');
    return service.weigh();
  }

  /** Starts measuring the growth of memory. */
  weigh(): this {
    this.#peakBefore = this.#peak();
    return this;
  }

  /** Peak memory of the process; current memory if the system does not report the peak. */
  #peak(): number {
    const { pid } = this.child;
    if (existsSync(`/proc/${pid}/status`)) {
      return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
    }
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) * 1_024;
  }

  async converse(body: string | Uint8Array, headers: Record<string, string> = {}) {
    const answer = await fetch(`http://127.0.0.1:${this.port}${root}/conversations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  /** Opens a socket that collects received text in `heard`. */
  async open(): Promise<Peer> {
    const socket = connect(this.port, '127.0.0.1');
    sockets.push(socket);
    const peer = new Peer(socket);
    await once(socket, 'connect');
    return peer;
  }

  /** Asserts that the service still answers and that its memory has not grown with the input. */
  async goesOn(): Promise<void> {
    expect((await this.converse('{}')).status).toBe(201);
    expect(this.child.exitCode).toBeNull();
    expect(this.#peak() - this.#peakBefore).toBeLessThan(MOST_GROWTH);
  }
}

class Peer {
  readonly socket: Socket;
  readonly ended: Promise<void>;
  heard = '';

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1').on('data', (chunk) => {
      this.heard += chunk;
    });
    this.ended = new Promise((resolve) => {
      socket.on('close', () => resolve()).on('error', () => resolve());
    });
  }

  /** Resolves when the other side has ended the connection. @throws Error on timeout */
  async hangsUpWithin(ms: number): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`still open after ${ms} ms; heard ${JSON.stringify(this.heard)}`)), ms);
    });
    await Promise.race([this.ended, late]).finally(() => clearTimeout(timer));
    return this.heard;
  }
}

const head = (service: Service, ...lines: string[]) =>
  [`POST ${root}/conversations HTTP/1.1`, 'host: x', `authorization: Bearer ${service.token}`, ...lines].join('\r\n');

/** The error answer in a received text. */
function errorIn(heard: string): { status: number; code: string } {
  const [first = '', ...rest] = heard.split('\r\n\r\n');
  return {
    status: Number(first.split(' ')[1]),
    code: ErrorEnvelope.parse(JSON.parse(rest.join('\r\n\r\n'))).error.code,
  };
}

describe('bad input', () => {
  it('that is not HTTP is answered in the envelope or hung up on', async () => {
    const service = await Service.like('patient');
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
    const service = await Service.like('patient');
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
    const service = await Service.like('patient');
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

  it('of 10,000 idle connections leaves room for a request, in bounded memory', async () => {
    const service = await Service.like('patient');
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
    const service = await Service.like('strict');
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
    const service = await Service.like('strict');
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
    const service = await Service.like('patient');
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

  it('of invalid UTF-8 is answered 422, 401 or 404', async () => {
    const service = await Service.like('patient');
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
      const service = await Service.like('patient');
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
    const service = await Service.like('patient');
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

  it('of requests without end on one connection, none of whose answers is read, waits', async () => {
    const service = await Service.like('patient');
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

const pause = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

describe('a WebSocket that never reads', () => {
  const start = async (temper: 'patient' | 'strict') => {
    const service = await Service.like(temper);
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
