import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnServer } from './load/load-server.ts';
import { optionsOf, selected } from './options.ts';
import { type Pacer, pacers } from './pacing/pacers.ts';
import { type PacingRow, pacingMarkdown, pacingText } from './pacing/pacing-table.ts';
import { type SeenPace, seenPace } from './pacing/seen-pace.ts';
import { end } from './processes.ts';
import { replaceInReadme } from './readme.ts';

/*
 * How evenly each installed generator sends at a given rate, as seen by the service: same service, same request, same core,
 * interleaved rounds. README.md in this folder explains the results.
 */

const given = optionsOf('npm run bench:pacing-peers --', {
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '4' },
  'warm-up': { type: 'string', default: '6' },
  connections: { type: 'string', default: '50' },
  rate: { type: 'string', multiple: true, default: ['1000', '10000'] },
  only: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
});
const [rounds, seconds, warmUp, connections] = [
  Number(given.rounds),
  Number(given.seconds),
  Number(given['warm-up']),
  Number(given.connections),
];

async function paceOf(pacer: Pacer, rate: number): Promise<SeenPace> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const stamps = join(folder, 'stamps');
  try {
    const { child, port } = await startOwnServer('../pacing/arrival-server.ts', { ...process.env, STAMPS: stamps });
    try {
      await pacer.send({ port, connections, rate, seconds: warmUp + seconds });
    } finally {
      await end(child);
    }
    const seen = seenPace(readFileSync(stamps, 'utf8').split('\n').map(Number), rate, warmUp * 1e6);
    if (!seen) throw new Error('no requests arrived after the warm-up');
    return seen;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const here = selected(
  pacers.filter(({ version }) => version !== undefined),
  given.only,
);
const rows: PacingRow[] = [];
const before = loadavg()[0] ?? 0;
for (const rate of given.rate.map(Number)) {
  const asked = here.filter(({ highestRate = Number.POSITIVE_INFINITY }) => rate <= highestRate);
  const seen = new Map<Pacer, SeenPace[]>(asked.map((pacer) => [pacer, []]));
  const failed = new Map<Pacer, string>();
  for (let round = 1; round <= rounds; round++)
    for (const pacer of asked) {
      if (failed.has(pacer)) continue;
      try {
        const pace = await paceOf(pacer, rate);
        seen.get(pacer)?.push(pace);
        process.stderr.write(
          `round ${round} of ${rounds}, ${rate}/s: ${pacer.name}: p99 ${Math.round(pace.lagP99Us)} µs late\n`,
        );
      } catch (error) {
        failed.set(pacer, (error as Error).message);
      }
    }
  for (const [{ name, version = '' }, paces] of seen) rows.push({ rate, name, version, paces });
  for (const [{ name }, why] of failed) process.stderr.write(`${name} failed: ${why}\n`);
}
const setting =
  `A service of our own on one core, the generator on another, ${connections} connections, ${rounds} rounds of ${seconds} s each after ${warmUp} s of warming up, ` +
  `Node ${process.version}, load average ${before.toFixed(1)} to ${loadavg()[0]?.toFixed(1)}`;
const missing = pacers.filter(({ version }) => version === undefined);
const table = { setting, rows, missing: missing.map(({ name, install }) => ({ name, install })) };
if (given.json) process.stdout.write(`${JSON.stringify(table)}\n`);
else process.stdout.write(pacingText(table));
if (given.write) replaceInReadme('npm run bench:pacing-peers --', pacingMarkdown(table));
