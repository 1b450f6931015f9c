import { join } from 'node:path';
import {
  type JudgedRounds,
  type JudgedRun,
  ROUNDS_FILE,
  type RoundRun,
  type Rounds,
  writeRounds,
  writeRoundsOutputs,
} from '../report/index.ts';
import type { RunOutcome } from './conclude-run.ts';
import { writing } from './disk.ts';
import { invalidBecause } from './exit-code.ts';
import type { RoundsOptions } from './run-rounds.ts';

/** One run, and its line in the list of rounds. */
export interface RunOfRound {
  readonly listed: RoundRun;
  readonly outcome: RunOutcome;
}

/** What came of all runs together, or why there are no more. */
export type Verdict = Pick<JudgedRounds, 'gates' | 'comparison' | 'brokenOff'>;

/** The runs that are over, and the files of the folder that tell of all of them. */
export interface RoundsBook {
  readonly folder: string;
  readonly targets: JudgedRounds['targets'];
  readonly runs: readonly RunOfRound[];
  /** Writes down that a run begins: whoever is killed in it leaves a folder of rounds all the same. */
  begin(running: NonNullable<Rounds['running']>): Promise<void>;
  /** Writes down that a run is over. */
  add(run: RunOfRound): Promise<void>;
  /** Writes down what was judged over all runs, or what broke them off. */
  list(verdict: Omit<Verdict, 'comparison'>): Promise<void>;
  judged(verdict: Verdict): JudgedRounds;
  /** Writes the pages of all runs. */
  conclude(judged: JudgedRounds): Promise<void>;
}

export function openBook({ loaded, target, against, rounds }: RoundsOptions, folder: string): RoundsBook {
  const runs: RunOfRound[] = [];
  const about = {
    scenario: loaded.scenario.name,
    targets: { base: target ?? 'sandbox', ...(against && { candidate: against.target ?? 'sandbox' }) },
  };
  const onDisk = (write: () => Promise<void>) => writing('choose another folder with --out', write);
  const write = (more: Pick<Rounds, 'running' | 'gates' | 'brokenOff'> = {}) =>
    onDisk(() =>
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
    conclude: (judged) => onDisk(() => writeRoundsOutputs(folder, judged)),
  };
}

/** As its own files tell of it. */
function judgedRun({ exported: { summary }, document, gates }: RunOutcome): JudgedRun {
  const invalid = invalidBecause(summary);
  return { summary, verdicts: document, gates, ...(invalid !== undefined && { invalid }) };
}
