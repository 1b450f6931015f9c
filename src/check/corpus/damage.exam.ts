import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Entry, judgedAnew } from './corpus.exam.ts';

export interface Damaged extends Pick<Entry, 'file' | 'kind' | 'about' | 'declared'> {
  readonly text: string;
}

type Members = Record<string, unknown>;
/** Changes the parsed lines of a journal. */
type Damage = (lines: Members[]) => readonly (Members | string)[];

const isExchange = ({ kind }: Members) => kind === 'exchange';
/** Changes the members of the exchanges that `picks` selects. */
const changing =
  (picks: (index: number, line: Members) => boolean, change: (line: Members) => Members): Damage =>
  (lines) => {
    let index = -1;
    return lines.map((line) => (isExchange(line) && picks(++index, line) ? change(line) : line));
  };
const all = () => true;
const refused = (_: number, { outcome }: Members) => outcome === 'refused';
const number = (value: unknown) => value as number;

/** Kinds of damage to a journal. Each is done to a journal that convicts and to one of an honest service. */
const damages: Readonly<Record<string, readonly [about: string, damage: Damage]>> = {
  torn: [
    'torn: the last line is cut in the middle',
    (lines) => [...lines.slice(0, -2), JSON.stringify(lines.at(-2)).slice(0, 120)],
  ],
  'without-end': ['without an end', (lines) => lines.slice(0, -1)],
  reordered: ['the lines in another order, the header last', (lines) => [...lines].reverse()],
  'other-version': ['of another version', ([header = {}, ...lines]) => [{ ...header, version: 2 }, ...lines]],
  'other-format': ['of another tool', ([header = {}, ...lines]) => [{ ...header, format: 'har' }, ...lines]],
  'without-header': ['without a header', (lines) => lines.slice(1)],
  'two-runs': ['two runs in one file', (lines) => [...lines, ...lines]],
  'received-before-sent': [
    'answers received before they were asked for',
    changing(all, (line) => ({ ...line, receivedAt: number(line.sentAt) - 1 })),
  ],
  'sent-before-the-run': [
    'requests sent before the run began',
    changing(all, (line) => ({ ...line, sentAt: -number(line.sentAt) - 1 })),
  ],
  'headers-after-body': [
    'headers after the last byte',
    changing(all, (line) => ({ ...line, headersAt: number(line.receivedAt) + 1 })),
  ],
  'fractional-times': [
    'times that are no whole microseconds',
    changing(all, (line) => ({ ...line, sentAt: number(line.sentAt) + 0.5 })),
  ],
  'duplicate-numbers': [
    'every sequence number twice',
    changing(all, (line) => ({ ...line, seq: Math.floor(number(line.seq) / 2) })),
  ],
  'unknown-operations': [
    'refusals of operations that nobody knows',
    changing(refused, (line) => ({ ...line, operation: 'teleport' })),
  ],
  'unknown-kinds': ['records of kinds that nobody knows', changing(refused, (line) => ({ ...line, kind: 'teleport' }))],
  'outcome-against-status': [
    'answered 429, it says; refused 200',
    changing(all, (line) => ({ ...line, outcome: line.outcome === 'refused' ? 'answered' : 'refused' })),
  ],
  'lost-lines': [
    'every third exchange is lost',
    (lines) => lines.filter((line, i) => !isExchange(line) || i % 3 !== 0),
  ],
  'no-clock': ['nothing says how the clocks go together', (lines) => lines.filter(({ kind }) => kind !== 'clock')],
  'clock-stands-still': [
    "a service's clock that stands still",
    (lines) => lines.map((line) => (line.kind === 'clock' ? { ...line, rate: 0 } : line)),
  ],
  'distant-times': [
    'answers that came after thirty years',
    changing(all, (line) => ({ ...line, headersAt: 1e15, receivedAt: 1e15 })),
  ],
  'not-json': [
    'lines of something else in between',
    (lines) => lines.flatMap((line, i) => (i % 4 === 2 ? ['<html>', line] : [line])),
  ],
  'many-workers': [
    'sequence numbers and workers that no run has',
    changing(all, (line) => ({ ...line, seq: number(line.seq) + 2 ** 41, worker: 9_999 })),
  ],
};

/** Damaged copies of two journals of the corpus; not stored, since the kind of damage says more. @param folder folder of the corpus */
export function* damagedJournals(folder: string): Generator<Damaged> {
  for (const [source, who] of [
    ['off-sliding-log-more.ndjson', 'guilty'],
    ['honest-sliding-log.ndjson', 'honest'],
  ] as const) {
    const lines = readFileSync(join(folder, source), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Members);
    for (const [name, [about, damage]] of Object.entries(damages)) {
      const damaged = damage(lines.map((line) => ({ ...line })));
      const isTorn = typeof damaged.at(-1) === 'string';
      const text = damaged.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
      yield {
        file: `damaged-${name}-${who}.ndjson`,
        kind: 'damaged',
        declared: { rate: 'sliding-log' },
        about: `${about}; made from ${source}`,
        text: isTorn ? text : `${text}\n`,
      };
    }
  }
}

/** What the judge says of a damaged journal now. */
export function judgedDamaged({ text, ...entry }: Damaged): Entry {
  const scratch = mkdtempSync(join(tmpdir(), 'spillway-corpus-'));
  try {
    writeFileSync(join(scratch, entry.file), text);
    return judgedAnew(scratch, entry);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
