import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { operationIds, operations } from '../../api/index.ts';
import { type Described, described, document, problemsOf } from './described.exam.ts';
import { startWithUser } from './http-client.exam.ts';

const require = createRequire(import.meta.url);

describe('the contract', () => {
  it('describes every operation with its authentication, parameters and bodies, and valid examples', () => {
    expect(document.openapi).toBe('3.1.0');
    expect([...described.keys()].sort()).toEqual([...operationIds].sort());
    for (const id of operationIds) {
      const { security, parameters = [], requestBody, responses } = described.get(id) as Described;
      expect(security).toEqual([operations[id].auth === 'basic' ? { applicationCredentials: [] } : { userToken: [] }]);
      const inPath = parameters.filter((each) => each.in === 'path').map((each) => `{${each.name}}`);
      expect(inPath).toEqual(operations[id].path.match(/\{\w+\}/g) ?? []);
      const bodies = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
      for (const media of bodies.flatMap((content) => content?.['application/json'] ?? [])) {
        const shown = media.examples
          ? Object.keys(media.examples).map((code) => document.components.examples[code]?.value)
          : [media.example];
        expect(shown.length).toBeGreaterThan(0);
        for (const example of shown) expect(problemsOf(media.schema, example)).toBe('');
      }
      expect(requestBody === undefined).toBe(!('request' in operations[id]));
    }
    expect(
      described
        .get('readHistory')
        ?.parameters?.slice(1)
        .map(({ name, schema }) => [name, schema]),
    ).toEqual([
      ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
      ['offset', { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }],
    ]);
  });

  it('passes the linter without an error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'contract-'));
    try {
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(document));
      const linter = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js');
      const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const run = promisify(execFile)(process.execPath, [linter, 'lint', '--format=json', file], {
        cwd: folder,
        env: { ...process.env, ...quiet },
      });
      const { totals } = JSON.parse((await run).stdout) as { totals: { errors: number; warnings: number } };
      expect([totals.errors, totals.warnings]).toEqual([0, 0]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('/openapi.json and /docs', () => {
  it('need no token, count for no limit, meet no fault and leave no trace', async () => {
    const { sandbox, request } = await startWithUser({
      limits: { rate: { max: 1 } },
      control: true,
      faults: ['*:status-500:#2-9'],
    });
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(`${sandbox.url}/openapi.json`);
      expect([answer.status, await answer.json()]).toEqual([200, document]);
      expect((await fetch(`${sandbox.url}/docs`)).status).toBe(200);
    }
    const { requests, limits } = (await request('GET', '/_sandbox/truth')).body;
    expect([requests, limits.rate]).toEqual([{ issueToken: { 201: 1 } }, { admitted: 0, refused: 0 }]);
  });

  it.each(['../../../package.json', '..%2f..%2fpackage.json', 'nothing.js'])(
    'give nothing but their own files: %s',
    async (path) => {
      const { sandbox } = await startWithUser();
      const { hostname, port } = new URL(sandbox.url);
      // `fetch` would resolve the dots itself.
      const answer = await new Promise<IncomingMessage>((answered, failed) => {
        get({ hostname, port, path: `/docs/static/${path}` }, answered).once('error', failed);
      });
      const body = (await answer.setEncoding('utf8').toArray()).join('');
      expect([answer.statusCode, JSON.parse(body).error.code]).toEqual([404, 'not_found']);
    },
  );

  it('load everything from the sandbox itself', async () => {
    const { sandbox } = await startWithUser();
    const page = await fetch(`${sandbox.url}/docs`);
    expect(page.headers.get('content-type')).toContain('text/html');
    const html = await page.text();
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(parts.length).toBeGreaterThan(4);
    for (const part of parts) {
      expect(part).toMatch(/^\/docs\/static\//);
      expect((await fetch(sandbox.url + part)).status).toBe(200);
    }
    // The policy keeps the browser from loading anything from elsewhere, whatever a script requests.
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
    const initializer = await (await fetch(`${sandbox.url}/docs/static/swagger-initializer.js`)).text();
    expect(initializer).toContain('"validatorUrl":null');
    expect(initializer).toContain('"url":"/openapi.json"');
  });
});
