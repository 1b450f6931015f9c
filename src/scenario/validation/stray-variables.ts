import { type ConfigProblem, isRecord, nearest } from '../../base/index.ts';
import { namesOfGroup } from '../reading/environment.ts';
import { namesOf } from './faults.ts';

/** Reports an unused `-e NAME` if a similar name exists, because it is probably mistyped. Others may be for other scenarios. */
export function strayVariables(
  variables: Readonly<Record<string, string>>,
  scenario: unknown,
  environment: ReadonlySet<string>,
): readonly ConfigProblem[] {
  if (!isRecord(scenario)) return [];
  const used = namesOfGroup('vars', scenario.journeys);
  const known = [...namesOf(scenario.variables), ...environment];
  return Object.keys(variables).flatMap((name) => {
    const near = name.length < 4 || [...known, ...used].includes(name) ? undefined : nearest(name, known);
    return near === undefined
      ? []
      : [{ path: `-e ${name}`, message: 'nothing in the scenario uses this variable', hint: `did you mean ${near}?` }];
  });
}
