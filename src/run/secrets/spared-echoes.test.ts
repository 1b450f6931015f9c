import { describe, expect, it } from 'vitest';
import type { Credentials } from '../../api/index.ts';
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
  { requestId = UUID, message }: { readonly requestId?: string; readonly message?: string } = {},
) => {
  const credentials: Credentials = { kind: 'bearer', token: secret };
  const error = { code: 'rate_limited', message: 'Wait.', retryable: true, request_id: requestId };
  return echoGuard([{ kind: 'basic', clientId: 'client-1', clientSecret: secret }]).reply(
    { operation: 'sendMessage', credentials, body: message === undefined ? undefined : { message } },
    answered(429, { error }, headers),
  );
};

describe('headers about limits are kept', () => {
  it.each(['What do RateLimit-Policy and X-RateLimit-Remaining-Minute mean?', 'Retry-After', `It was ${DATE}`])(
    'where the message is: %s',
    (message) => {
      expect(refused('a-good-long-secret', limits, { message })).toMatchObject({ headers: limits });
    },
  );

  it('except for a value’s part that is also in the message', () => {
    const headers = { ...limits, 'ratelimit-policy': '"my illness, in private";q=20' };
    expect(refused('a-good-long-secret', headers, { message: 'of my illness, in private' })).toMatchObject({
      headers: { ...limits, 'ratelimit-policy': '"[redacted]";q=20' },
    });
  });

  it.each(['1234', '2026', '5000', '2026 12'])('if a short secret is part of them by chance: %s', (secret) => {
    expect(refused(secret, limits)).toMatchObject({ headers: limits, body: { error: { request_id: UUID } } });
  });

  it('in dates of Retry-After', () => {
    expect(refused('2026', { 'retry-after': DATE })).toMatchObject({ headers: { 'retry-after': DATE } });
  });

  it.each([
    ['a number', '3600', { 'retry-after': '3600' }, { 'retry-after': '[redacted]' }],
    ['a number in a list', '5000', { ratelimit: 'r=5000;t=15000' }, { ratelimit: 'r=[redacted];t=15000' }],
    ['a name', 'minute', { ratelimit: '"minute";r=1' }, { ratelimit: '"[redacted]";r=1' }],
    ['most of a number', '17637120', { 'x-ratelimit-reset': '1763712000' }, { 'x-ratelimit-reset': '[redacted]00' }],
    ['beside a number', 'a123', { 'x-ratelimit-limit': 'a1234' }, { 'x-ratelimit-limit': '[redacted]4' }],
    ['in a date that is none', '2026', { date: 'in 2026' }, { date: 'in [redacted]' }],
    ['in a number of another header', '5000', { 'x-ratelimit-key': '15000' }, { 'x-ratelimit-key': '1[redacted]' }],
  ])('but never a value that is the whole secret: %s', (_, secret, headers, clean) => {
    expect(refused(secret, headers)).toMatchObject({ headers: clean });
  });

  it('except for a secret that is a UUID, or contains a large part of one', () => {
    const idIn = (secret: string) => refused(secret, {}, { requestId: UUID });
    expect(idIn(UUID)).toMatchObject({ body: { error: { request_id: '[redacted]' } } });
    expect(idIn(UUID.slice(0, 8))).toMatchObject({
      body: { error: { request_id: '[redacted]-1234-8239-8cd6-bad065b3c338' } },
    });
  });
});
