import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { type Micros, realClock } from '../../base/index.ts';
import { stopper } from '../interrupts.ts';
import { withWatch } from './watch.ts';

it('cuts nothing off whose answer has come, though the loop stood still beyond the deadline', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [peer] = (await connected) as [Socket];
  const clock = realClock();
  const stopping = stopper();
  const happened: string[] = [];
  const { finish, abort } = stopping.signals;
  client.on('data', () => happened.push('answer'));
  finish.addEventListener('abort', () => happened.push('nothing new starts'));
  const cutOff = once(abort, 'abort').then(() => happened.push('cut off'));
  await withWatch(
    {
      ...{ clock, stopping, live: undefined as never, terminal: {} as never },
      guard: { watch: async () => {} } as never,
      stopsAtUs: (clock.now() + 20_000) as Micros,
      warnings: () => [],
      beside: async () => {},
    },
    async () => {
      peer.write('x');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      await cutOff;
    },
  );
  client.destroy();
  server.close();
  expect(happened).toEqual(['nothing new starts', 'answer', 'cut off']);
  expect(stopping.reason).toBe('deadline');
});
