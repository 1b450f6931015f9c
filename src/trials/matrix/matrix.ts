import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DefectId, days, defectIds, rateAlgorithmNames } from '../../api/index.ts';
import { packageRoot } from '../../base/index.ts';
import { type LoadedScenario, loadScenario } from '../../scenario/index.ts';
import { type Case, caseOf, type Honest, playAgainst, twinOf } from './case.ts';
import { type Charge, chargesIn, convicting, type Manner } from './convict.ts';

/** Folder of the shipped scenarios. */
const SCENARIOS = fileURLToPath(new URL('scenarios', packageRoot));

export const shippedScenarios = (): string[] => readdirSync(SCENARIOS).filter((file) => /\.(yaml|ts)$/.test(file));
export const loadShipped = (file: string): Promise<LoadedScenario> => loadScenario(join(SCENARIOS, file), { env: {} });

/** The result of one defect under one scenario. */
export interface Cell {
  readonly defect: DefectId;
  readonly scenario: string;
  /** The strongest charge; absent if nothing shows the defect. */
  readonly charge?: Charge;
  /** Number of requests of the history; absent without a charge. */
  readonly requests?: number;
  /** Why the defect cannot occur under the limits of this scenario. */
  readonly lacks?: string;
}

/** A charge against a correct sandbox, which is a bug of the judge or the sandbox. */
export interface FalseCharge {
  readonly scenario: string;
  readonly service: string;
  readonly charge: Charge;
}

export interface Matrix {
  readonly scenarios: readonly string[];
  readonly cells: readonly Cell[];
  readonly honest: { readonly played: number; readonly accused: readonly FalseCharge[] };
}

/** The sandbox as configured by the scenario, with every rate algorithm, and with every kind of day. */
export const honestServices: readonly Honest[] = [
  {},
  ...rateAlgorithmNames.map((algorithm) => ({ algorithm })),
  ...days.map((day) => ({ day })),
];

/** Plays every defect and every correct sandbox under every shipped scenario. @param seen called after each scenario */
export async function killMatrix(seen: (scenario: string) => void): Promise<Matrix> {
  const scenarios = shippedScenarios();
  const cells: Cell[] = [];
  const accused: FalseCharge[] = [];
  let played = 0;
  for (const scenario of scenarios) {
    const loaded = await loadShipped(scenario);
    const twins = new Map<string, Promise<readonly Charge[]>>();
    for (const defect of defectIds) cells.push(await cellOf(loaded, scenario, defect, twins));
    for (const service of honestServices) {
      const found = await falseChargesOf(loaded, service);
      if (found === undefined) continue;
      played += 1;
      accused.push(...found.map((charge) => ({ scenario, service: nameOf(service), charge })));
    }
    seen(scenario);
  }
  return { scenarios, cells, honest: { played, accused } };
}

export const nameOf = ({ algorithm, day }: Honest): string => algorithm ?? day ?? 'as it is';

/** @param twins cache: charges against twins by their settings */
export async function cellOf(
  loaded: LoadedScenario,
  scenario: string,
  defect: DefectId,
  twins = new Map<string, Promise<readonly Charge[]>>(),
): Promise<Cell> {
  const about = caseOf(loaded, { defect });
  if ('lacks' in about) return { defect, scenario, lacks: about.lacks };
  const key = JSON.stringify({ ...about.config, defects: [], defectsSay: {} });
  const twin = twins.get(key) ?? charges(about, twinOf(about.settings));
  twins.set(key, twin);
  const records = await playAgainst(loaded, about.settings);
  const [charge] = convicting(chargesIn(records, about), await twin);
  if (!charge) return { defect, scenario };
  return { defect, scenario, charge, requests: records.filter(({ kind }) => kind === 'exchange').length };
}

const charges = async (about: Case, settings: Case['settings']) =>
  chargesIn(await playAgainst(about.loaded, settings), about);

/** The charges against a correct service; undefined if the scenario's limits do not allow its settings. */
export async function falseChargesOf(loaded: LoadedScenario, service: Honest): Promise<Charge[] | undefined> {
  const about = caseOf(loaded, service);
  if ('lacks' in about) return undefined;
  const counts: readonly Manner[] = ['verdict', 'finding', 'declared'];
  return (await charges(about, about.settings)).filter(({ manner }) => counts.includes(manner));
}
