import { existsSync } from 'node:fs';
import type { ConfigProblem, SourceDocument } from '../../base/index.ts';
import { type Fault, membersOf, valueAt } from '../validation/faults.ts';
import { type DataRow, readDataRows } from './data-rows.ts';
import { besideScenario, noSuchFile } from './named-file.ts';

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
  for (const [name, entry] of membersOf(valueAt(scenario, ['data']))) {
    columns.set(name, undefined);
    const named = valueAt(entry, ['file']);
    if (typeof named !== 'string' || named === '') continue;
    const file = besideScenario(source.file, named);
    if (!existsSync(file)) {
      faults.push(noSuchFile(['data', name, 'file'], file));
      continue;
    }
    const read = readDataRows(file);
    if (!read.ok) {
      problems.push(...read.problems);
      continue;
    }
    columns.set(name, read.table.columns);
    tables[name] = read.table.rows;
  }
  return { tables, columns, faults, problems };
}
