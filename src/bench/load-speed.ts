import { parseArgs } from 'node:util';
import type { ScenarioInput } from '../scenario/index.ts';
import { rateOf, runOwn } from './load-own.ts';
import { type PeerLoad, peers, type Rate } from './load-peers.ts';
import { startLoadServer } from './load-server.ts';
import { closedLoop, scripted } from './load-workloads.ts';
import { median } from './processes.ts';
import { canPin } from './sandbox-child.ts';

/*
 * How many requests the generator makes of a second of its core, beside each other generator that this machine has: the same
 * server, the same request, each on the same core, in turns. README.md beside this file says how to read it.
 */

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '3' },
    connections: { type: 'string', default: '50' },
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, warmUp] = [Number(given.rounds), Number(given.seconds), Number(given['warm-up'])];
const connections = Number(given.connections);

interface Contender {
  readonly name: string;
  readonly version: string;
  run(load: PeerLoad): Promise<Rate>;
}

const own = (name: string, scenario: (seconds: number, connections: number) => ScenarioInput): Contender => ({
  name,
  version: '',
  async run(load) {
    const run = await runOwn(scenario(load.warmUp + load.seconds, load.connections), load.port);
    const rate = await rateOf(run.journal, load.warmUp);
    run.remove();
    return rate;
  },
});

const CLOSED_LOOP = 'spillway, one operation';
const SCRIPTED = 'spillway, scripted journey';

const ours: readonly Contender[] = [
  own(CLOSED_LOOP, closedLoop),
  own(SCRIPTED, scripted),
  own('spillway over undici, one operation', (length, sockets) => closedLoop(length, sockets, 'undici')),
];

const wanted = ({ name }: { readonly name: string }) =>
  given.only === undefined || given.only.some((part) => name.includes(part));
const here = peers.filter(wanted).flatMap((peer): Contender[] => {
  const version = peer.version();
  return version === undefined ? [] : [{ ...peer, version }];
});
const missing = peers.filter((peer) => peer.version() === undefined);
const contenders = [...ours.filter(wanted), ...here];

const perCpu = ({ requests, cpuSeconds }: Rate) => (cpuSeconds === undefined ? Number.NaN : requests / cpuSeconds);
const perSecond = (rate: Rate) => rate.requests / rate.seconds;

async function measure(): Promise<{ server: string; results: ReadonlyMap<string, readonly Rate[]> }> {
  const server = await startLoadServer();
  const results = new Map<string, Rate[]>(contenders.map(({ name }) => [name, []]));
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const contender of contenders) {
        const rate = await contender.run({ port: server.port, connections, warmUp, seconds });
        results.get(contender.name)?.push(rate);
        const told = `${Math.round(perCpu(rate)).toLocaleString('en')} per CPU second`;
        process.stderr.write(`round ${round} of ${rounds}: ${contender.name}: ${told}\n`);
      }
    }
  } finally {
    await server.close();
  }
  return { server: server.name, results };
}

/** Of the same round only: what else the machine does changes from one to the next. */
function ratio(results: ReadonlyMap<string, readonly Rate[]>, name: string, to: string): number {
  const [mine = [], theirs = []] = [results.get(name), results.get(to)];
  return median(mine.map((rate, round) => perCpu(rate) / perCpu(theirs[round] ?? rate)));
}

const { server, results } = await measure();
const rows = contenders.map(({ name, version }) => {
  const rates = results.get(name) ?? [];
  const values = rates.map(perCpu);
  return {
    name,
    ...(version !== '' && { version }),
    perCpuSecond: Math.round(median(values)),
    lowest: Math.round(Math.min(...values)),
    highest: Math.round(Math.max(...values)),
    perSecond: Math.round(median(rates.map(perSecond))),
    ...(name !== CLOSED_LOOP && results.has(CLOSED_LOOP) && { oneOperation: ratio(results, CLOSED_LOOP, name) }),
    ...(name !== SCRIPTED && results.has(SCRIPTED) && { scriptedJourney: ratio(results, SCRIPTED, name) }),
  };
});
const setting = { server, rounds, seconds, warmUp, connections, pinned: canPin, node: process.version };

function print(): void {
  const count = (value: number) => value.toLocaleString('en');
  const times = (value: number | undefined) => (value === undefined ? '–' : `${value.toFixed(2)} ×`);
  const line = (...[name = '', ...cells]: readonly string[]) =>
    `${name.padEnd(38)}${cells.map((cell) => cell.padStart(20)).join('')}\n`;
  process.stdout.write(line('', 'per CPU second', 'spread', 'per second', 'one operation ÷', 'scripted journey ÷'));
  for (const row of rows) {
    const name = row.version === undefined ? row.name : `${row.name} ${row.version}`;
    const spread = `${count(row.lowest)} – ${count(row.highest)}`;
    const cells = [
      count(row.perCpuSecond),
      spread,
      count(row.perSecond),
      times(row.oneOperation),
      times(row.scriptedJourney),
    ];
    process.stdout.write(line(name, ...cells));
  }
  for (const { name, install } of missing) process.stdout.write(`${name}: not on this machine; ${install}\n`);
  process.stdout.write(`${JSON.stringify(setting)}\n`);
}

if (given.json) process.stdout.write(`${JSON.stringify({ ...setting, rows })}\n`);
else print();
