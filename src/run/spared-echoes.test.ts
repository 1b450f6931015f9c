import { describe, expect, it } from 'vitest';
import type { Credentials } from '../api/index.ts';
import { answered } from './answered.exam.ts';
import { echoGuard } from './echo-guard.ts';

const UUID = '6de42c5f-1234-8239-8cd6-bad065b3c338';
const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';
const limits = {
  date: DATE,
  'ratelimit-policy': '"minute";q=20;w=60',
  'x-ratelimit-limit': '15000',
  'x-ratelimit-remaining-minute': '4',
  'retry-after': '3600',
};

const refused = (
  secret: string,
  headers: Readonly<Record<string, string>>,
  { message }: { readonly message?: string } = {},
) => {
  const credentials: Credentials = { kind: 'bearer', token: secret };
  const error = { code: 'rate_limited', message: 'Wait.', retryable: true, request_id: UUID };
  return echoGuard([{ kind: 'basic', clientId: 'client-1', clientSecret: secret }]).reply(
    { operation: 'sendMessage', credentials, body: message === undefined ? undefined : { message } },
    answered(429, { error }, headers),
  );
};

describe('what a refusal is judged by stays', () => {
  it.each(['What do RateLimit-Policy and X-RateLimit-Remaining-Minute mean?', 'Retry-After', `It was ${DATE}`])(
    'where the message is: %s',
    (message) => {
      expect(refused('a-good-long-secret', limits, { message })).toMatchObject({ headers: limits });
    },
  );

  it('but for what a message has in common with a value', () => {
    const headers = { ...limits, 'ratelimit-policy': '"my illness, in private";q=20' };
    expect(refused('a-good-long-secret', headers, { message: 'of my illness, in private' })).toMatchObject({
      headers: { ...limits, 'ratelimit-policy': '"[redacted]";q=20' },
    });
  });
});
