import { type ChildProcess, spawn } from 'node:child_process';
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
import type { ScenarioInput } from '../../scenario/index.ts';
import { end, GENERATOR_CORE, pinned, trusting } from '../processes.ts';
import { originOf } from './load-server.ts';

/** The compiled code, as users run it. */
const built = new URL('../../../dist/testing/built.js', import.meta.url).href;

/** Does what `spillway run` does, without terminal output and cost forecast. */
const script = `
  const { loadScenario, runScenario } = await import(${JSON.stringify(built)});
  const [file, target, out, workers, watched] = process.argv.slice(1);
  const env = { ...process.env, SPILLWAY_CLIENT_ID: 'bench', SPILLWAY_CLIENT_SECRET: 'bench-secret' };
  const loaded = await loadScenario(file, { env, variables: {} });
  const terminal = { tell: (text) => process.stderr.write(text + '\\n'), finish() {}, ...(watched === 'true' && { show() {} }) };
  await runScenario({ loaded, target, out, env, commandLine: [], terminal, workers: Number(workers) });
`;

export interface OwnRunOptions {
  /** Default 1. */
  readonly workers?: number;
  /** Whether a live view is computed (and discarded). Default true. */
  readonly isWatched?: boolean;
  /** Whether it may use every core. Default false: one core. */
  readonly isFree?: boolean;
  /** File with the authority of the server's certificate. Default: the server does not speak TLS. */
  readonly ca?: string | undefined;
}

export interface OwnRun {
  readonly journal: string;
  /** Resident memory of the process, one sample per second, in bytes. */
  readonly memory: readonly number[];
  /** Removes the files of the run. */
  remove(): void;
}

/**
 * Runs a scenario with Spillway until the last record of its journal is written. Reports and verdicts are not part of the load, so the
 * process is then killed.
 */
export async function runOwn(
  scenario: ScenarioInput,
  port: number,
  { workers = 1, isWatched = true, isFree = false, ca }: OwnRunOptions = {},
): Promise<OwnRun> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const file = join(folder, 'scenario.json');
  const out = join(folder, 'out');
  writeFileSync(file, JSON.stringify(scenario));
  const target = originOf({ port, ...(ca !== undefined && { ca }) });
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
  const env = { ...process.env, ...trusting(ca) };
  const child = spawn(run, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  const journal = join(out, 'history.ndjson');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    return { journal, memory: await memoryUntilEnd(child, journal), remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    await end(child, 'SIGKILL');
  }
}

/** Waits for the last record. @returns the resident memory each second @throws Error if the process ends before */
async function memoryUntilEnd(child: ChildProcess, journal: string): Promise<readonly number[]> {
  const memory: number[] = [];
  for (let ticks = 1; !hasEnded(journal); ticks++) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the run ended with ${child.exitCode ?? child.signalCode} before its last record`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (ticks % 10 === 0) memory.push(residentBytes(child.pid));
  }
  return memory;
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

/** Resident memory from field 2 of /proc/PID/statm, in pages of 4 KiB; 0 without /proc. */
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

/** Answers like those of the other generators, which count successes only. */
export const isSuccess = (line: string): boolean =>
  line.startsWith('{"kind":"exchange"') && line.includes('"outcome":"answered","status":2');

/** The rate of a run after its warm-up, from successes and CPU times between health records. */
export async function rateOf(journal: string, warmUpSeconds: number): Promise<OwnRate> {
  const rate = { requests: 0, seconds: 0, cpuSeconds: 0 };
  let since = 0;
  let from = 0;
  for await (const line of createInterface({ input: createReadStream(journal) })) {
    if (isSuccess(line)) since++;
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
