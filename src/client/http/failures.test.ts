import { describe, expect, it } from 'vitest';
import { failureOf } from './failures.ts';

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
