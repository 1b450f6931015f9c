import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../api/index.ts';
import { conversation_id, root, startWithUser } from './http-client.exam.ts';
import { startCold } from './start.ts';

describe('the control plane', () => {
  it('revokes by token, by user and by application', async () => {
    const { request, token, login } = await startWithUser({ control: true });
    const [second, third] = [await login('u1'), await login('u2')];
    const statuses = async () => {
      const answers = [token, second, third].map((each) =>
        request('POST', `${root}/conversations`, {}, { authorization: `Bearer ${each}` }),
      );
      return (await Promise.all(answers)).map((answer) => answer.status);
    };
    expect((await request('POST', '/_sandbox/revoke', { token })).body).toEqual({ revoked: 1 });
    expect(await statuses()).toEqual([401, 201, 201]);
    expect((await request('POST', '/_sandbox/revoke', { user: 'u1', application: 'a1' })).body).toEqual({ revoked: 1 });
    expect(await statuses()).toEqual([401, 401, 201]);
    expect((await request('POST', '/_sandbox/revoke', { application: 'a1' })).body).toEqual({ revoked: 1 });
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  it.each([
    ['evil.example', 403],
    ['evil.example:8080', 403],
    ['127.0.0.1.evil.example', 403],
    ['LOCALHOST:8080', 200],
    ['[::1]:8080', 200],
    ['127.0.0.1', 200],
  ])('asked under the name %s it answers %i', async (host, status) => {
    const { sandbox } = await startWithUser({ control: true });
    const seen = await new Promise<number | undefined>((answered, failed) => {
      request(`${sandbox.url}/_sandbox/truth`, { headers: { host } }, (answer) => {
        answer.resume();
        answered(answer.statusCode);
      })
        .once('error', failed)
        .end();
    });
    expect(seen).toBe(status);
  });

  it.each([
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://127.0.0.1' }, 403],
    [{ origin: 'https://127.0.0.1:PORT' }, 403],
    [{ origin: 'http://127.0.0.1:PORT' }, 200],
    [{}, 200],
  ] as const)('a page that says %j of itself may revoke and move the clock: %i', async (said, status) => {
    const { request, token, sandbox } = await startWithUser({ control: true, clock: 'manual' });
    const headers = Object.fromEntries(
      Object.entries(said).map(([name, value]) => [name, value.replace('PORT', String(sandbox.port))]),
    );
    // What needs no leave of the server: a form's own content type.
    const simple = { ...headers, 'content-type': 'text/plain' };
    const before = (await request('GET', '/_sandbox/clock')).body.service_us;
    expect((await request('POST', '/_sandbox/clock', '{"advance":"1s"}', simple)).status).toBe(status);
    expect((await request('GET', '/_sandbox/clock')).body.service_us - before).toBe(status === 200 ? 1_000_000 : 0);
    expect((await request('POST', '/_sandbox/revoke', '{"application":"a1"}', simple)).status).toBe(status);
    const seen = await request('POST', `${root}/conversations`, {}, { authorization: `Bearer ${token}` });
    expect(seen.status).toBe(status === 200 ? 401 : 201);
  });

  it.each([undefined, {}, { tokens: [] }, '{', { token: '' }])('refuses to revoke %j', async (json) => {
    const { request } = await startWithUser({ control: true });
    const answer = await request('POST', '/_sandbox/revoke', json);
    expect(answer.status).toBe(422);
    expect(ErrorEnvelope.parse(answer.body).error.message).toContain('must be {"token"');
  });

  it('tells the truth about requests, limits and turns, and no secret', async () => {
    const { request, token, sandbox } = await startWithUser({ control: true });
    await request('POST', `${root}/conversations`, { conversation_id });
    const messages = `${root}/conversations/${conversation_id}/messages`;
    const sent = await request('POST', messages, { client_message_id: 'm1', message: 'a private matter' });
    await request('POST', messages, { client_message_id: 'm1', message: 'a private matter' });
    await request('GET', '/nowhere');
    const { body } = await request('GET', '/_sandbox/truth');
    expect(body.requests).toEqual({
      issueToken: { 201: 1 },
      createConversation: { 201: 1 },
      sendMessage: { 202: 2 },
      unknown: { 404: 1 },
    });
    expect(body.limits).toEqual({
      rate: { admitted: 3, refused: 0 },
      concurrency: { admitted: 1, refused: 0 },
      daily: { admitted: 1, refused: 0 },
    });
    expect(body.tokens).toEqual({ issued: 1, good: 1 });
    expect(body.turns).toHaveLength(1);
    expect(body.turns[0]).toMatchObject({
      turnId: sent.body.turn_id,
      application: 'a1',
      user: 'u1',
      clientMessageId: 'm1',
      replays: 1,
    });
    expect(body.turns[0].acceptedAt).toBeLessThan(body.turns[0].finishedAt);
    type Decided = { readonly operation?: string; readonly status: number; readonly code?: string };
    expect(body.decisions.map(({ operation, status, code }: Decided) => [operation, status, code])).toEqual([
      ['issueToken', 201, undefined],
      ['createConversation', 201, undefined],
      ['sendMessage', 202, undefined],
      ['sendMessage', 202, undefined],
      [undefined, 404, 'not_found'],
    ]);
    expect(body.decisions[1]).toMatchObject({ application: 'a1', user: 'u1', token: 't1' });
    const text = JSON.stringify(body);
    for (const secret of [
      token,
      sandbox.applications[0]?.clientSecret ?? '',
      sandbox.applications[0]?.clientId ?? '',
      'private',
    ]) {
      expect(secret.length).toBeGreaterThan(5);
      expect(text).not.toContain(secret);
    }
  });

  it('is not there unless asked for, and refuses an address that others can reach', async () => {
    const { request } = await startWithUser();
    for (const [method, path] of [
      ['GET', '/_sandbox/truth'],
      ['POST', '/_sandbox/revoke'],
    ] as const) {
      expect((await request(method, path)).status).toBe(404);
    }
    await expect(startCold({ control: true, host: '0.0.0.0' })).rejects.toThrow('needs a loopback host');
  });

  it('says which port is taken', async () => {
    const { sandbox } = await startWithUser();
    await expect(startCold({ port: sandbox.port })).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining(`port ${sandbox.port} on 127.0.0.1 is in use`),
    });
  });

  it('says that an address cannot be listened on, of whichever kind', async () => {
    for (const [host, problem] of [
      ['fe80::1', /fe80::1 is not an address to listen on|fe80::1 is not an address of this machine/],
      ['192.0.2.1', /192\.0\.2\.1 is not an address of this machine/],
    ] as const) {
      await expect(startCold({ host })).rejects.toMatchObject({
        code: 'INVALID_CONFIGURATION',
        message: expect.stringMatching(problem),
      });
    }
  });
});
