import { createReadStream } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { median } from 'simple-statistics';
import { isSuccess, type OwnRunOptions, runOwn } from './load/load-own.ts';
import { startLoadServer } from './load/load-server.ts';
import { closedLoop } from './load/load-workloads.ts';
import { optionsOf } from './options.ts';

/*
 * What worker threads gain and cost: one operation in a closed loop, everything recorded, on all cores, interleaved rounds. README.md in
 * this folder explains the results.
 *
 *   npm run bench:workers -- --workers 4
 */

const given = optionsOf('npm run bench:workers --', {
  workers: { type: 'string', default: String(Math.max(2, availableParallelism() - 1)) },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '4' },
  connections: { type: 'string', default: '50' },
});
const WARM_UP_US = 6_000_000;
const workers = Number(given.workers);

const contenders: readonly { readonly name: string; readonly options: OwnRunOptions }[] = [
  { name: 'one worker', options: { isWatched: false, isFree: true } },
  { name: `${workers} workers`, options: { workers, isWatched: false, isFree: true } },
  { name: `${workers} workers, watched`, options: { workers, isWatched: true, isFree: true } },
];

interface Rate {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** The rate between the end of the warm-up and the last health record. */
async function rateOf(journal: string): Promise<Rate> {
  const received: number[] = [];
  let cpuUs = 0;
  let until = 0;
  for await (const line of createInterface({ input: createReadStream(journal) })) {
    if (isSuccess(line)) received.push(Number(/"receivedAt":(\d+)/.exec(line)?.[1]));
    if (!line.startsWith('{"kind":"health"')) continue;
    const health = JSON.parse(line) as { at: number; cpuUs: number };
    if (health.at < WARM_UP_US + 500_000) continue;
    cpuUs += health.cpuUs;
    until = Math.max(until, health.at);
  }
  const requests = received.filter((at) => at >= WARM_UP_US && at < until).length;
  return { perSecond: requests / ((until - WARM_UP_US) / 1e6), perCpuSecond: requests / (cpuUs / 1e6) };
}

const rates = new Map<string, Rate[]>(contenders.map(({ name }) => [name, []]));
const server = await startLoadServer();
try {
  for (let round = 1; round <= Number(given.rounds); round++)
    for (const { name, options } of contenders) {
      const seconds = WARM_UP_US / 1e6 + Number(given.seconds);
      const run = await runOwn(closedLoop(seconds, Number(given.connections)), server.port, options);
      rates.get(name)?.push(await rateOf(run.journal));
      run.remove();
    }
} finally {
  await server.close();
}

const first = rates.get(contenders[0]?.name ?? '') ?? [];
const rounded = (value: number) => Math.round(value).toLocaleString('en').padStart(9);
console.log(`${server.name}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}`);
for (const { name } of contenders) {
  const own = rates.get(name) ?? [];
  const ratio = (of: (rate: Rate) => number) =>
    median(own.map((rate, round) => of(rate) / of(first[round] ?? rate))).toFixed(2);
  console.log(
    `${name.padEnd(22)} ${rounded(median(own.map(({ perSecond }) => perSecond)))}/s (× ${ratio((rate) => rate.perSecond)})` +
      ` ${rounded(median(own.map(({ perCpuSecond }) => perCpuSecond)))} per CPU second (× ${ratio((rate) => rate.perCpuSecond)})`,
  );
}
