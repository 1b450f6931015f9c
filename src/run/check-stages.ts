import {
  type ConfigProblem,
  ConfigurationError,
  formatCount,
  formatDuration,
  microsFromMillis,
  uniqueOf,
} from '../base/index.ts';
import { type Gate, gateName, parseSelector } from '../metrics/index.ts';
import { allStagesOf, MOST_STAGES, type Stage, stagesOf } from '../plan/index.ts';
import type { LoadedScenario, Scenario } from '../scenario/index.ts';

type Loaded = Pick<LoadedScenario, 'scenario' | 'gates' | 'gatePlaces'>;

/**
 * Rejects gates on a stage that the plan does not have, and gates with a window that cannot fit into the run or its stage. Separate
 * from other checks, because stages are known only after planning a scenario.
 * @throws ConfigurationError with all of them
 */
export function checkStages(loaded: Loaded): void {
  const problems = stageProblems(loaded);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** What `checkStages` rejects. */
export const stageProblems = (loaded: Loaded): readonly ConfigProblem[] =>
  uniqueOf([...unknownStages(loaded), ...windowsTooLong(loaded)]);

function unknownStages({ scenario, gates, gatePlaces }: Loaded): readonly ConfigProblem[] {
  const ofStages = gates.filter((gate) => gate.kind === 'metric' && gate.selector.tags.stage);
  if (ofStages.length === 0) return [];
  const stage = stagesOf(scenario).map(({ name }) => name);
  const all = allStagesOf(scenario).length;
  const many =
    all > MOST_STAGES ? `the plan has ${formatCount(all)} stages; at most ${MOST_STAGES} are distinguished` : undefined;
  // For example one journey of a scenario with stages (--once).
  const one =
    stage.length === 0
      ? 'the plan has only one stage; leave the tag out, or run without gates (spillway run --no-gates)'
      : undefined;
  return ofStages.flatMap((gate): ConfigProblem[] => {
    const name = gateName(gate);
    const read = parseSelector(name, { stage });
    if (!('faults' in read)) return [];
    const place = placeOf(gate, gatePlaces);
    return read.faults.map(({ message, hint = '' }) => ({ ...place, message, hint: many ?? one ?? hint }));
  });
}

const placeOf = (gate: Gate, places: Loaded['gatePlaces']): Pick<ConfigProblem, 'path'> =>
  places.get(gate) ?? { path: `gate ${gateName(gate)}` };

/** Such a gate would be undetermined, and fail a run that has spent its messages. */
function windowsTooLong({ scenario, gates, gatePlaces }: Loaded): readonly ConfigProblem[] {
  if (gates.every(({ options }) => options.window === undefined)) return [];
  const stages = stagesOf(scenario);
  return gates.flatMap((gate): ConfigProblem[] => {
    const { window, allowNoData } = gate.options;
    if (gate.kind !== 'metric' || window === undefined || allowNoData) return [];
    const { stage } = gate.selector.tags;
    const roomUs = roomFor(stage, stages, scenario);
    if (microsFromMillis(window) <= roomUs) return [];
    const where = stage === undefined ? 'before the deadline' : `of the stage ${stage}`;
    const message = `a window of ${formatDuration(window * 1_000)} does not fit into the ${formatDuration(Math.max(0, roomUs))} that are measured ${where}`;
    return [
      {
        ...placeOf(gate, gatePlaces),
        message,
        hint: 'shorten the window, or run without gates (spillway run --no-gates)',
      },
    ];
  });
}

/** How long the measured part of a stage, or of the run, lasts at most, µs. After the planned end, only a deadline ends a run. */
function roomFor(name: string | undefined, stages: readonly Stage[], { warmUp, deadline }: Scenario): number {
  const index = stages.findIndex((stage) => stage.name === name);
  const ofStage = index < stages.length - 1 ? stages[index]?.toUs : undefined;
  const ends = [ofStage, deadline === undefined ? undefined : microsFromMillis(deadline)];
  const toUs = Math.min(...ends.filter((end) => end !== undefined));
  return toUs - Math.max(stages[index]?.fromUs ?? 0, microsFromMillis(warmUp));
}
