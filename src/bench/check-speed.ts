import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';
import type { checkJournal as CheckJournal } from '../check/index.ts';
import { writeJournal } from './judge/check-journal.ts';
import { optionsOf } from './options.ts';

/*
 * Time and memory of the judge for a large journal. The time is given as a multiple of JSON.parse of all lines (elapsed and CPU), and
 * of a program that reads the file and only parses its lines. Every measurement runs in its own process, so that none inherits a heap;
 * rounds are interleaved.
 * Runs the compiled code: npm run bench:check
 */

const GOAL = 3;
const MEGA = 1_048_576;

const given = optionsOf('npm run bench:check --', {
  exchanges: { type: 'string', default: '1000000' },
  rounds: { type: 'string', default: '3' },
  reading: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  /** For the child processes. */
  measure: { type: 'string' },
  path: { type: 'string' },
});

interface Measured {
  /** CPU seconds of the whole process during the work, including garbage collection. */
  readonly cpu: number;
  readonly seconds: number;
  /** Elapsed seconds of the whole work. */
  readonly wholeSeconds: number;
  /** Peak memory of the process minus its memory before the work. */
  readonly megabytes: number;
}

type Took = Pick<Measured, 'cpu' | 'seconds'>;

/** @param work returns the time to report, or undefined for all of its time */
function measured(work: () => Took | undefined): Measured {
  const before = process.memoryUsage.rss();
  const start = { cpu: process.cpuUsage(), at: performance.now() };
  const inside = work();
  const { user, system } = process.cpuUsage(start.cpu);
  const all = { cpu: (user + system) / 1e6, seconds: (performance.now() - start.at) / 1_000 };
  return {
    ...(inside ?? all),
    wholeSeconds: all.seconds,
    megabytes: (process.resourceUsage().maxRSS * 1_024 - before) / MEGA,
  };
}

/** Parses every line. The returned time is that of JSON.parse only, without reading and splitting. */
function parseLines(path: string): Took {
  const fd = openSync(path, 'r');
  // The size that the judge uses; larger pieces make reading and splitting slower.
  const chunk = Buffer.allocUnsafe(MEGA / 16);
  let rest = '';
  const took = { cpu: 0, seconds: 0 };
  for (let size = readSync(fd, chunk); size > 0; size = readSync(fd, chunk)) {
    const lines = (rest + chunk.toString('latin1', 0, size)).split('\n');
    rest = lines.pop() ?? '';
    const [before, at] = [process.cpuUsage(), performance.now()];
    for (const line of lines) JSON.parse(line);
    const { user, system } = process.cpuUsage(before);
    took.cpu += (user + system) / 1e6;
    took.seconds += (performance.now() - at) / 1_000;
  }
  closeSync(fd);
  return took;
}

function runChild(measure: string, path: string): Measured {
  const self = fileURLToPath(import.meta.url);
  const command = [...process.execArgv, self, '--measure', measure, '--path', path];
  return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' })) as Measured;
}

const least = (all: readonly Took[]) => Math.min(...all.map(({ seconds }) => seconds));

function bench(): void {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const exchanges = Number(given.exchanges);
  const rows = [];
  try {
    for (const reading of given.reading ?? ['fixed-window', 'sliding-log', 'unknown']) {
      const path = join(folder, `${reading}.ndjson`);
      const bytes = writeJournal({ path, exchanges, reading, seed: 1 });
      const rounds = Array.from({ length: Number(given.rounds) }, () => ({
        parse: runChild('parse', path),
        check: runChild('check', path),
      }));
      const check = rounds.map((round) => round.check);
      const row = {
        reading,
        exchanges,
        megabytesOfJournal: Math.round(bytes / MEGA),
        parseSeconds: median(rounds.map(({ parse }) => parse.seconds)),
        checkSeconds: median(check.map(({ seconds }) => seconds)),
        ratio: median(rounds.map((round) => round.check.seconds / round.parse.seconds)),
        // The shortest time is least affected by other load on the host.
        ratioOfLeast: least(check) / least(rounds.map(({ parse }) => parse)),
        readAndParseSeconds: median(rounds.map(({ parse }) => parse.wholeSeconds)),
        ratioToReadAndParse: median(rounds.map((round) => round.check.seconds / round.parse.wholeSeconds)),
        parseCpuSeconds: median(rounds.map(({ parse }) => parse.cpu)),
        checkCpuSeconds: median(check.map(({ cpu }) => cpu)),
        cpuRatio: median(rounds.map((round) => round.check.cpu / round.parse.cpu)),
        goal: GOAL,
        megabytes: Math.round(median(check.map(({ megabytes }) => megabytes))),
        bytesPerExchange: Math.round((median(check.map(({ megabytes }) => megabytes)) * MEGA) / exchanges),
      };
      rows.push(row);
      if (!given.json) process.stdout.write(`${JSON.stringify(row)}\n`);
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (given.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
}

if (given.measure === undefined || given.path === undefined) bench();
else {
  const { path } = given;
  // Compiled, as users run it.
  const compiled = new URL('../../dist/testing/built.js', import.meta.url).href;
  const { checkJournal } = (await import(compiled)) as { readonly checkJournal: typeof CheckJournal };
  const check = () => {
    checkJournal(path);
    return undefined;
  };
  process.stdout.write(JSON.stringify(measured(given.measure === 'parse' ? () => parseLines(path) : check)));
}
