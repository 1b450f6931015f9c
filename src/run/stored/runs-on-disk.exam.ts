import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../../base/index.ts';
import type { Exchange, Header, JourneyRecord } from '../../history/index.ts';
import { temporaryFolder } from '../../testing/cli.ts';
import { end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { afterThisFile } from '../../testing/leftovers.ts';
import { type CompareOptions, compareOnDisk, usualSlack } from './compare-runs.ts';

/** Works in a folder of its own until the end of the file, as `results/` is made in the working folder. Call it once per file. */
export function workInTemporaryFolder(): string {
  const home = process.cwd();
  const work = temporaryFolder();
  process.chdir(work);
  afterThisFile(() => process.chdir(home));
  return work;
}

let made = 0;
interface Made {
  readonly header?: Partial<Header>;
  readonly machine?: unknown;
  readonly complete?: boolean;
  readonly cutBy?: string;
  readonly at?: string;
  /** How late each request left. */
  readonly lateMs?: number;
  /** Exchanges after the reads. */
  readonly more?: readonly Exchange[];
  /** How journeys ended, one a read. */
  readonly journeys?: readonly JourneyRecord['outcome'][];
  /** Exchanges whose lines are missing. */
  readonly lost?: number;
}

/** Writes a run of twenty reads of so many milliseconds each into the working folder. @returns its folder */
export function run(
  ms: number,
  {
    header: members,
    machine = { cores: 2 },
    complete = true,
    cutBy,
    at,
    lateMs = 0,
    more = [],
    journeys = [],
    lost = 0,
  }: Made = {},
): string {
  const folder = at ?? join(process.cwd(), `run-${++made}`);
  mkdirSync(folder, { recursive: true });
  const reads = Array.from({ length: 20 + lateMs }, (_, seq) =>
    exchange({
      seq,
      intendedAt: us(seq * 1_000_000 - lateMs * 1_000),
      sentAt: us(seq * 1_000_000),
      receivedAt: us(seq * 1_000_000 + Math.round(ms * 1_000)),
      headersAt: us(seq * 1_000_000 + 10),
    }),
  );
  const records = [
    header({ runId: `run-${++made}`, plan: 'p', ...members }),
    ...reads,
    ...more,
    ...journeys.map((outcome, arrival) => {
      const at = us(arrival * 1_000_000);
      return { kind: 'journey', arrival, journey: 'ask', intendedAt: at, startedAt: at, endedAt: at, outcome };
    }),
    ...(complete
      ? [
          end({
            arrivals: journeys.length,
            exchanges: 20 + lateMs + more.length + lost,
            at: us(30_000_000),
            ...(cutBy !== undefined && { complete: false, reason: cutBy }),
          }),
        ]
      : []),
  ];
  writeFileSync(join(folder, 'history.ndjson'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  if (machine !== null) writeFileSync(join(folder, 'run.json'), JSON.stringify({ machine }));
  return folder;
}

/** A folder of rounds: the times of each side, round by round. @param invalidRound of which the base was too slow, from 1 */
export function rounds(
  base: readonly number[],
  candidate?: readonly number[],
  invalidRound = 0,
  more: Readonly<Partial<Record<'base' | 'candidate', Made>>> = {},
): string {
  const folder = join(process.cwd(), `rounds-${++made}`);
  const runs = [base, candidate ?? []].flatMap((times, index) =>
    times.map((ms, round) => {
      const side = index === 0 ? ('base' as const) : ('candidate' as const);
      const below = `round-00${round + 1}/${side}`;
      run(ms, { ...more[side], at: join(folder, below) });
      return {
        round: round + 1,
        side,
        folder: below,
        runId: `${side}-${round}`,
        exitCode: 10,
        ...(round + 1 === invalidRound && side === 'base' && { invalid: true }),
      };
    }),
  );
  const targets = { base: 'sandbox', ...(candidate && { candidate: 'https://b.example.com' }) };
  writeFileSync(
    join(folder, 'rounds.json'),
    JSON.stringify({ format: 'spillway-rounds', version: 1, scenario: 'sample', targets, runs, later: 1 }),
  );
  return folder;
}

export const compare = (base: string, candidates: readonly string[] = [], more: Partial<CompareOptions> = {}) =>
  compareOnDisk({ base, candidates, metrics: [], slack: usualSlack, allow: [], ...more });

/** Every problem of a comparison, without the working folder. */
export const problemsOf = async (comparing: Promise<unknown>): Promise<readonly string[]> => {
  try {
    await comparing;
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.split('\n').map((line) => line.replaceAll(`${process.cwd()}/`, ''));
  }
};
/** Times of eight rounds, in milliseconds. */
export const base = [50, 60, 45, 80, 55, 52, 48, 70];
