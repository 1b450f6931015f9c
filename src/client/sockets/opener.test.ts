import { afterEach, expect, it, vi } from 'vitest';
import { CLOSED_PORT } from '../../testing/service.ts';
import { targetOf } from '../http/target.ts';
import { answering } from '../transports/raw-server.exam.ts';
import { SocketOpener } from './opener.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('leaves no timer behind when it has connected or could not, so that none keeps the process from ending', async () => {
  const server = await answering('');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const opened = await new SocketOpener(targetOf(server.url), { deadlineMs: 5_000 }).open('request');
  expect([opened, vi.getTimerCount()]).toEqual([expect.objectContaining({ number: 1 }), 0]);
  await server.close();
  const nobody = targetOf(`http://127.0.0.1:${CLOSED_PORT}`);
  const refused = await new SocketOpener(nobody, { deadlineMs: 5_000 }).open('request');
  expect([refused, vi.getTimerCount()]).toEqual([{ failure: 'ECONNREFUSED' }, 0]);
});

it('opens nothing once it is closed, or for a caller who has stopped', async () => {
  const server = await answering('');
  const opener = new SocketOpener(targetOf(server.url), { deadlineMs: 5_000 });
  expect(await opener.open('request', AbortSignal.abort())).toEqual({ failure: 'stopped' });
  opener.close();
  expect(await opener.open('request')).toEqual({ failure: 'stopped' });
  await server.close();
});
