import { isRecord, parseDuration } from '../../base/index.ts';
import { type Fault, itemsOf, labelsOf, namesOf, suggestion, valueAt } from './faults.ts';
import { loadModelsIn } from './load-places.ts';

/*
 * Checks references between parts of a scenario. Reads the document as written, so that these faults are reported together with
 * those of the shape, and ignores parts of a wrong shape.
 */

/** Checks that there is either load or phases, that phases have unique names and a length, that named journeys and applications exist, and that users are unique. */
export function referenceFaults(scenario: unknown): readonly Fault[] {
  if (!isRecord(scenario)) return [];
  return [
    ...loadOrPhases(scenario),
    ...unknownJourneys(scenario),
    ...repeatedPhases(scenario),
    ...phasesWithoutLength(scenario),
    ...unknownApplications(scenario),
    ...repeatedUsers(scenario),
  ];
}

function loadOrPhases(scenario: Record<string, unknown>): readonly Fault[] {
  const has = (key: string) => scenario[key] !== undefined;
  if (has('load') && has('phases')) {
    return [
      {
        path: ['phases'],
        atKey: true,
        message: 'cannot be combined with load',
        hint: 'keep one of them: each phase has its own load',
      },
    ];
  }
  if (has('load') || has('phases')) return [];
  return [
    { path: [], message: 'has neither load nor phases', hint: 'write for example load: { model: burst, count: 1 }' },
  ];
}

function unknownJourneys(scenario: Record<string, unknown>): readonly Fault[] {
  const names = namesOf(scenario.journeys);
  if (names.length === 0) return [];
  return loadModelsIn(scenario).flatMap(({ path, value }) =>
    itemsOf(valueAt(value, ['journeys'])).flatMap((journey, index) =>
      typeof journey !== 'string' || names.includes(journey)
        ? []
        : [
            {
              path: [...path, 'journeys', index],
              message: `there is no journey "${journey}"`,
              hint: suggestion(journey, names),
            },
          ],
    ),
  );
}

function repeatedPhases(scenario: Record<string, unknown>): readonly Fault[] {
  const names = itemsOf(scenario.phases).map((phase) => valueAt(phase, ['name']));
  return names.flatMap((name, index) =>
    typeof name === 'string' && names.indexOf(name) < index
      ? [
          {
            path: ['phases', index, 'name'],
            message: `another phase is called "${name}"`,
            hint: 'give each phase a name of its own',
          },
        ]
      : [],
  );
}

/** Load models whose planned length may be 0, with the member that gives them a length. */
const lengthOf: ReadonlyMap<unknown, string> = new Map([
  ['burst', 'gap'],
  ['closed-users', 'duration'],
  ['shared-iterations', 'duration'],
  ['per-user-iterations', 'duration'],
]);

/** Reports phases of length 0 before another phase, because the next phase would start at the same time. */
function phasesWithoutLength(scenario: Record<string, unknown>): readonly Fault[] {
  const isZero = (value: unknown) => value === undefined || parseDuration(String(value)) === 0;
  const isBrief = (load: unknown) => {
    if (!isRecord(load)) return false;
    const length = lengthOf.get(load.model);
    if (length === undefined || !isZero(load.start)) return false;
    return isZero(load[length]) || (load.model === 'burst' && load.count === 1);
  };
  return itemsOf(scenario.phases).flatMap((phase, index, all) => {
    if (index === all.length - 1 || !isRecord(phase) || phase.duration !== undefined) return [];
    const loads = [phase.load ?? []].flat();
    if (loads.length === 0 || !loads.every(isBrief)) return [];
    const message = 'has no length of its own, so the next phase would begin at the same time';
    return [{ path: ['phases', index], message, hint: 'add for example duration: 30s' }];
  });
}

function unknownApplications(scenario: Record<string, unknown>): readonly Fault[] {
  const labels = labelsOf(scenario);
  if (labels.length === 0) {
    return isRecord(scenario.applications)
      ? [{ path: ['applications'], message: 'names no application', hint: 'name one, or leave it out' }]
      : [];
  }
  return itemsOf(scenario.users).flatMap((user, index) => {
    const label = valueAt(user, ['application']);
    if (typeof label !== 'string' || labels.includes(label)) return [];
    return [
      {
        path: ['users', index, 'application'],
        message: `there is no application "${label}"`,
        hint: suggestion(label, labels),
      },
    ];
  });
}

/** Two users with one id are one user to the service but two to the judge: units used by one would look like a fault of the service. */
function repeatedUsers(scenario: Record<string, unknown>): readonly Fault[] {
  const [first] = labelsOf(scenario);
  const seen = new Set<string>();
  return itemsOf(scenario.users).flatMap((user, index) => {
    if (!isRecord(user) || typeof user.id !== 'string') return [];
    const key = JSON.stringify([user.id, user.application ?? first]);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const hint = 'name each user once; more arrivals than users reuse them in turn';
    return [{ path: ['users', index, 'id'], message: `user "${user.id}" is listed twice`, hint }];
  });
}
