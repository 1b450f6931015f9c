import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentLookup } from './environment.ts';
import { readProfile } from './profile.ts';

function profileWith(name: string, text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'spillway-profile-')), name);
  writeFileSync(file, text);
  return file;
}

const nothingSet = environmentLookup({}, {});

describe('readProfile', () => {
  test('fills in every default', async () => {
    const file = profileWith('p.json', '{"name":"p","limits":{"daily":{"max":3}}}');
    const { profile, problems } = await readProfile(file, nothingSet);
    expect(problems).toEqual([]);
    expect([profile?.name, profile?.limits.daily.max, profile?.limits.rate.window]).toEqual(['p', 3, 60_000]);
  });

  test('reports every problem in the order of the file', async () => {
    const text = 'nam: p\nmaxBodyBytes: 0\ncredentials: { clientId: me, clientSecret: "${env.X}" }\n';
    const { profile, problems } = await readProfile(profileWith('p.yaml', text), nothingSet);
    expect(profile).toBeUndefined();
    expect(problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)).toEqual([
      '1:1 nam: unknown key "nam"',
      '2:15 maxBodyBytes: must be at least 1',
      '3:26 credentials.clientId: must name an environment variable, as ${env.NAME}: secrets must not be in files',
    ]);
  });
});
