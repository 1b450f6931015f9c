import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { ConfigProblem, SourceDocument } from '../../base/index.ts';
import { type Fault, isRecord, membersOf } from '../validation/faults.ts';
import { type DataRow, readDataRows } from './data-rows.ts';

/** Resolves a path of a scenario, which is relative to the scenario file. */
export const besideScenario = (scenarioFile: string, named: string): string =>
  isAbsolute(named) ? named : join(dirname(scenarioFile), named);

/** The files of a scenario's `data`. */
export interface ReadTables {
  readonly tables: Readonly<Record<string, readonly DataRow[]>>;
  /** Undefined columns: the file could not be read. */
  readonly columns: ReadonlyMap<string, readonly string[] | undefined>;
  readonly faults: readonly Fault[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads every file that `data` names. Ignores entries of a wrong shape. */
export function readTables(source: SourceDocument, scenario: unknown): ReadTables {
  const tables: Record<string, readonly DataRow[]> = {};
  const columns = new Map<string, readonly string[] | undefined>();
  const faults: Fault[] = [];
  const problems: ConfigProblem[] = [];
  for (const [name, entry] of membersOf(isRecord(scenario) ? scenario.data : undefined)) {
    columns.set(name, undefined);
    const named = isRecord(entry) ? entry.file : undefined;
    if (typeof named !== 'string' || named === '') continue;
    const file = besideScenario(source.file, named);
    if (!existsSync(file)) {
      faults.push({
        path: ['data', name, 'file'],
        message: `there is no file ${file}`,
        hint: 'the path is relative to the scenario',
      });
      continue;
    }
    const read = readDataRows(file, file);
    if (!read.ok) {
      problems.push(...read.problems);
      continue;
    }
    columns.set(name, read.table.columns);
    tables[name] = read.table.rows;
  }
  return { tables, columns, faults, problems };
}
