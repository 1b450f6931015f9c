import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import type { SandboxSettings } from '../sandbox/index.ts';
import { optionsOf, selected } from './options.ts';
import { canPin, GENERATOR_CORE, pinSelf } from './processes.ts';
import { type SandboxChild, startChild } from './sandbox/sandbox-child.ts';
import { type Conversation, closedLoop } from './sandbox/sandbox-loop.ts';
import { journeys, polls } from './sandbox/sandbox-traffic.ts';

/*
 * Requests per second that the sandbox answers on one core over real sockets, with limits that are on but admit. README.md in this
 * folder explains the options and the results.
 */

const WARM_UP_SECONDS = 2;

const high = 60_000_000;
const limits = { rate: { max: high }, concurrency: { max: high }, daily: { max: high } };
const lasting = (value: string) => ({ distribution: 'constant', value }) as const;
const instantly = { queued: lasting('1us'), processing: lasting('1us') };

interface Workload {
  readonly settings: SandboxSettings;
  readonly conversation: (credentials: string) => Conversation;
  /** Whether the sandbox has a store in a file. Default false. */
  readonly isKept?: boolean;
  /** Requests per second that one core has to serve. */
  readonly goal?: number;
}
const workloads: Readonly<Record<string, Workload>> = {
  'readTurn, in process': {
    settings: { limits, latency: { queued: lasting('1ms'), processing: lasting('10h') }, tokenLifetime: '1d' },
    conversation: (credentials) => polls(credentials),
    goal: 15_000,
  },
  'readTurn, completed': {
    settings: { limits, latency: instantly, tokenLifetime: '1d' },
    conversation: (credentials) => polls(credentials),
    goal: 15_000,
  },
  'readTurn, refused': {
    // The conversation and the message of each user are admitted; polls are refused.
    settings: { limits: { ...limits, rate: { max: 2, window: '1d', scope: 'user' } }, tokenLifetime: '1d' },
    conversation: (credentials) => polls(credentials, 429),
    goal: 15_000,
  },
  'readTurn, three limits': {
    settings: {
      limits: {
        ...limits,
        rate: [
          { max: high, algorithm: 'token-bucket', scope: 'token' },
          { max: 10_000, window: '100ms', algorithm: 'sliding-log', scope: 'user' },
          { max: high, algorithm: 'sliding-counter' },
        ],
      },
      latency: instantly,
      tokenLifetime: '1d',
    },
    conversation: (credentials) => polls(credentials),
    goal: 15_000,
  },
  journey: { settings: { limits, latency: instantly }, conversation: journeys, goal: 6_000 },
  'journey, kept in a file': { settings: { limits, latency: instantly }, conversation: journeys, isKept: true },
};

interface Round {
  readonly perSecond: number;
  readonly perCpuSecond: number | undefined;
}

const given = optionsOf('npm run bench:sandbox --', {
  entry: { type: 'string', multiple: true },
  rounds: { type: 'string', default: '9' },
  seconds: { type: 'string', default: '2' },
  connections: { type: 'string', default: '32' },
  only: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
});
const entries = given.entry ?? [createRequire(import.meta.url).resolve('#sandbox-process')];
const [rounds, seconds, connections] = [Number(given.rounds), Number(given.seconds), Number(given.connections)];

async function measureRound(child: SandboxChild, workload: Workload, lasts: number): Promise<Round> {
  const conversations = Array.from({ length: connections }, () => workload.conversation(child.credentials));
  const cpuBefore = child.cpuSeconds();
  const count = await closedLoop(child.port, lasts, conversations);
  const cpuAfter = child.cpuSeconds();
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    perSecond: count.answers / count.seconds,
    perCpuSecond: cpu === undefined ? undefined : count.answers / cpu,
  };
}

/** Rounds of the entries are interleaved, so that other load on the machine affects all of them. */
async function measure({ settings, ...workload }: Workload): Promise<readonly (readonly Round[])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const start = (entry: string, index: number) =>
    startChild(entry, { ...settings, ...(workload.isKept && { store: join(folder, `${index}`) }) });
  const children = await Promise.all(entries.map(start));
  try {
    for (const child of children) await measureRound(child, { settings, ...workload }, WARM_UP_SECONDS);
    const results: Round[][] = children.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [index, child] of children.entries()) {
        results[index]?.push(await measureRound(child, { settings, ...workload }, seconds));
      }
    }
    return results;
  } finally {
    await Promise.all(children.map((child) => child.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf(name: string, entry: string, { goal }: Workload, results: readonly Round[]) {
  const perSecond = results.map((round) => round.perSecond);
  const perCpu = results.flatMap((round) => round.perCpuSecond ?? []);
  return {
    workload: name,
    entry,
    perSecond: Math.round(median(perSecond)),
    lowest: Math.round(Math.min(...perSecond)),
    highest: Math.round(Math.max(...perSecond)),
    ...(perCpu.length > 0 && { perCpuSecond: Math.round(median(perCpu)) }),
    ...(goal !== undefined && { goal }),
  };
}
type Row = ReturnType<typeof rowOf>;

function print(row: Row): void {
  const count = (value: number | undefined) => (value === undefined ? '–' : value.toLocaleString('en')).padStart(7);
  const spread = `(${count(row.lowest).trim()} to ${count(row.highest).trim()})`;
  process.stdout.write(
    `${row.workload.padEnd(24)} ${count(row.perSecond)}/s ${spread.padEnd(20)} ${count(row.perCpuSecond)} per CPU second  goal ${count(row.goal)}  ${row.entry}\n`,
  );
}

pinSelf(GENERATOR_CORE);
const rows: Row[] = [];
const named = Object.entries(workloads).map(([name, workload]) => ({ name, workload }));
for (const { name, workload } of selected(named, given.only)) {
  const results = await measure(workload);
  for (const [index, entry] of entries.entries()) {
    const row = rowOf(name, entry, workload, results[index] ?? []);
    rows.push(row);
    if (!given.json) print(row);
  }
}
const setting = { rounds, seconds, connections, pinned: canPin };
process.stdout.write(given.json ? `${JSON.stringify({ ...setting, rows })}\n` : `${JSON.stringify(setting)}\n`);
