import { loadavg } from 'node:os';
import type { ScenarioInput } from '../scenario/index.ts';
import { rateOf, runOwn } from './load/load-own.ts';
import { peers } from './load/load-peers.ts';
import { nginxVersion, startLoadServer } from './load/load-server.ts';
import { type LoadTable, markdownOf, rowsOf, textOf } from './load/load-table.ts';
import { closedLoop, scripted } from './load/load-workloads.ts';
import type { PeerLoad, Rate } from './load/peer.ts';
import { mistake, optionsOf, selected } from './options.ts';
import { canPin } from './processes.ts';
import { replaceInReadme } from './readme.ts';

/*
 * Requests per CPU second of Spillway and of every other installed generator: same server, same request, same core, interleaved
 * rounds. README.md in this folder explains the results.
 */

const given = optionsOf('npm run bench --', {
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string' },
  'warm-up': { type: 'string', default: '6' },
  connections: { type: 'string', default: '50' },
  only: { type: 'string', multiple: true },
  tls: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
});

interface Contender {
  readonly name: string;
  readonly version: string;
  run(load: PeerLoad): Promise<Rate>;
}

const own = (
  name: string,
  scenario: (seconds: number, connections: number) => ScenarioInput,
  portOf = ({ port }: PeerLoad) => port,
): Contender => ({
  name,
  version: '',
  async run(load) {
    const run = await runOwn(scenario(load.warmUp + load.seconds, load.connections), portOf(load), { ca: load.ca });
    try {
      return await rateOf(run.journal, load.warmUp);
    } finally {
      run.remove();
    }
  },
});

const OVER_HTTP2 = 'spillway over http2, one operation';

const ours: readonly Contender[] = [
  own('spillway, one operation', closedLoop),
  own('spillway, scripted journey', scripted),
  own('spillway, journey of half as many users again', (length, sockets) =>
    scripted(length, sockets, Math.round(sockets * 1.5)),
  ),
  own('spillway over undici, one operation', (length, sockets) => closedLoop(length, sockets, 'undici')),
  own(
    OVER_HTTP2,
    (length, sockets) => closedLoop(length, sockets, 'http2'),
    ({ port, http2Port = port }) => http2Port,
  ),
];

const found = peers.map((peer) => ({ ...peer, version: peer.version() }));
const here = found.flatMap((peer): Contender[] =>
  peer.version === undefined ? [] : [{ ...peer, version: peer.version }],
);
const missing = found.filter(({ version }) => version === undefined);
/** Over TLS, the server does not speak HTTP/2. */
const possible = [...ours, ...here].filter(({ name }) => !given.tls || name !== OVER_HTTP2);
const contenders = selected(possible, given.only);
if (given.tls && nginxVersion() === undefined)
  mistake('--tls needs nginx, which is not installed; apt-get install nginx');

/** Time of all rounds together, so that the benchmark stays below eight minutes. Starting a contender takes about a second. */
const MOST_SECONDS = 480;
const STARTING_SECONDS = 1.3;

function settings() {
  const rounds = given.quick ? 1 : Number(given.rounds);
  const warmUp = given.quick ? 1 : Number(given['warm-up']);
  const room = Math.floor(MOST_SECONDS / (rounds * contenders.length) - warmUp - STARTING_SECONDS);
  const seconds = given.quick ? 1 : Number(given.seconds ?? Math.max(1, Math.min(4, room)));
  return { rounds, warmUp, seconds, connections: Number(given.connections) };
}

async function measure(): Promise<LoadTable> {
  const { rounds, ...load } = settings();
  const server = await startLoadServer(given.tls);
  const running = contenders.filter(({ name }) => name !== OVER_HTTP2 || server.http2Port !== undefined);
  const results = new Map<string, Rate[]>(contenders.map(({ name }) => [name, []]));
  const failed = new Map<string, string>();
  const [before = 0] = loadavg();
  try {
    for (let round = 1; round <= rounds; round++)
      for (const { name, run } of running) {
        if (failed.has(name)) continue;
        try {
          const rate = await run({ ...server, ...load });
          results.get(name)?.push(rate);
          const told = `${Math.round(rate.requests / (rate.cpuSeconds ?? Number.NaN)).toLocaleString('en')} per CPU second`;
          process.stderr.write(`round ${round} of ${rounds}: ${name}: ${told}\n`);
        } catch (error) {
          failed.set(name, (error as Error).message);
          process.stderr.write(`round ${round} of ${rounds}: ${name} failed: ${(error as Error).message}\n`);
        }
      }
  } finally {
    await server.close();
  }
  const measured = running.filter(({ name }) => !failed.has(name));
  const name = `${server.name}${given.tls ? ' over TLS' : ''}`;
  const setting = { server: name, rounds, ...load, pinned: canPin, node: process.version };
  const [after = 0] = loadavg();
  const absent = missing.map(({ name, install }) => ({ name, install }));
  return {
    ...setting,
    loadAverage: [before, after],
    rows: rowsOf(measured, results),
    missing: absent,
    failed: Object.fromEntries(failed),
  };
}

const table = await measure();
process.stdout.write(given.json ? `${JSON.stringify(table)}\n` : textOf(table));
if (given.quick) process.stderr.write('--quick shows that everything runs; it is too short to compare speeds\n');
if (given.write) replaceInReadme(`npm run bench --${given.tls ? ' --tls' : ''}`, markdownOf(table));
if (Object.keys(table.failed).some((name) => name.startsWith('spillway'))) process.exitCode = 1;
