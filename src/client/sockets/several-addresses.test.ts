import { type ChildProcess, spawn } from 'node:child_process';
import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { targetOf } from '../http/target.ts';
import { SocketOpener } from './opener.ts';

const STANDSTILL_MS = 700;
/** Listens with the shortest queue, and stands still on demand: then connections beyond its queue wait for TCP's next attempt. */
const SLOW_SERVER = `
  const server = require('node:net').createServer((socket) => socket.on('error', () => undefined));
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => process.send(server.address().port));
  process.on('message', () => {
    process.send('stands still', () =>
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${STANDSTILL_MS})));
  });
`;

let child: ChildProcess | undefined;
const fillers: Socket[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const socket of fillers.splice(0)) socket.destroy();
  child?.kill();
});

it('waits for the first of several addresses until TCP has tried it twice, if it accepts late and the other cannot be reached', async () => {
  const port = await slowServer();
  namesResolveTo({ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 });
  const opener = new SocketOpener(targetOf(`http://service.test:${port}`), { deadlineMs: 8_000 });
  await standsStill(port);
  const opened = await opener.open('request');
  expect(opened).toMatchObject({ number: 1, socket: { remoteAddress: '127.0.0.1' } });
  if ('socket' in opened) opened.socket.destroy();
});

async function slowServer(): Promise<number> {
  child = spawn(process.execPath, ['-e', SLOW_SERVER], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [port] = await once(child, 'message');
  return port as number;
}

/** Until no further connection is accepted at once. */
async function standsStill(port: number): Promise<void> {
  child?.send('stand still');
  await once(child as ChildProcess, 'message');
  let isFull = false;
  while (!isFull) {
    const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined);
    fillers.push(socket);
    isFull = !(await Promise.race([once(socket, 'connect').then(() => true), later(100).then(() => false)]));
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function namesResolveTo(...addresses: LookupAddress[]): void {
  const lookup = (_: string, __: unknown, found: (error: null, addresses: LookupAddress[]) => void) =>
    found(null, addresses);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
}
