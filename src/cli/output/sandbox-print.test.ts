import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { type SandboxSettings, settle } from '../../sandbox/index.ts';
import { describeSandbox } from './sandbox-print.ts';

/** What is printed between the settings and the examples. */
function told(
  applications: SandboxSettings['applications'],
  shown: readonly { label: string; clientId: string; clientSecret: string }[],
  restored: readonly string[] = [],
): readonly string[] {
  const sandbox = {
    url: 'http://127.0.0.1:8080',
    port: 8_080,
    applications: shown,
    restored,
    clock: { monotonicUs: 0 as Micros, serviceUs: 0 as Micros, rate: 1 },
    begin: () => sandbox.clock,
    close: async () => undefined,
  };
  const lines = describeSandbox(sandbox, settle({ applications })).split('\n');
  return lines.slice(lines.indexOf('') + 1, lines.indexOf('Try it:') - 1);
}

describe('the credentials that spillway sandbox prints', () => {
  it('are those of every application, because nothing shows them again', () => {
    const made = [
      { label: 'x', clientId: 'client_1', clientSecret: 'secret-one' },
      { label: 'y', clientId: 'client_2', clientSecret: 'secret-two' },
    ];
    expect(told([{ label: 'x' }, { label: 'y' }, { label: 'z' }], made, ['z'])).toEqual([
      'Credentials of x, printed only once:',
      "  export SPILLWAY_CLIENT_ID='client_1'",
      "  export SPILLWAY_CLIENT_SECRET='secret-one'",
      'Credentials of y, printed only once:',
      "  export SPILLWAY_CLIENT_ID='client_2'",
      "  export SPILLWAY_CLIENT_SECRET='secret-two'",
      'Credentials of z: those printed when the store was created.',
    ]);
  });

  it('do not repeat a secret that was given, by a switch or in a file', () => {
    const given = { label: 'a1', clientId: "o'neil", clientSecret: 'my-own-secret' };
    expect(told([given], [given])).toEqual([
      'Credentials, printed only once:',
      "  export SPILLWAY_CLIENT_ID='o'\\''neil'",
      '  export SPILLWAY_CLIENT_SECRET=…   # as given',
    ]);
  });
});
