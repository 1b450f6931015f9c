import { paceNotes, realTimeNotes, sandboxNotes } from '../../run/index.ts';
import { timezoneNotes } from '../../scenario/index.ts';
import type { ChosenScenario } from '../options/scenario-options.ts';

/**
 * What a user of a scenario should know before it runs.
 * @param against address of the service that rounds compare the target with; absent: none, or the embedded sandbox
 */
export function scenarioNotes({ loaded, target, stretchedBy }: ChosenScenario, against?: string): string[] {
  return [
    ...(target === undefined ? sandboxNotes(loaded) : []),
    ...(target === undefined && against === undefined ? [] : paceNotes(loaded)),
    ...(stretchedBy === undefined ? [] : realTimeNotes(loaded, stretchedBy)),
    ...timezoneNotes(loaded.scenario),
  ];
}
