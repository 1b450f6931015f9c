import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { basic, CoreClient } from '../core-client.exam.ts';
import { clientOf, hours, only, outcomes } from './limited-client.exam.ts';

describe('a day', () => {
  it('can end at the local midnight of each token, also on the longest day of the year', () => {
    const client = new CoreClient({ limits: only({ daily: { max: 2, day: 'token-timezone' } }), tokenLifetime: '30d' });
    const utc = (text: string) => {
      client.now = (Date.parse(text) * 1_000) as Micros;
      return client;
    };
    const zoned = (timezone: string) =>
      String(
        client.call('issueToken', {
          authorization: basic('one', 'secret-one'),
          json: { external_user_id: 'u1', timezone },
        }).body.access_token,
      );
    utc('2026-10-20T00:00:00Z').token = client.login();
    client.converse();
    const zurich = zoned('Europe/Zurich');
    utc('2026-10-24T22:00:00Z').token = zurich;
    expect(outcomes(3, (i) => client.send(`m${i}`))).toEqual([202, 202, 'daily_quota_exceeded']);
    expect(client.send('m9').headers['retry-after']).toBe(String(25 * 3_600));
    expect(utc('2026-10-25T22:59:59.999Z').send('m3').headers['retry-after']).toBe('1');
    expect(utc('2026-10-25T23:00:00Z').send('m3').status).toBe(202);
  });

  it.each([
    ['first-use', [50, 0, 50], 12],
    ['rolling', [50, 0, 50], 12],
    ['utc', [50, 50, 0], 0],
    // Of a token that names no zone.
    ['token-timezone', [50, 50, 0], 0],
  ] as const)('%s: fifty now, after twelve hours and after twenty-four', (day, expected, hoursLeft) => {
    const client = clientOf({ daily: { day } });
    let number = 0;
    const burst = (hour: number) =>
      Array.from({ length: 51 }, () => client.at(hour * hours).send(`m${number++}`)).filter(
        ({ status }) => status === 202,
      ).length;
    expect([burst(0), burst(12), burst(24)]).toEqual(expected);
    if (hoursLeft > 0) expect(client.at(36 * hours).send('x').headers['retry-after']).toBe(String(hoursLeft * 3_600));
  });
});
