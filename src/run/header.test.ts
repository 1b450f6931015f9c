import { expect, it } from 'vitest';
import { loadedFrom } from '../testing/virtual.ts';
import { journalHeader } from './header.ts';

it('tells addresses without the credentials in them', () => {
  const loaded = loadedFrom({
    name: 'proxied',
    profile: { name: 'p', client: { proxy: 'http://puser:pproxysecret@127.0.0.1:9999' } },
    journeys: { a: { steps: [{ issueToken: {} }] } },
    load: { model: 'burst', count: 1 },
  });
  const header = journalHeader(loaded, { runId: 'r', startedAt: '2026-11-25T00:00:00.000Z', embedded: false });
  expect(header.profile).toMatchObject({ client: { proxy: 'http://127.0.0.1:9999' } });
  expect(JSON.stringify(header)).not.toContain('pproxysecret');
});
