import { spawn } from 'node:child_process';
import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ScenarioInput } from '../scenario/index.ts';
import { end, GENERATOR_CORE, pinned } from './processes.ts';

/** Compiled, as users run it. */
const built = new URL('../../dist/testing/built.js', import.meta.url).href;

/** A run as `spillway run` makes it, without the terminal and without the price beforehand. */
const script = `
  const { loadScenario, runScenario } = await import(${JSON.stringify(built)});
  const [file, target, out, workers, watched] = process.argv.slice(1);
  const env = { ...process.env, SPILLWAY_CLIENT_ID: 'bench', SPILLWAY_CLIENT_SECRET: 'bench-secret' };
  const loaded = await loadScenario(file, { env, variables: {} });
  const terminal = { tell: (text) => process.stderr.write(text + '\\n'), finish() {}, ...(watched === 'true' && { show() {} }) };
  await runScenario({ loaded, target, out, env, commandLine: [], terminal, workers: Number(workers) });
`;

/** How a run is made where it is not made in one thread, on one core, and shown. */
export interface OwnRunOptions {
  readonly workers?: number;
  /** Whether a live view is made, though nobody sees it. */
  readonly isWatched?: boolean;
  /** Whether it may use every core. */
  readonly isFree?: boolean;
}

export interface OwnRun {
  readonly journal: string;
  /** Resident memory of the process by second, in bytes. */
  readonly memory: readonly number[];
  /** Removes what the run wrote. */
  remove(): void;
}

/**
 * Runs a scenario with the product itself, on one core unless it may use all, until its last record is written. What comes after (reports, verdicts)
 * is no part of the load and is cut off.
 */
export async function runOwn(
  scenario: ScenarioInput,
  port: number,
  { workers = 1, isWatched = true, isFree = false }: OwnRunOptions = {},
): Promise<OwnRun> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const file = join(folder, 'scenario.json');
  const out = join(folder, 'out');
  writeFileSync(file, JSON.stringify(scenario));
  const target = `http://127.0.0.1:${port}`;
  const command = [
    process.execPath,
    '--input-type=module',
    '-e',
    script,
    file,
    target,
    out,
    `${workers}`,
    `${isWatched}`,
  ];
  const [program = '', ...rest] = command;
  const [run, args] = isFree ? [program, rest] : pinned(GENERATOR_CORE, command);
  const child = spawn(run, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const journal = join(out, 'history.ndjson');
  const memory: number[] = [];
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    for (let ticks = 1; !hasEnded(journal); ticks++) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the run ended with ${child.exitCode ?? child.signalCode} before its last record`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (ticks % 10 === 0) memory.push(residentBytes(child.pid));
    }
  } catch (error) {
    remove();
    throw error;
  } finally {
    await end(child, 'SIGKILL');
  }
  return { journal, memory, remove };
}

const TAIL_BYTES = 400;

function hasEnded(journal: string): boolean {
  if (!existsSync(journal)) return false;
  const fd = openSync(journal, 'r');
  try {
    const { size } = fstatSync(fd);
    const tail = Buffer.alloc(Math.min(TAIL_BYTES, size));
    readSync(fd, tail, 0, tail.length, size - tail.length);
    return tail.includes('{"kind":"end"');
  } finally {
    closeSync(fd);
  }
}

/** Field 2 of /proc/PID/statm, in pages of 4 KiB; 0 where there is none. */
function residentBytes(pid: number | undefined): number {
  try {
    const fd = openSync(`/proc/${pid}/statm`, 'r');
    const text = Buffer.alloc(100);
    readSync(fd, text, 0, 100, 0);
    closeSync(fd);
    return Number(text.toString('latin1').split(' ')[1]) * 4_096;
  } catch {
    return 0;
  }
}

export interface OwnRate {
  readonly requests: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** What a run reached after its first seconds: exchanges between health records, which tell the CPU time between them. */
export async function rateOf(journal: string, warmUpSeconds: number): Promise<OwnRate> {
  const rate = { requests: 0, seconds: 0, cpuSeconds: 0 };
  let since = 0;
  let from = 0;
  for await (const line of createInterface({ input: createReadStream(journal) })) {
    if (line.startsWith('{"kind":"exchange"')) since++;
    if (!line.startsWith('{"kind":"health"')) continue;
    const { at, cpuUs } = JSON.parse(line) as { at: number; cpuUs: number };
    if (from >= warmUpSeconds * 1e6 - 1e5) {
      rate.requests += since;
      rate.seconds += (at - from) / 1e6;
      rate.cpuSeconds += cpuUs / 1e6;
    }
    [since, from] = [0, at];
  }
  return rate;
}
