import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/index.ts';
import { temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { type Answering, answer, serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

/*
 * A rate limit that a gateway keeps: its refusals are pages, and no error of the service. Whose they are, only the profile knows.
 */

const scenario = (errorCodes: string) => `name: gateway
profile:
  limits:
    rate: { max: 5, window: 60s, reading: fixed-window-anchored, scope: application, countsReplays: true }
  errorCodes: ${errorCodes}
  exclusive: true
  flushed: { rate: true, concurrency: true, daily: true }
journeys:
  read: { onRefused: continue, steps: [createConversation: {}, { burst: { of: readHistory, count: 8 } }] }
load: { model: burst, count: 1 }
`;

const refusing =
  (body: string | Buffer, headers: Readonly<Record<string, string>>, status = 429): Answering =>
  ({ response }) =>
    void response.writeHead(status, headers).end(body);
const page = refusing('<h1>429 Too Many Requests</h1>', { 'content-type': 'text/html' });

/** Runs against a service behind a gateway that lets `admits` requests pass, and refuses all others, with a page by default. */
async function run(admits: number, errorCodes: string, refuse = page) {
  let passed = 0;
  const behind =
    (pass: Answering): Answering =>
    (asked) =>
      passed++ < admits ? pass(asked) : refuse(asked);
  const read = behind((asked) => answer(asked, 200, { messages: [] }));
  const service = await serveBadly({ readHistory: read });
  const folder = temporaryFolder();
  const path = join(folder, 'scenario.yaml');
  writeFileSync(path, scenario(errorCodes));
  const args = ['run', path, '--target', service.url, '--out', join(folder, 'out')];
  const { code, out } = await typed(args, undefined, someCredentials);
  await service.close();
  return { code, out, ...resultsIn(join(folder, 'out')) };
}

const rateOf = (out: string) => /^rate: .*\n(?: .*\n)+/m.exec(out)?.[0];
const pagesIn = (exchanges: readonly Exchange[]) => exchanges.filter(({ outcome }) => outcome === 'refused');

describe("a gateway's 429 without an error code", () => {
  it('is evidence of the limit that the profile names', async () => {
    const { code, out, exchanges, rows } = await run(3, '{ otherBodies: rate }');
    expect(code).toBe(0);
    expect(out).toContain('429s          5 of 10 exchanges (50 %): rate 5, concurrency 0, daily 0\n');
    expect(rateOf(out)).toContain(
      'rate: consistent\n  6 readings explain it: a fixed window of 5 per 60 s per application',
    );
    expect(pagesIn(exchanges).map(({ status, bodyProblem, error }) => ({ status, bodyProblem, error }))).toEqual(
      Array.from({ length: 5 }, () => ({ status: 429 })),
    );
    expect(rows('requests.csv').filter(({ limit }) => limit === 'rate')).toHaveLength(5);
  });

  it('is proven wrong there if it comes too early', async () => {
    const { code, out } = await run(1, '{ otherBodies: rate }');
    expect(code).toBe(10);
    expect(rateOf(out)).toContain('rate: violated');
  });

  it.each([
    ['a code that the profile does not know, of an intermediary', 'wrong-shape', '{"error":{"code":"blocked"}}', {}],
    ['a code in bytes that are not UTF-8', 'not-utf8', Buffer.from('{"error":{"code":"límite"}}', 'latin1'), {}],
    ['a coding that is unknown', 'content-coding', '{"error":{"code":"blocked"}}', { 'content-encoding': 'zstd' }],
  ])('is not one whose body has %s', async (_, bodyProblem, body, headers) => {
    const refuse = refusing(body, { 'content-type': 'application/json', ...headers });
    const { code, out, exchanges, rows } = await run(1, '{ otherBodies: rate }', refuse);
    expect(code).toBe(0);
    expect(out).toContain('rate 0, concurrency 0, daily 0, naming no limit 7\n');
    expect(rateOf(out)).toContain('rate: undecided');
    expect(out).toContain('refusals: 7 (ambiguous 7); 7 of them without a code that names a limit');
    expect(rateOf(out)).toMatch(/so an intermediary may have sent them$/m);
    expect(pagesIn(exchanges).map((one) => one.bodyProblem)).toEqual(Array.from({ length: 7 }, () => bodyProblem));
    expect(rows('requests.csv').filter(({ limit }) => limit !== '')).toEqual([]);
  });

  it('is by the limit whose code it has, although its body has nothing else', async () => {
    const refuse = refusing('{"error":{"code":"quota"}}', { 'content-type': 'application/json' });
    const { code, out } = await run(1, '{ otherBodies: rate, rate: [quota] }', refuse);
    expect(code).toBe(10);
    expect(rateOf(out)).toContain('rate: violated');
  });

  it('proves nothing otherwise, and the verdict says what to write', async () => {
    const { code, out, exchanges } = await run(1, '{}');
    expect(code).toBe(0);
    expect(out).toContain('rate 0, concurrency 0, daily 0, naming no limit 7\n');
    expect(rateOf(out)).toContain(
      'so an intermediary may have sent them (where the rate limit has such bodies, write errorCodes: { otherBodies: rate } in the profile and run again)',
    );
    expect(pagesIn(exchanges).map(({ bodyProblem }) => bodyProblem)).toEqual(
      Array.from({ length: 7 }, () => 'wrong-content-type'),
    );
  });
});

describe("a gateway's 503", () => {
  const html = { 'content-type': 'text/html' };
  const unavailable = refusing('<h1>503 Service Temporarily Unavailable</h1>', html, 503);
  const declared = '{ otherBodies: rate, otherStatuses: [503] }';

  it('is a refusal like a 429 if the profile says so and of which limit, and is not called one', async () => {
    const { code, out, exchanges, rows, folder } = await run(3, declared, unavailable);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('|  | count | refused | errors |');
    expect(out).toContain('refused       5 of 10 exchanges (50 %): rate 5, concurrency 0, daily 0\n');
    expect(out).toMatch(/count +ok +429\+ +err/);
    expect(out).not.toContain('429s');
    expect(rateOf(out)).toContain('rate: consistent\n');
    expect(pagesIn(exchanges).map(({ status, bodyProblem }) => ({ status, bodyProblem }))).toEqual(
      Array.from({ length: 5 }, () => ({ status: 503 })),
    );
    expect(rows('requests.csv').filter(({ limit, status }) => limit === 'rate' && status === '503')).toHaveLength(5);
  });

  it('is proven wrong there if it comes too early', async () => {
    const { code, out } = await run(1, declared, unavailable);
    expect(code).toBe(10);
    expect(rateOf(out)).toContain('rate: violated');
  });

  it.each([
    ['is not declared', '{ otherBodies: rate }', unavailable],
    ['names no limit', '{ otherStatuses: [503] }', unavailable],
    ['has another status', '{ otherBodies: rate, otherStatuses: [509] }', unavailable],
    [
      'has another code',
      declared,
      refusing('{"error":{"code":"unavailable"}}', { 'content-type': 'application/json' }, 503),
    ],
    [
      'cannot be decoded',
      declared,
      refusing('{}', { 'content-type': 'application/json', 'content-encoding': 'zstd' }, 503),
    ],
  ])('is an error that proves nothing if it %s', async (_, errorCodes, refuse) => {
    const { code, out, exchanges } = await run(1, errorCodes, refuse);
    expect(code).toBe(0);
    expect(out).toContain('429s          0 of 10 exchanges (0 %): rate 0, concurrency 0, daily 0\n');
    expect(rateOf(out)).toContain('rate: undecided');
    expect(pagesIn(exchanges)).toEqual([]);
    expect(exchanges.filter(({ status, outcome }) => status === 503 && outcome === 'answered')).toHaveLength(7);
  });

  it('is by the limit whose code it has, without a statement about bodies', async () => {
    const id = '8b1b4a62-3c9c-4f5b-9a0e-0f6d0d8d2d11';
    const body = JSON.stringify({ error: { code: 'quota', message: '', retryable: true, request_id: id } });
    const refuse = refusing(body, { 'content-type': 'application/json' }, 503);
    const { code, out } = await run(1, '{ rate: [quota], otherStatuses: [503] }', refuse);
    expect(code).toBe(10);
    expect(rateOf(out)).toContain('rate: violated');
  });
});
