import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../base/index.ts';
import { type Entry, INDEX, judgedAnew, readIndex, TOLD, toldTo, writtenTold } from '../../check/corpus/corpus.exam.ts';
import { damagedJournals, judgedDamaged } from '../../check/corpus/damage.exam.ts';
import type { Verdicts } from '../../check/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { journals } from './make.ts';

/** Where the corpus lies. */
export const CORPUS = fileURLToPath(new URL('src/check/corpus', packageRoot));

/** How many journals were made, and how many there are. */
export interface Written {
  readonly made: number;
  readonly all: number;
}

/**
 * Makes the journals that are missing from a folder, and judges all of them anew into its index. A journal that is there stays
 * as it is, whatever has changed since: delete it, and it is made again.
 */
export async function writeCorpus(folder: string): Promise<Written> {
  mkdirSync(folder, { recursive: true });
  const isThere = (file: string) => existsSync(join(folder, file));
  const entries = new Map(readIndex(folder).map((entry) => [entry.file, entry]));
  const isMissing = (file: string) => !isThere(file) || !entries.has(file);
  let made = 0;
  const add = (text: string, about: Omit<Entry, 'unknown'>) => {
    writeFileSync(join(folder, about.file), text);
    entries.set(about.file, about as Entry);
    made += 1;
  };
  for await (const { records, ...about } of journals(isMissing)) add(linesOf(records).join(''), about);
  const known = [...entries.values()].filter(({ file, kind }) => kind !== 'damaged' && isThere(file));
  const told = new Map<string, string>();
  const hearOf = (file: string) => (verdicts: Verdicts) =>
    told.set(file, `${told.get(file) ?? ''}${toldTo(verdicts, file)}`);
  const judged = [
    ...known.map((entry) => judgedAnew(folder, entry, hearOf(entry.file))),
    ...[...damagedJournals(folder)].map(judgedDamaged),
  ];
  judged.sort((a, b) => (a.file < b.file ? -1 : 1));
  writeFileSync(join(folder, TOLD), writtenTold([...told].sort(([a], [b]) => (a < b ? -1 : 1))));
  writeFileSync(join(folder, INDEX), judged.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return { made, all: judged.length };
}

/** Records that a judge reads; the others only make a journal longer. */
const kept: readonly JournalRecord['kind'][] = ['header', 'clock', 'exchange', 'stream', 'end'];

/** More exchanges than this are too many: journeys of many are then left out, as if their lines were lost. So are all parts of answers. */
const MOST = 100;
const MANY = 20;

function linesOf(records: readonly JournalRecord[]): string[] {
  const exchanges = records.filter((record): record is Exchange => record.kind === 'exchange');
  const countOf = (journey: string) => exchanges.filter((exchange) => exchange.journey === journey).length;
  const isLost = (record: JournalRecord) =>
    (record.kind === 'stream' && record.event === 'delta') ||
    (record.kind === 'exchange' && exchanges.length > MOST && countOf(record.journey) > MANY);
  return records
    .filter((record) => kept.includes(record.kind) && !isLost(record))
    .map((record) => `${JSON.stringify(record.kind === 'header' ? timeless(record) : record)}\n`);
}

/** Without what would be another on another day, machine or version, and without what no judge reads. */
function timeless({ generator: _, plan: __, ...header }: Extract<JournalRecord, { kind: 'header' }>): object {
  return { ...header, runId: 'corpus', gates: {}, tool: 'corpus', node: 'corpus' };
}
