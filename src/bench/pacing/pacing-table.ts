import { median } from 'simple-statistics';
import { type Absent, absences, markdownTable } from '../readme.ts';
import type { SeenPace } from './seen-pace.ts';

export interface PacingRow {
  /** The requested rate, in requests per second. */
  readonly rate: number;
  readonly name: string;
  readonly version: string;
  /** One per round. */
  readonly paces: readonly SeenPace[];
}

export interface PacingTable {
  readonly setting: string;
  readonly rows: readonly PacingRow[];
  readonly missing: readonly Absent[];
}

const HEADINGS = ['told', '', 'came per second', 'late, p50', 'late, p99', 'late, at most', "fastest second's worth"];

const time = (us: number): string => (us < 1_000 ? `${Math.round(us)} µs` : `${(us / 1_000).toPrecision(3)} ms`);

/** Medians of the rounds, but the minimum of the fastest second. */
function cellsOf({ rate, name, version, paces }: PacingRow): string[] {
  const of = (value: keyof SeenPace) => median(paces.flatMap((pace) => pace[value] ?? []));
  const fastest = paces.flatMap(({ fastestSecondMs }) => fastestSecondMs ?? []);
  return [
    `${rate.toLocaleString('en')}/s`,
    version === '' ? name : `${name} ${version}`,
    of('perSecond').toLocaleString('en', { maximumFractionDigits: 0 }),
    time(of('lagP50Us')),
    time(of('lagP99Us')),
    time(of('lagMaxUs')),
    fastest.length === 0 ? '–' : `${(Math.min(...fastest) / 1_000).toFixed(3)} s`,
  ];
}

const told = ({ rows }: PacingTable) => rows.filter(({ paces }) => paces.length > 0).map(cellsOf);

/** The table for a terminal. */
export function pacingText(table: PacingTable): string {
  const line = ([rate = '', name = '', ...cells]: readonly string[]) =>
    `${rate.padEnd(10)}${name.padEnd(22)}${cells.map((cell) => cell.padStart(24)).join('')}`;
  return `${[table.setting, line(HEADINGS), ...told(table).map(line), ...absences(table.missing)].join('\n')}\n`;
}

export const pacingMarkdown = (table: PacingTable): string =>
  markdownTable(table.setting, [HEADINGS, ...told(table)], absences(table.missing));
