import type { World } from './world.ts';

/** What may happen in a history beside requests and answers, by name, and whether it does in a world. */
export const happenings = {
  'clock set, its dates show it': ({ clock: { dates, steps } }) => isSet(steps, false) && dates !== undefined,
  'clock set by less than a second': ({ clock: { dates, steps } }) => isSet(steps, true) && dates !== undefined,
  'clock set by hand, and said so': ({ clock: { dates, steps } }) => steps.length > 0 && dates === undefined,
  'clock told by dates alone': ({ clock: { dates } }) => dates !== undefined,
  'dates of two servers': ({ clock: { dates } }) => dates !== undefined && dates.otherByUs !== 0,
  'decided by the clocks of two servers': ({ clock: { dates } }) => dates?.secondNode !== undefined,
  'tokens renewed': ({ habits }) => habits.renewal === 'eager',
  'tokens end': ({ habits }) => habits.renewal === 'expiring',
  'all tokens of one time zone': ({ habits }) => habits.zone !== undefined,
  'requests sent again': ({ habits }) => habits.retries.most > 0,
  'refusals, too': ({ habits: { retries } }) => retries.most > 0 && retries.alsoRefused,
  'polls show what was so before': ({ habits }) => habits.staleUs > 0,
  'turns looked after late': ({ habits, service }) => habits.neglects && service.focus !== 'rate',
  'streams break off': ({ habits }) => habits.broken > 0,
  'sent lines': ({ habits }) => habits.announces,
  'only turns in process hold slots': ({ service }) => service.waits && service.focus !== 'rate',
  'words of its own': ({ words }) => words !== undefined,
  'two workers': ({ workers }) => workers > 1,
  'lines lost': ({ journal }) => journal.fates.includes('thinned'),
  'pages lost': ({ journal }) => journal.fates.includes('holed'),
  'lines in any order': ({ journal }) => journal.fates.includes('shuffled'),
  'run killed': ({ journal }) => journal.fates.includes('killed'),
  'run killed, pages unwritten': ({ journal }) => journal.fates.includes('unwritten'),
  'run stopped': ({ journal }) => journal.fates.includes('stopped'),
  'file broken off at a byte': ({ journal }) => journal.isTorn,
} as const satisfies Readonly<Record<string, (world: World) => boolean>>;

/** @param isSmall whether nobody can see it in whole seconds */
const isSet = (steps: World['clock']['steps'], isSmall: boolean): boolean =>
  steps.some(({ byUs }) => Math.abs(byUs) < 1e6 === isSmall);

export const happeningsIn = (world: World): readonly string[] =>
  Object.entries(happenings).flatMap(([name, does]) => (does(world) ? [name] : []));
