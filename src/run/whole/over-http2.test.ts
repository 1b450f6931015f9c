import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings) await end();
});

/** A gateway that accepts HTTP/2 with prior knowledge and compresses answers on request. */
async function gateway(url: string) {
  const seen = new Set<string>();
  const server = createServer(async (asked, answered) => {
    seen.add(`${asked.httpVersion} ${asked.headers['accept-encoding']} ${asked.headers['x-api-key']}`);
    const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !name.startsWith(':')));
    const onward = request(`${url}${asked.url}`, { method: asked.method, headers });
    asked.pipe(onward);
    const [incoming] = await once(onward, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    answered.writeHead(incoming.statusCode, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    answered.end(gzipSync(Buffer.concat(chunks)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

it('a run uses HTTP/2, compression and the key of a gateway', { timeout: PATIENCE_MS }, async () => {
  const service = await serveBadly();
  endings.push(() => service.close());
  const { url, seen } = await gateway(service.url);
  const scenario = scenarioFile(`name: over-http2
profile: { client: { transport: http2, compression: true, connections: 2, headers: { x-api-key: "${'${env.KEY}'}" } } }
journeys: { a: { steps: [createConversation: {}, { sendMessage: { message: hello } }, { followTurn: { interval: 10ms } }] } }
users: 2
load: { model: burst, count: 2 }`);
  const folder = join(temporaryFolder(), 'out');
  const env = { ...someCredentials, KEY: 'k-1' };
  const { code, err } = await typed(['run', scenario, '--target', url, '--out', folder, '--quiet'], undefined, env);
  expect(code, err).toBe(0);
  const { exchanges, summary } = resultsIn(folder);
  expect([...seen]).toEqual(['2.0 gzip, deflate, br k-1']);
  expect(new Set(exchanges.map(({ outcome }) => outcome))).toEqual(new Set(['answered']));
  expect(exchanges.length).toBeGreaterThanOrEqual(8);
  expect(summary().turns).toMatchObject({ accepted: 2, completed: 2 });
});
