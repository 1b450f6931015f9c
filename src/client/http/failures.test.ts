import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failureCodes, failureOf } from './failures.ts';

const context = { remoteEnded: true, received: 0 };
const withCode = (code: string) => Object.assign(new Error('not quoted'), { code });

describe('failureOf', () => {
  it.each([
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    ['ECONNRESET', 'ECONNRESET'],
    ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'no-http2'],
    ['no code', 'closed-before-answer'],
  ])('%s: %s', (code, failure) => {
    expect(failureOf(withCode(code), context)).toBe(failure);
  });
});

it('has the meanings of its words in results/README.md', () => {
  const readme = readFileSync(new URL('../../../results/README.md', import.meta.url), 'utf8');
  const [, table = ''] = readme.split(/<!-- failures: (?:begin|end) -->/);
  const told = [...table.matchAll(/^\| `(.+)` \| (.+) \|$/gm)].map(([, word, meaning]) => [word, meaning]);
  // What `censored` means is said by the outcome; these two say why.
  expect(told.slice(0, 2).map(([word]) => word)).toEqual(['deadline', 'stopped']);
  expect(told.slice(2)).toEqual(Object.entries(failureCodes));
});
