import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runOwn } from './load/load-own.ts';
import { startOwnServer } from './load/load-server.ts';
import { paced } from './load/load-workloads.ts';
import { optionsOf } from './options.ts';
import { end } from './processes.ts';

/*
 * Compares our latencies with those of a service that delays every request by 1 to 200 ms and records its own times. Ours include
 * the way there and back. Exits 1 if p50 or p99 differs by more than 0.5 ms and 1 %.
 *
 *   npm run build && node --import jiti/register src/bench/accuracy.ts
 */

optionsOf('npm run bench:accuracy --', {});

/**
 * Not a divisor of 1,000: the service's timers fire on whole milliseconds. If all requests came at the same fraction of a millisecond,
 * so would all answers, and percentiles would lie in the gaps between.
 */
const PER_SECOND = 487;
const [SECONDS, CONNECTIONS] = [10, 200];
const SHARES = [0.5, 0.9, 0.99, 0.999] as const;
/** The other shares are printed only: few samples lie beyond them, and those depend on what else the machine does. */
const JUDGED: readonly number[] = [0.5, 0.99];

const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
const stamps = join(folder, 'stamps');
const { child, port } = await startOwnServer('../pacing/stamping-server.ts', {
  ...process.env,
  STAMPS: stamps,
  SEED: '7',
});
const run = await runOwn(paced(SECONDS, PER_SECOND, CONNECTIONS), port);
await end(child);

const truth = new Map(
  readFileSync(stamps, 'utf8')
    .split('\n')
    .map((line): [string, number] => [line.slice(0, line.indexOf(' ')), Number(line.slice(line.indexOf(' ') + 1))]),
);
const ours: number[] = [];
const theirs: number[] = [];
for await (const line of createInterface({ input: createReadStream(run.journal) })) {
  if (!line.includes('"operation":"sendMessage"') || !line.startsWith('{"kind":"exchange"')) continue;
  const { message, sentAt, receivedAt } = JSON.parse(line) as {
    message: { id: string };
    sentAt: number;
    receivedAt: number;
  };
  const took = truth.get(message.id);
  if (took === undefined) throw new Error('the service has no record of an exchange');
  ours.push(receivedAt - sentAt);
  theirs.push(took);
}
run.remove();
rmSync(folder, { recursive: true });

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
const ms = (us: number) => `${(us / 1_000).toFixed(3)} ms`;
console.log(`load average ${loadavg()[0]?.toFixed(1)}; ${ours.length} requests at ${PER_SECOND} a second`);
for (const share of SHARES) {
  const [measured, true_] = [quantile(ours, share), quantile(theirs, share)];
  const isClose = Math.abs(measured - true_) <= Math.max(500, true_ * 0.01);
  if (JUDGED.includes(share) && !isClose) process.exitCode = 1;
  console.log(
    `p${share * 100}: measured ${ms(measured)}, the service's own ${ms(true_)}, ${ms(measured - true_)} apart`,
  );
}
const apart = ours.map((took, index) => took - (theirs[index] ?? 0));
console.log(
  `of one request: p50 ${ms(quantile(apart, 0.5))}, p99 ${ms(quantile(apart, 0.99))}, least ${ms(Math.min(...apart))}`,
);
