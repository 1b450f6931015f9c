import {
  limitNames,
  operationIds,
  operations,
  type TargetProfile,
  usualProfile,
  usualSuccesses,
} from '../../api/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import { undeclaredLimits } from './sandbox-limits.ts';

/** What to tell before a run against the embedded sandbox: it keeps the words of the specification, whatever the profile says. */
export const sandboxNotes = (loaded: Pick<LoadedScenario, 'scenario' | 'profile'>): string[] => [
  ...undeclaredLimits(loaded),
  ...undeclaredWords(loaded),
];

/** A note if the profile lacks words of the sandbox: then nobody would understand its answers. */
function undeclaredWords({ profile }: Pick<LoadedScenario, 'profile'>): string[] {
  const declared = wordsOf(profile);
  const lacking = Object.entries(own()).flatMap(([member, words]) => {
    const missing = words.filter((word) => !(declared[member] ?? words).includes(word));
    return missing.length === 0 ? [] : `${member}: ${missing.join(', ')}`;
  });
  if (lacking.length === 0) return [];
  return [
    `the embedded sandbox has its own words, which the profile does not have (${lacking.join('; ')}), so its answers will be misunderstood; name the service that has the profile's words with --target, or leave these out of the profile`,
  ];
}

const own = (): Readonly<Record<string, string[]>> => ({
  ...wordsOf(usualProfile()),
  ...Object.fromEntries(operationIds.map((id) => [`success.${id}`, [String(operations[id].success)]])),
});

/** The words of a profile by the members that say them. */
function wordsOf({ errorCodes, history, stream, success, turns }: TargetProfile): Readonly<Record<string, string[]>> {
  const { open, completed, failed } = turns;
  const { limitParameter = 'limit', offsetParameter = 'offset' } = history;
  const statuses = operationIds.map((id) => [`success.${id}`, (success[id] ?? usualSuccesses[id]).map(String)]);
  return {
    ...Object.fromEntries(limitNames.map((limit) => [`errorCodes.${limit}`, errorCodes[limit]])),
    'turns.open': open,
    'turns.completed': completed,
    'turns.failed': failed,
    ...(stream && {
      'stream.path': [stream.path],
      ...Object.fromEntries(Object.entries(stream.events).map(([event, words]) => [`stream.events.${event}`, words])),
    }),
    'history.limitParameter': [limitParameter],
    'history.offsetParameter': [offsetParameter],
    ...Object.fromEntries(statuses),
  };
}
