import { describe, expect, it } from 'vitest';
import { settle } from '../config.ts';
import { startWithUser } from './http-client.exam.ts';

describe('GET /_sandbox/config', () => {
  it('shows the resolved settings without a secret; they resolve to the same settings again', async () => {
    const settings = {
      control: true,
      clockRate: 60,
      limits: {
        rate: [{ max: 5, algorithm: 'gcra' as const, burst: 2, scope: 'user' as const }, { window: '1h' }],
        concurrency: { algorithm: 'lease' as const, ttl: '90s' },
        daily: [],
      },
      applications: [{ label: 'x', clientId: 'known-id', clientSecret: 'known-secret' }, { label: 'y' }],
    };
    const { request, sandbox, token } = await startWithUser(settings);
    const { status, body } = await request('GET', '/_sandbox/config');
    expect(status).toBe(200);
    const shown = JSON.stringify(body);
    const secrets = [token, ...sandbox.applications.flatMap(({ clientId, clientSecret }) => [clientId, clientSecret])];
    for (const secret of secrets) expect(shown).not.toContain(secret);
    const applications = [{ label: 'x' }, { label: 'y' }];
    expect(body).toEqual({ ...settle(settings), applications });
    expect(settle(body)).toEqual({ ...settle(settings), applications });
    expect(body.limits.rate).toMatchObject([
      { name: 'minute', max: 5, window: 60_000, algorithm: 'gcra', burst: 2, scope: 'user' },
      { name: 'window', max: 20, window: 3_600_000, algorithm: 'fixed-window', phase: 0, scope: 'application' },
    ]);
    expect(body.limits.concurrency).toEqual([
      {
        name: 'slots',
        max: 2,
        algorithm: 'lease',
        ttl: 90_000,
        slot: 'accepted-to-finished',
        scope: 'application',
        retryAfter: 'exact',
      },
    ]);
  });

  it('is not there without the control plane', async () => {
    const { request } = await startWithUser();
    expect((await request('GET', '/_sandbox/config')).status).toBe(404);
  });
});
