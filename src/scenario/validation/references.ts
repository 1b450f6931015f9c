import { parseDuration } from '../../base/index.ts';
import { type Fault, isRecord, itemsOf, membersOf, suggestion } from './faults.ts';
import { loadModelsIn } from './load-places.ts';

/*
 * What one part of a scenario says of another. It reads the document as written, not as validated, so that these faults
 * appear beside those of the shape, and it is silent about whatever has the wrong shape.
 */

/** Load or phases; journeys, phases and applications that are named but do not exist. */
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
  const names = membersOf(scenario.journeys).map(([name]) => name);
  if (names.length === 0) return [];
  return loadModelsIn(scenario).flatMap(({ path, value }) =>
    itemsOf(isRecord(value) ? value.journeys : undefined).flatMap((journey, index) =>
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
  const names = itemsOf(scenario.phases).map((phase) => (isRecord(phase) ? phase.name : undefined));
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

/** Load models that may be over at once, as far as is planned, and the member that would say otherwise. */
const lengthOf: Readonly<Record<string, string>> = {
  burst: 'gap',
  'closed-users': 'duration',
  'shared-iterations': 'duration',
  'per-user-iterations': 'duration',
};

/** A phase that is over at once would have the next one begin with it. */
function phasesWithoutLength(scenario: Record<string, unknown>): readonly Fault[] {
  const isZero = (value: unknown) => value === undefined || parseDuration(String(value)) === 0;
  const isBrief = (load: unknown) => {
    if (!isRecord(load)) return false;
    const length = lengthOf[String(load.model)];
    if (length === undefined || !isZero(load.start)) return false;
    return isZero(load[length]) || (load.model === 'burst' && load.count === 1);
  };
  return itemsOf(scenario.phases).flatMap((phase, index, all) => {
    if (index === all.length - 1 || !isRecord(phase) || phase.duration !== undefined) return [];
    const loads = itemsOf(phase.load);
    if (loads.length === 0 || !loads.every(isBrief)) return [];
    const message = 'has no length of its own, so the next phase would begin at the same time';
    return [{ path: ['phases', index], message, hint: 'add for example duration: 30s' }];
  });
}

/** The first is that of users who name none. */
const applicationsOf = ({ applications }: Record<string, unknown>): readonly string[] =>
  applications === undefined ? ['a1'] : membersOf(applications).map(([label]) => label);

function unknownApplications(scenario: Record<string, unknown>): readonly Fault[] {
  const labels = applicationsOf(scenario);
  if (labels.length === 0) {
    return isRecord(scenario.applications)
      ? [{ path: ['applications'], message: 'names no application', hint: 'name one, or leave it out' }]
      : [];
  }
  return itemsOf(scenario.users).flatMap((user, index) => {
    const label = isRecord(user) ? user.application : undefined;
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

/** Two that are one person to the service would be two to the checker, and what one uses up look like the service's fault. */
function repeatedUsers(scenario: Record<string, unknown>): readonly Fault[] {
  const [first] = applicationsOf(scenario);
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
