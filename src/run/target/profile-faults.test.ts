import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';

import { profileFaults } from './profile-faults.ts';

const told = (profile: unknown) =>
  profileFaults(profile).map(({ path, message, hint }) => `${path.join('.')}: ${message}; ${hint}`);

describe('names in a profile that only the judge knows', () => {
  it('are its readings, "unknown", the limits and the kinds of findings', () => {
    const known = {
      limits: { rate: { reading: 'fixed-window' }, daily: { reading: 'unknown' } },
      accepted: [
        { violation: 'rate', reason: 'known' },
        { violation: 'replay-refused', reason: 'known' },
      ],
    };
    expect(told(known)).toEqual([]);
  });

  it('are all reported if they are mistyped, or belong to another limit', () => {
    const mistyped = {
      limits: { rate: { reading: 'fixed-windw' }, concurrency: { reading: 'sliding-log' } },
      accepted: [{ violation: 'replay-refusd', reason: 'known' }],
    };
    expect(told(mistyped)).toEqual([
      'limits.rate.reading: "fixed-windw" is not known; did you mean fixed-window?',
      'limits.concurrency.reading: "sliding-log" is not known; write one of accepted-to-finished, processing-only, unknown',
      'accepted.0.violation: "replay-refusd" is not known; did you mean replay-refused?',
    ]);
  });

  it('are asked back where products call two of them by one name', () => {
    expect(told({ limits: { rate: { reading: 'sliding-window' } } })).toEqual([
      'limits.rate.reading: "sliding-window" is not known; write sliding-log if it remembers when each request came, or sliding-counter if it weighs the count of the window before',
    ]);
  });

  it('are not checked if the profile has a wrong shape, which is reported separately', () => {
    for (const shape of [
      undefined,
      null,
      'p',
      [],
      { limits: 1, accepted: {}, client: null },
      { limits: { rate: 'x' } },
    ])
      expect(told(shape)).toEqual([]);
  });
});

describe('a file of certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-ca-'));
  const faultsOf = (name: string, text?: string) => {
    const caFile = join(folder, name);
    if (text !== undefined) writeFileSync(caFile, text);
    return told({ client: { caFile } });
  };

  it('is read before anything is sent', () => {
    expect(faultsOf('right.pem', rootCertificates[0])).toEqual([]);
    expect(faultsOf('absent.pem')[0]).toMatch(/^client\.caFile: cannot be read: no such file; name a PEM file$/);
  });

  it.each([
    ['empty', ''],
    ['another kind of text', 'hello'],
    ['a certificate cut short', (rootCertificates[0] ?? '').slice(0, 200)],
  ])('of %s is reported, because TLS would ignore it', (name, text) => {
    expect(faultsOf(name, text)).toEqual(['client.caFile: holds no certificate in PEM; name a PEM file']);
  });

  it('and its key must match and have the right content', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = { type: 'pkcs8', format: 'pem' } as const;
    const fileOf = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const cert = fileOf('own.pem', rootCertificates[0] ?? '');
    const key = fileOf('other.key', privateKey.export(pem).toString());
    const locked = fileOf(
      'locked.key',
      privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
    );
    expect(told({ client: { certFile: cert, keyFile: key } })).toEqual([
      'client.keyFile: is not the key of the certificate in certFile; name the file of its own key',
    ]);
    expect(told({ client: { certFile: key, keyFile: locked } })).toEqual([
      'client.certFile: holds no certificate in PEM; name a PEM file',
      'client.keyFile: holds no private key in PEM, or one with a passphrase; name a PEM file',
    ]);
  });
});
