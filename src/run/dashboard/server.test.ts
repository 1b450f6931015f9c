import { connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { type LiveServer, serveLive } from './server.ts';

const opened: LiveServer[] = [];
const serve = async () => {
  const page = { text: '<!doctype html>', policy: "default-src 'none'" };
  const server = await serveLive({ port: 0, run: 'this', page, first: () => 'so far', metrics: async () => '# EOF\n' });
  opened.push(server);
  return server;
};
afterEach(() => Promise.all(opened.splice(0).map((server) => server.end('over'))));

/** A page that has asked for the events. @returns the status of the answer, and how to go away */
async function watch({ url }: LiveServer): Promise<{ readonly status: number; readonly leave: () => void }> {
  const page = new AbortController();
  const { status } = await fetch(`${url}events?run=this`, { signal: page.signal });
  return { status, leave: () => page.abort() };
}

it('tells sixteen pages at once, and another as soon as one of them has gone', async () => {
  const server = await serve();
  const pages = await Promise.all(Array.from({ length: 16 }, () => watch(server)));
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await watch(server)).status).toBe(503);
  expect(server.clients).toBe(16);
  pages[3]?.leave();
  await vi.waitFor(() => expect(server.clients).toBe(15));
  expect((await watch(server)).status).toBe(200);
});

it('disconnects a page that does not read, once more than 16 MB wait for it', async () => {
  const server = await serve();
  const { hostname, port, host } = new URL(server.url);
  const page = connect(Number(port), hostname).pause();
  page.on('error', () => undefined);
  page.write(`GET /events?run=this HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await vi.waitFor(() => expect(server.clients).toBe(1));
  server.tell('x'.repeat(12_000_000));
  server.tell('x'.repeat(12_000_000));
  expect(server.clients).toBe(1);
  server.tell('x'.repeat(12_000_000));
  server.tell('one more');
  await vi.waitFor(() => expect(server.clients).toBe(0));
  page.destroy();
});
