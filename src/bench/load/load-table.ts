import { median } from 'simple-statistics';
import { plural } from '../../base/index.ts';
import { type Absent, absences, markdownTable } from '../readme.ts';
import type { Rate } from './peer.ts';

/** The row of one contender: medians over the rounds, and ratios to Spillway. */
export interface LoadRow {
  readonly name: string;
  readonly version: string;
  /** Requests per second of CPU time; absent if the machine does not report CPU time. */
  readonly perCpuSecond?: { readonly median: number; readonly lowest: number; readonly highest: number };
  /** Requests per second of wall time; absent if it is unknown. */
  readonly perSecond?: number;
  /** Rate of Spillway ÷ rate of the contender, per CPU second, median of the rounds; absent in Spillway's own row. */
  readonly oneOperation?: number;
  readonly scriptedJourney?: number;
}

export interface LoadTable {
  readonly server: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly connections: number;
  readonly pinned: boolean;
  readonly node: string;
  /** One-minute load averages before the first round and at the end. */
  readonly loadAverage: readonly [number, number];
  readonly rows: readonly LoadRow[];
  readonly missing: readonly Absent[];
  /** Why a contender has no row. */
  readonly failed: Readonly<Record<string, string>>;
}

const OURS = { oneOperation: 'spillway, one operation', scriptedJourney: 'spillway, scripted journey' } as const;

type Results = ReadonlyMap<string, readonly Rate[]>;
const perCpu = ({ requests, cpuSeconds = Number.NaN }: Rate) => requests / cpuSeconds;

export function rowsOf(
  contenders: readonly { readonly name: string; readonly version: string }[],
  results: Results,
): LoadRow[] {
  return contenders.map(({ name, version }) => {
    const rates = results.get(name) ?? [];
    const values = rates.map(perCpu).filter(Number.isFinite);
    const paces = rates.flatMap(({ requests, seconds }) => (seconds === undefined ? [] : [requests / seconds]));
    const spread = { lowest: Math.round(Math.min(...values)), highest: Math.round(Math.max(...values)) };
    return {
      name,
      version,
      ...(values.length > 0 && { perCpuSecond: { median: Math.round(median(values)), ...spread } }),
      ...(paces.length > 0 && { perSecond: Math.round(median(paces)) }),
      ...ratioTo(results, 'oneOperation', name),
      ...ratioTo(results, 'scriptedJourney', name),
    };
  });
}

/** The median of the ratios within rounds, because other load on the machine changes between rounds. */
function ratioTo(results: Results, kind: keyof typeof OURS, to: string): Partial<Record<keyof typeof OURS, number>> {
  const [mine = [], theirs = []] = [results.get(OURS[kind]), results.get(to)];
  const ratios = mine.flatMap((rate, round) => {
    const other = theirs[round];
    return other ? [perCpu(rate) / perCpu(other)] : [];
  });
  return OURS[kind] === to || !ratios.every(Number.isFinite) || ratios.length === 0 ? {} : { [kind]: median(ratios) };
}

const HEADINGS = [
  '',
  'per CPU second',
  'lowest – highest',
  'per second',
  'one operation ÷',
  'scripted journey ÷',
] as const;

function cellsOf({ name, version, perCpuSecond, perSecond, oneOperation, scriptedJourney }: LoadRow): string[] {
  const count = (value: number) => value.toLocaleString('en');
  const times = (value: number | undefined) => (value === undefined ? '–' : `${value.toFixed(2)} ×`);
  const spread = perCpuSecond ? `${count(perCpuSecond.lowest)} – ${count(perCpuSecond.highest)}` : '–';
  const cpu = perCpuSecond ? count(perCpuSecond.median) : '–';
  return [
    version === '' ? name : `${name} ${version}`,
    cpu,
    spread,
    perSecond === undefined ? '–' : count(perSecond),
    times(oneOperation),
    times(scriptedJourney),
  ];
}

const settingOf = ({ server, rounds, seconds, warmUp, connections, pinned, node, loadAverage }: LoadTable): string =>
  `${server}, ${connections} connections, ${plural(rounds, 'round')} of ${seconds} s each after ${warmUp} s of warming up, ` +
  `${pinned ? 'the server on one core and the generator on another' : 'on whichever cores the system chose'}, Node ${node}, load average ${loadAverage.map((load) => load.toFixed(1)).join(' to ')}`;

const absentees = ({ missing, failed }: LoadTable): string[] => [
  ...absences(missing),
  ...Object.entries(failed).map(([name, why]) => `${name}: failed; ${why}`),
];

/** The table for a terminal. */
export function textOf(table: LoadTable): string {
  const rows = [HEADINGS, ...table.rows.map(cellsOf)];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  const line = ([name = '', ...cells]: readonly string[]) =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(20)).join('')}`;
  return `${[settingOf(table), ...rows.map(line), ...absentees(table)].join('\n')}\n`;
}

export const markdownOf = (table: LoadTable): string =>
  markdownTable(settingOf(table), [HEADINGS, ...table.rows.map(cellsOf)], absentees(table));
