import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, stdout } from 'node:process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Comparison } from '../gates/index.ts';
import { readJournalSync } from '../history/index.ts';
import { type RoundsOutcome, runRounds } from '../run/index.ts';
import { loadScenario } from '../scenario/index.ts';
import { optionsOf } from './options.ts';

/*
 * Real interleaved rounds against sandboxes in separate processes, whose answers take 50 ms at the median and 75 ms at the 95th
 * percentile. The candidate is either equal to the base (an alarm is false) or slower by a tenth (no alarm is a miss).
 *
 * node --import jiti/register src/bench/compare-rounds.ts [--comparisons 5] [--rounds 10] [--slowdown 1.1] [--record FILE]
 *
 * --record writes the service times of the base's rounds, for the simulation in src/gates/comparison/simulation.test.ts.
 */

const MEDIAN_MS = 50;
const P95_MS = 75;
/** Reads in a round. */
const READS = 60;

const given = optionsOf('node --import jiti/register src/bench/compare-rounds.ts', {
  comparisons: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '10' },
  slowdown: { type: 'string', default: '1.1' },
  record: { type: 'string' },
});
const [comparisons, rounds, slowdown] = [Number(given.comparisons), Number(given.rounds), Number(given.slowdown)];

interface Served {
  readonly url: string;
  readonly child: ChildProcessByStdio<null, Readable, null>;
}

const credentials = { SPILLWAY_CLIENT_ID: 'bench', SPILLWAY_CLIENT_SECRET: 'bench-secret' };

/** Starts a sandbox without limits whose reads are delayed. @param factor of the delay; 1 for none */
async function serve(seed: number, factor: number, settings: string): Promise<Served> {
  const entry = new URL('../../dist/cli/main.js', import.meta.url).pathname;
  const held = `lognormal:${MEDIAN_MS * factor}ms:${P95_MS * factor}ms`;
  const faults = ['readHistory', 'createConversation'].flatMap((operation) => [
    '--fault',
    `${operation}:latency:${held}`,
  ]);
  const secret = ['--client-id', credentials.SPILLWAY_CLIENT_ID, '--client-secret', credentials.SPILLWAY_CLIENT_SECRET];
  const args = [
    entry,
    'sandbox',
    '--port',
    '0',
    '--json',
    '--config',
    settings,
    '--seed',
    String(seed),
    ...secret,
    ...faults,
  ];
  const child = spawn(execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  for (let waited = 0; !said.includes('\n'); waited += 50) {
    if (waited > 20_000 || child.exitCode !== null) throw new Error('the sandbox did not start');
    await sleep(50);
  }
  return { url: (JSON.parse(said) as { url: string }).url, child };
}

const scenarioText = `name: rounds
profile: { name: sandbox, limits: { rate: { max: 1000000 }, concurrency: { max: 1000 }, daily: { max: 1000000 } } }
users: 4
journeys:
  read:
    steps:
      - createConversation: {}
      - repeat: { times: ${READS / 12}, steps: [{ readHistory: {} }] }
load: { model: constant-rate, rate: 6/s, duration: 2s }
`;

async function compareOnce(folder: string, base: string, candidate: string): Promise<RoundsOutcome> {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, scenarioText);
  return runRounds({
    loaded: await loadScenario(file, { env: credentials }),
    target: base,
    against: { target: candidate },
    rounds,
    out: join(folder, 'rounds'),
    env: { ...process.env, ...credentials },
    commandLine: [],
    terminal: { tell: () => undefined, show: () => undefined, finish: () => undefined },
  });
}

/** Service times of reads, round by round, whole microseconds. */
function serviceTimes(folder: string): number[][] {
  return Array.from({ length: rounds }, (_, index) => {
    const journal = join(folder, 'rounds', `round-${String(index + 1).padStart(3, '0')}`, 'base', 'history.ndjson');
    const times: number[] = [];
    for (const record of readJournalSync(journal)) {
      if (record.kind === 'exchange' && record.operation === 'readHistory' && record.status === 200)
        times.push(record.receivedAt - record.sentAt);
    }
    return times;
  });
}

const told = (comparison: Comparison | undefined): string =>
  (comparison?.candidates[0]?.metrics ?? [])
    .filter(({ metric }) => metric.includes('duration'))
    .map(({ metric, verdict, because }) => `    ${verdict}: ${metric}: ${because}`)
    .join('\n');

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'spillway-rounds-'));
  const settings = join(work, 'settings.yaml');
  writeFileSync(settings, 'limits: { rate: [], concurrency: [], daily: [] }\n');
  const served = await Promise.all([serve(1, 1, settings), serve(2, 1, settings), serve(3, slowdown, settings)]);
  const [base, same, slower] = served;
  const recorded: number[][] = [];
  const counts = { alarms: 0, found: 0 };
  try {
    for (let run = 1; run <= comparisons; run++) {
      for (const [kind, other] of [
        ['the same service', same],
        [`slower by ${Number(((slowdown - 1) * 100).toFixed(1))} %`, slower],
      ] as const) {
        const folder = mkdtempSync(join(work, 'comparison-'));
        const { judged, exitCode } = await compareOnce(folder, base?.url ?? '', other?.url ?? '');
        const { comparison } = judged;
        if (other === same && comparison?.regressed) counts.alarms++;
        if (other === slower && comparison?.regressed) counts.found++;
        recorded.push(...serviceTimes(folder));
        stdout.write(
          `${run}: ${kind}: ${comparison?.regressed ? 'worse' : 'not worse'}, exit code ${exitCode}\n${told(comparison)}\n`,
        );
        rmSync(folder, { recursive: true });
      }
    }
  } finally {
    for (const { child } of served) child.kill('SIGTERM');
    rmSync(work, { recursive: true, force: true });
  }
  if (given.record !== undefined)
    writeFileSync(given.record, `${JSON.stringify(recorded).replaceAll('],[', '],\n[')}\n`);
  stdout.write(
    `alarms ${counts.alarms} of ${comparisons} without a difference; found ${counts.found} of ${comparisons} slowdowns\n`,
  );
}

await main();
