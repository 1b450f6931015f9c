import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { fetch } from 'undici';
import { afterEach, expect } from 'vitest';
import { ErrorEnvelope } from '../../api/index.ts';
import { sandboxProcess } from '../../testing/cli.ts';
import { afterThisFile } from '../../testing/leftovers.ts';
import type { SandboxSettings } from '../config.ts';
import { basic } from '../core-client.exam.ts';
import { lasting, root } from './http-client.exam.ts';
import type { SandboxProcessReply } from './process-messages.ts';

export const MEGABYTE = 1_048_576;
/** A generous bound: the tests look for memory that grows with the input. */
const MOST_GROWTH = 150 * MEGABYTE;

type Temper = 'patient' | 'strict';

const settingsOf: Record<Temper, SandboxSettings> = {
  patient: { latency: { queued: lasting('1h') } },
  strict: { maxConnections: 20, requestTimeout: '1s', latency: { queued: lasting('1ms'), processing: lasting('1ms') } },
};

/** A sandbox in its own process, so that its memory can be measured. */
export class Service {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
  readonly #sockets: Socket[];
  #peakBefore = 0;

  private constructor(child: ChildProcess, port: number, token: string, sockets: Socket[]) {
    this.child = child;
    this.port = port;
    this.token = token;
    this.#sockets = sockets;
  }

  /** @param sockets opened ones are added to them */
  static async start(settings: SandboxSettings, sockets: Socket[]): Promise<Service> {
    const child = fork(sandboxProcess, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    afterThisFile(() => void child.kill('SIGKILL'));
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
    const service = new Service(child, reply.port, access_token, sockets);
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
    this.#sockets.push(socket);
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

/**
 * Two processes shared by all tests of a file, because they start slowly: a patient one with very long turns, and a strict one. Sockets
 * are destroyed after the test that opened them. Call it once per file.
 */
export function separateSandboxes() {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  const shared = new Map<Temper, Promise<Service>>();
  const like = async (temper: Temper): Promise<Service> => {
    const service = shared.get(temper) ?? Service.start(settingsOf[temper], sockets);
    shared.set(temper, service);
    return (await service).weigh();
  };
  return { sockets, like };
}

/** The head of a request that creates a conversation, with these lines. */
export const head = (service: Service, ...lines: string[]) =>
  [`POST ${root}/conversations HTTP/1.1`, 'host: x', `authorization: Bearer ${service.token}`, ...lines].join('\r\n');

/** The error answer in a received text. */
export function errorIn(heard: string): { status: number; code: string } {
  const [first = '', ...rest] = heard.split('\r\n\r\n');
  return {
    status: Number(first.split(' ')[1]),
    code: ErrorEnvelope.parse(JSON.parse(rest.join('\r\n\r\n'))).error.code,
  };
}
