import { join } from 'node:path';
import {
  type JudgedRounds,
  ROUNDS_FILE,
  type RoundRun,
  type Rounds,
  writeRounds,
  writeRoundsOutputs,
} from '../../report/index.ts';
import type { RunOutcome } from '../conclude-run.ts';
import { writing } from '../disk.ts';
import type { RoundsOptions } from '../run-options.ts';
import { judgedRun } from '../stored/report-run.ts';

/** One run, and its entry in the list of rounds. */
export interface RunOfRound {
  readonly listed: RoundRun;
  readonly outcome: RunOutcome;
}

/** The judgement of all runs together, or why no more of them ran. */
type Verdict = Pick<JudgedRounds, 'gates' | 'comparison' | 'brokenOff'>;

/** The finished runs, and the files that describe all of them. */
export interface RoundsBook {
  readonly folder: string;
  readonly targets: JudgedRounds['targets'];
  readonly runs: readonly RunOfRound[];
  /** Writes to the list that a run starts, so that a process killed during the run leaves a valid folder of rounds. */
  begin(running: NonNullable<Rounds['running']>): Promise<void>;
  /** Writes a finished run to the list. */
  add(run: RunOfRound): Promise<void>;
  /** Writes the result of all gates, or why the rounds were broken off, to the list. */
  list(verdict: Omit<Verdict, 'comparison'>): Promise<void>;
  judged(verdict: Verdict): JudgedRounds;
  /** Writes the reports on all runs. */
  conclude(judged: JudgedRounds): Promise<void>;
}

export function openBook({ loaded, target, against, rounds }: RoundsOptions, folder: string): RoundsBook {
  const runs: RunOfRound[] = [];
  const about = {
    scenario: loaded.scenario.name,
    targets: { base: target ?? 'sandbox', ...(against && { candidate: against.target ?? 'sandbox' }) },
  };
  const write = (more: Pick<Rounds, 'running' | 'gates' | 'brokenOff'> = {}) =>
    writing(() =>
      writeRounds(join(folder, ROUNDS_FILE), { ...about, rounds, runs: runs.map(({ listed }) => listed), ...more }),
    );
  return {
    folder,
    targets: about.targets,
    runs,
    begin: (running) => write({ running }),
    add(run) {
      runs.push(run);
      return write();
    },
    list: ({ gates, brokenOff }) => write(brokenOff === undefined ? { gates } : { brokenOff }),
    judged: (verdict) => ({
      ...about,
      rounds,
      runs: runs.map(({ listed, outcome }) => ({ ...listed, run: judgedRun(outcome) })),
      ...verdict,
    }),
    conclude: (judged) => writing(() => writeRoundsOutputs(folder, judged)),
  };
}
