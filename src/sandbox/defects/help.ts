import { type DefectId, defectIds, type LimitName, unobservableDefectIds } from '../../api/index.ts';
import { listed } from '../../base/index.ts';
import type { Requirement } from './defect.ts';
import { defects, unobservable } from './registry.ts';

/** The groups of defects; the first letter of an id names the group. */
type DefectFamily = 'over-admission' | 'wrongful-refusal' | 'scope' | 'advice' | 'slots' | 'idempotency' | 'day';

/** A defect as described to users and to trials. */
export interface DefectDescription {
  readonly id: DefectId;
  readonly family: DefectFamily;
  /** The limit that is broken; absent if the answers or the memory of messages are broken. */
  readonly limit?: LimitName;
  /** What is broken, how it shows, and which settings it sets unless they are given. */
  readonly says: string;
}

const families: Readonly<Record<string, DefectFamily>> = {
  O: 'over-admission',
  W: 'wrongful-refusal',
  S: 'scope',
  H: 'advice',
  C: 'slots',
  I: 'idempotency',
  D: 'day',
};
const titles: Readonly<Record<DefectFamily, string>> = {
  'over-admission': 'Admits too much',
  'wrongful-refusal': 'Refuses wrongly',
  scope: 'Counts the wrong requests together',
  advice: 'Gives wrong advice in headers and messages',
  slots: 'Loses, keeps or invents slots',
  idempotency: 'Forgets or confuses messages that were sent before',
  day: 'Starts the day at the wrong time',
};

/** The settings that a defect sets, as a sentence. */
function assumptionOf({ algorithm, day, rates, failureShare, processing }: Requirement): string {
  const parts = listed(
    algorithm && `the rate algorithm ${algorithm[0]}`,
    day && `the day ${day[0]}`,
    rates && `the rate limits ${JSON.stringify(rates)}`,
    failureShare !== undefined && `a failure share of ${failureShare}`,
    processing && 'turns that are processed for a minute',
  );
  return parts.length === 0 ? '' : ` Sets ${parts.join(' and ')}, unless something else is given.`;
}

/** Every defect that can be chosen. */
export const defectDescriptions: readonly DefectDescription[] = defectIds.map((id) => {
  const { limit, says, requires = {} } = defects[id];
  const family = families[id.charAt(0)] ?? 'over-admission';
  return { id, family, ...(limit && { limit }), says: `${says}${assumptionOf(requires)}` };
});

/** The descriptions of some defects, by id. */
export const sentencesOf = (ids: readonly DefectId[]): Readonly<Record<string, string>> =>
  Object.fromEntries(ids.map((id) => [id, defectDescriptions.find((each) => each.id === id)?.says ?? '']));

/** The list of all defects for a terminal, generated from the registry. */
export function describeDefects(): string {
  const groups = Object.values(families).flatMap((family) => [
    '',
    `${titles[family]}:`,
    ...defectDescriptions.filter((each) => each.family === family).map(({ id, says }) => `  ${id.padEnd(4)} ${says}`),
  ]);
  return [
    'Defects that the sandbox can have, each found in a real limiter or API. --defect ID chooses one and may be repeated;',
    'each wraps those before it. Races are simulated as a delay in service time (--defect-lag), so they are repeatable.',
    ...groups,
    '',
    'Defects of the same catalogue that no client of this API can observe:',
    ...unobservableDefectIds.map((id) => `  ${id.padEnd(4)} ${unobservable[id]}`),
  ].join('\n');
}
