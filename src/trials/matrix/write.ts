import { stringify } from 'csv-stringify/sync';
import { type DefectId, defectIds } from '../../api/index.ts';
import { defects } from '../../sandbox/index.ts';
import { type Manner, manners } from './convict.ts';
import type { Cell, Matrix } from './matrix.ts';
import { survivors, unproven } from './survivors.ts';

/** One defect in the matrix. */
export interface Row {
  readonly defect: DefectId;
  /** The strongest of all scenarios, of several that of the fewest requests; absent: it survives. */
  readonly best?: Shown;
  readonly cells: readonly Cell[];
}

type Shown = Cell & Required<Pick<Cell, 'charge' | 'requests'>>;
const isShown = (cell: Cell): cell is Shown => cell.charge !== undefined && cell.requests !== undefined;
const order = (a: Shown, b: Shown) =>
  manners.indexOf(a.charge.manner) - manners.indexOf(b.charge.manner) || a.requests - b.requests;

export function rowsOf({ cells }: Pick<Matrix, 'cells'>): Row[] {
  return defectIds.map((defect) => {
    const own = cells.filter((cell) => cell.defect === defect);
    const [best] = own.filter(isShown).sort(order);
    return { defect, ...(best && { best }), cells: own };
  });
}

export const scenarioName = (file: string) => file.replace(/\.(yaml|ts)$/, '');

const textOf = ({ charge, lacks }: Cell) => {
  if (lacks !== undefined) return 'not to be had';
  return charge ? `${charge.manner}: ${charge.what}` : '';
};

/** A line per defect, a column per scenario. */
export function csvOf(matrix: Matrix): string {
  const header = ['defect', 'convicted', 'by', 'requests', ...matrix.scenarios.map(scenarioName)];
  const lines = rowsOf(matrix).map(({ defect, best, cells }) => [
    defect,
    best?.charge.manner ?? '',
    best ? scenarioName(best.scenario) : '',
    best?.requests ?? '',
    ...cells.map(textOf),
  ]);
  return stringify([header, ...lines]);
}

const letters: Readonly<Record<Manner, string>> = {
  verdict: 'V',
  finding: 'F',
  declared: 'D',
  told: 't',
  expected: 'e',
};
const meanings: Readonly<Record<Manner, string>> = {
  verdict: 'proven, whatever the limit is read as: a verdict under "unknown"',
  finding: 'proven: a finding by the specification or by the profile',
  declared: 'proven under the reading that the service declares (`spillway check --declared`)',
  told: 'told as an observation, which counts for nothing',
  expected: "an expectation of the scenario's is not met",
};

/** For people. */
export function markdownOf(matrix: Matrix): string {
  const rows = rowsOf(matrix);
  const number = (manner: Manner) => rows.filter(({ best }) => best?.charge.manner === manner).length;
  const without = rows.filter(({ best }) => !best);
  const { played, accused } = matrix.honest;
  return [
    '# Kill matrix',
    '',
    `Every defect that the embedded sandbox can have (${rows.length}), under every shipped scenario (${matrix.scenarios.length}), in virtual time. A charge counts`,
    'only where the twin does not meet it: the same sandbox without the defect. Made by `npm run trials -- --kill-matrix`.',
    '',
    ...manners.map(
      (manner) => `- **${letters[manner]}** ${meanings[manner]}: the strongest charge against ${number(manner)}`,
    ),
    `- nothing shows: ${without.length}`,
    '',
    `Honest sandboxes, of every algorithm and every day, under every scenario: ${played} played, ${accused.length} accused.`,
    ...accused.map(({ scenario, service, charge }) => `- ${scenario}, ${service}: ${charge.what}: ${charge.claim}`),
    '',
    '## Scenario by scenario',
    '',
    `| defect | ${matrix.scenarios.map(scenarioName).join(' | ')} |`,
    `|---|${matrix.scenarios.map(() => '---').join('|')}|`,
    ...rows.map(
      ({ defect, cells }) =>
        `| ${defect} | ${cells.map(({ charge, lacks }) => (lacks === undefined ? (charge ? letters[charge.manner] : '') : '·')).join(' | ')} |`,
    ),
    '',
    '· the defect cannot be had under the limits of that scenario',
    '',
    '## Defect by defect',
    '',
    '| defect | what it does | strongest charge | by | requests |',
    '|---|---|---|---|---|',
    ...rows.map(({ defect, best }) => {
      const says = defects.find(({ id }) => id === defect)?.says ?? '';
      const charge = best ? `${best.charge.manner}: ${best.charge.what}` : 'none';
      return `| ${defect} | ${cell(says)} | ${charge} | ${best ? scenarioName(best.scenario) : ''} | ${best?.requests ?? ''} |`;
    }),
    '',
    '## Shown by nothing, and why',
    '',
    ...without.map(({ defect }) => `- **${defect}** ${survivors[defect] ?? 'no reason is known'}`),
    '',
    '## Shown and not proven, and why',
    '',
    ...rows
      .filter(({ best }) => best && !isProof(best.charge.manner))
      .map(({ defect }) => `- **${defect}** ${unproven[defect] ?? 'no reason is known'}`),
    '',
  ].join('\n');
}

export const isProof = (manner: Manner): boolean => manner !== 'told' && manner !== 'expected';
const cell = (text: string) => text.replaceAll('|', '\\|');
