import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../base/index.ts';
import { type Entry, INDEX, judgedAnew, readIndex, TOLD, toldTo, writtenTold } from '../../check/corpus/corpus.exam.ts';
import { damagedJournals, judgedDamaged } from '../../check/corpus/damage.exam.ts';
import type { Verdicts } from '../../check/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { journals } from './make.ts';

/** Folder of the corpus. */
export const CORPUS = fileURLToPath(new URL('src/check/corpus', packageRoot));

/** Number of new journals, and of all journals. */
export interface Written {
  readonly made: number;
  readonly all: number;
}

/**
 * Makes the journals that are missing in a folder, judges all of them and rewrites the index. Existing journals are not changed; to make
 * one again, delete it.
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

/** Kinds of records that the judge reads; the others are dropped. */
const kept: readonly JournalRecord['kind'][] = ['header', 'clock', 'exchange', 'stream', 'end'];

/**
 * If a journal has more exchanges than this, journeys with more than `MANY` exchanges are dropped, as if their lines were lost. Stream
 * events with parts of answers are always dropped.
 */
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

/** Removes what depends on the day, machine or version, and what the judge does not read. */
function timeless({ generator: _, plan: __, ...header }: Extract<JournalRecord, { kind: 'header' }>): object {
  return { ...header, runId: 'corpus', gates: {}, tool: 'corpus', node: 'corpus' };
}
