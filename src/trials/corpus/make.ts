import {
  type DefectId,
  days,
  defectIds,
  type LimitName,
  type RateAlgorithm,
  rateAlgorithmNames,
} from '../../api/index.ts';
import type { Entry } from '../../check/corpus/corpus.exam.ts';
import type { JournalRecord } from '../../history/index.ts';
import { defects } from '../../sandbox/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import { type Case, caseOf, playAgainst, type Settings, settingsOf, twinOf } from '../matrix/case.ts';
import { type Charge, chargesIn, convicting, declaredOf, manners } from '../matrix/convict.ts';
import { rateReadingsOf } from '../world/limits.ts';
import { atEachLimit, stories } from './stories.ts';

/** A journal for the corpus, before it is judged. */
export interface Made extends Pick<Entry, 'file' | 'kind' | 'about' | 'declared'> {
  readonly records: readonly JournalRecord[];
}

/** Makes every journal of the corpus except the damaged ones. @param wanted whether to make a file */
export async function* journals(wanted: (file: string) => boolean): AsyncGenerator<Made> {
  yield* served(wanted);
  yield* broken(wanted);
}

/** A kind of service: its settings and its true reading. */
interface Service {
  readonly name: string;
  readonly limit: LimitName;
  readonly members: Readonly<Record<string, string>>;
  /** Absent if the judge has no such reading. */
  readonly reading?: string;
}

const ofRate = (algorithm: RateAlgorithm): Service => {
  const readings = rateReadingsOf(algorithm, 0);
  const reading = readings.find((name) => name.endsWith('-aligned')) ?? readings.at(-1);
  return { name: algorithm, limit: 'rate', members: { algorithm }, ...(reading !== undefined && { reading }) };
};

const services: readonly Service[] = [
  ...rateAlgorithmNames.map(ofRate),
  { name: 'fixed-window-of-any-phase', limit: 'rate', members: { phase: '20s' }, reading: 'fixed-window' },
  ...days.map((day): Service => ({ name: day, limit: 'daily', members: { day }, reading: day })),
  { name: 'slots', limit: 'concurrency', members: {}, reading: 'accepted-to-finished' },
  {
    name: 'slots-while-processing',
    limit: 'concurrency',
    members: { slot: 'processing-only' },
    reading: 'processing-only',
  },
];

/** Services with the declared limit, with one more, and with one less. */
const sizes = [
  { kind: 'honest', by: 0, suffix: '', says: 'honest' },
  { kind: 'off', by: 1, suffix: '-more', says: 'one more than declared' },
  { kind: 'off', by: -1, suffix: '-less', says: 'one less than declared' },
] as const;

async function* served(wanted: (file: string) => boolean): AsyncGenerator<Made> {
  for (const { name, limit, members, reading } of services) {
    const scenario = atEachLimit[limit];
    const loaded = typeof scenario === 'function' ? await scenario() : scenario;
    for (const { kind, by, suffix, says } of sizes) {
      const file = `${kind}-${name}${suffix}.ndjson`;
      if (!wanted(file)) continue;
      const settings = changed(settingsOf(loaded, {}), limit, members, by);
      const records = await playAgainst(loaded, settings);
      yield {
        file,
        kind,
        about: `${name}: ${says}`,
        declared: reading === undefined ? {} : { [limit]: reading },
        records,
      };
    }
  }
}

/** The settings with other members for one limit, and a maximum that differs from the profile's by `by`. */
function changed(settings: Settings, limit: LimitName, members: Service['members'], by: number): Settings {
  const written = [settings.limits?.[limit] ?? []].flat() as unknown as readonly { readonly max: number }[];
  const other = written.map((one) => ({ ...one, ...members, max: one.max + by }));
  return { ...settings, limits: { ...settings.limits, [limit]: other } } as Settings;
}

interface Shown {
  readonly about: Case;
  readonly charge: Charge;
  readonly records: readonly JournalRecord[];
}

/** For every defect, the history with the strongest charge; of several, the smallest. Defects that no history shows are skipped. */
async function* broken(wanted: (file: string) => boolean): AsyncGenerator<Made> {
  const all = await stories();
  for (const defect of defectIds) {
    const file = `${defect}.ndjson`;
    if (!wanted(file)) continue;
    const shown: Shown[] = [];
    for (const loaded of all) shown.push(...(await shownBy(loaded, defect)));
    const rank = ({ charge }: Shown) => manners.indexOf(charge.manner);
    const [best] = shown.sort((a, b) => rank(a) - rank(b) || a.records.length - b.records.length);
    if (!best) continue;
    const { about, records } = best;
    yield {
      file,
      kind: 'broken',
      about: defects.find(({ id }) => id === defect)?.says ?? '',
      declared: declaredOf(about),
      records,
    };
  }
}

async function shownBy(loaded: LoadedScenario, defect: DefectId): Promise<Shown[]> {
  const about = caseOf(loaded, { defect });
  if ('lacks' in about) return [];
  const records = await playAgainst(loaded, about.settings);
  const twin = await playAgainst(loaded, twinOf(about.settings));
  const [charge] = convicting(chargesIn(records, about), chargesIn(twin, about));
  return charge ? [{ about, charge, records }] : [];
}
