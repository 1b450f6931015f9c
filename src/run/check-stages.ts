import { type ConfigProblem, ConfigurationError, uniqueOf } from '../base/index.ts';
import { gateName, parseSelector } from '../metrics/index.ts';
import { allStagesOf, MOST_STAGES, stagesOf } from '../plan/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';

/**
 * Rejects gates on a stage that the plan does not have. Separate from other tags, because stages are known only after planning a
 * scenario.
 * @throws ConfigurationError with all of them
 */
export function checkStages({
  scenario,
  gates,
  gatePlaces,
}: Pick<LoadedScenario, 'scenario' | 'gates' | 'gatePlaces'>): void {
  const ofStages = gates.filter((gate) => gate.kind === 'metric' && gate.selector.tags.stage);
  if (ofStages.length === 0) return;
  const stage = stagesOf(scenario).map(({ name }) => name);
  const all = allStagesOf(scenario).length;
  const many = all > MOST_STAGES ? `the plan has ${all} stages; at most ${MOST_STAGES} are distinguished` : undefined;
  // For example one journey of a scenario with stages (--once).
  const one =
    stage.length === 0
      ? 'the plan has only one stage; leave the tag out, or run without gates (--no-gates)'
      : undefined;
  const problems = ofStages.flatMap((gate): ConfigProblem[] => {
    const name = gateName(gate);
    const read = parseSelector(name, { stage });
    if (!('faults' in read)) return [];
    const place = gatePlaces.get(gate) ?? { path: `gate ${name}` };
    return read.faults.map(({ message, hint = '' }) => ({ ...place, message, hint: many ?? one ?? hint }));
  });
  if (problems.length > 0) throw new ConfigurationError(uniqueOf(problems));
}
