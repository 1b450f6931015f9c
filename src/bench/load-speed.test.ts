import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { isWhole } from '../testing/share.ts';
import { nginxVersion } from './load/load-server.ts';
import { type LoadTable, markdownOf, rowsOf, textOf } from './load/load-table.ts';

const entry = fileURLToPath(new URL('load-speed.ts', import.meta.url));

const ways = nginxVersion() === undefined ? ['TCP'] : ['TCP', 'TLS'];

it.runIf(isWhole).each(ways)(
  'runs: ours and a peer, against the same server, in one table, over %s',
  async (way) => {
    const only = ['--only', 'spillway, one', '--only', 'autocannon', ...(way === 'TLS' ? ['--tls'] : [])];
    const args = ['--import', 'jiti/register', entry, '--quick', '--json', ...only];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { rows, failed, missing, rounds, seconds } = JSON.parse(stdout) as LoadTable;
    expect(failed).toEqual({});
    expect([rounds, seconds]).toEqual([1, 1]);
    expect(rows.map(({ name }) => name)).toEqual(['spillway, one operation', 'autocannon']);
    for (const { perSecond } of rows) expect(perSecond).toBeGreaterThan(100);
    expect(rows[0]?.oneOperation).toBeUndefined();
    expect(rows[1]?.version).toMatch(/^\d+\./);
    for (const { name, install } of missing) expect(install, name).toMatch(/install/);
  },
  120_000,
);

it.each([
  ['autocannon', '--tls needs nginx, which is not installed; apt-get install nginx\n'],
  ['http2', /^no name contains http2; there are: spillway, one operation; .*undici, one operation; bare sockets/],
])('over TLS, says what there is not: %s', async (name, said) => {
  const args = ['--import', 'jiti/register', entry, '--quick', '--tls', '--only', name];
  const done = promisify(execFile)(process.execPath, args, { env: { ...process.env, PATH: '' } });
  await expect(done).rejects.toMatchObject({ code: 104, stdout: '', stderr: expect.stringMatching(said) });
});

const rate = (perCpuSecond: number) => ({ requests: perCpuSecond, seconds: 2, cpuSeconds: 1 });
const contenders = [
  { name: 'spillway, one operation', version: '' },
  { name: 'wrk', version: '4.1.0' },
  { name: 'hey', version: 'installed' },
  { name: 'artillery', version: '2.0' },
];

it('compares within rounds: a slow round is slow for every tool in it', () => {
  const rows = rowsOf(
    contenders,
    new Map([
      ['spillway, one operation', [rate(600), rate(60), rate(900)]],
      ['wrk', [rate(1_000), rate(100), rate(1_000)]],
      ['hey', [{ requests: 10, seconds: 2, cpuSeconds: undefined }]],
      ['artillery', [{ requests: 10, seconds: undefined, cpuSeconds: undefined }]],
    ]),
  );
  expect(rows).toEqual([
    {
      name: 'spillway, one operation',
      version: '',
      perCpuSecond: { median: 600, lowest: 60, highest: 900 },
      perSecond: 300,
    },
    {
      name: 'wrk',
      version: '4.1.0',
      perCpuSecond: { median: 1_000, lowest: 100, highest: 1_000 },
      perSecond: 500,
      oneOperation: 0.6,
    },
    { name: 'hey', version: 'installed', perSecond: 5 },
    { name: 'artillery', version: '2.0' },
  ]);
  const table: LoadTable = {
    ...{ server: 'nginx 1.22.1', rounds: 3, seconds: 2, warmUp: 1, connections: 50, pinned: true, node: 'v20.20.2' },
    loadAverage: [0.1, 2],
    rows,
    missing: [{ name: 'oha', install: 'cargo install oha' }],
    failed: { k6: 'it ended with 1' },
  };
  expect(textOf(table)).toContain('Node v20.20.2, load average 0.1 to 2.0\n');
  expect(textOf(table)).toContain('\nwrk 4.1.0                             1,000         100 – 1,000');
  expect(textOf({ ...table, rounds: 1 })).toContain(', 1 round of 2 s each');
  expect(markdownOf(table)).toContain('| wrk 4.1.0 | 1,000 | 100 – 1,000 | 500 | 0.60 × | – |');
  expect(markdownOf(table)).toContain('- oha: not on this machine; cargo install oha\n- k6: failed; it ended with 1\n');
});
