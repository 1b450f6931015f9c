import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LimitName } from '../../api/index.ts';
import { ConfigurationError } from '../../base/index.ts';
import { checkJournal, type JudgeOptions, type LimitVerdict, renderVerdicts, type Verdicts, weigh } from '../index.ts';

/** One journal of the corpus and what is known of it: a line of `index.ndjson`. */
export interface Entry {
  /** File name, relative to the index. */
  readonly file: string;
  /** `honest`: accused of nothing. `broken`: a defect shows. `off`: has another limit than it declares. `damaged`: see `about`. */
  readonly kind: 'honest' | 'broken' | 'off' | 'damaged';
  /** What is special about the service or the journal. */
  readonly about: string;
  /** Readings that are true of the service, or that it claims. */
  readonly declared?: Readonly<Partial<Record<LimitName, string>>>;
  /** The outcome with nothing declared. */
  readonly unknown: Outcome;
  /** The outcome with the readings in `declared`. */
  readonly asDeclared?: Outcome;
}

export const INDEX = 'index.ndjson';

/** File beside the index: the text output for each journal, word for word. */
export const TOLD = 'told.golden';

const HEADING = '== ';

/** The expected texts by journal. @param folder folder of the corpus */
export function readTold(folder: string): Map<string, string> {
  const path = join(folder, TOLD);
  if (!existsSync(path)) return new Map();
  const sections = readFileSync(path, 'utf8').split(`\n${HEADING}`).slice(1);
  return new Map(
    sections.map((text): [string, string] => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1)]),
  );
}

export const writtenTold = (told: readonly (readonly [file: string, text: string])[]): string =>
  told.map(([file, text]) => `\n${HEADING}${file}\n${text}`).join('');

/** The verdicts as text, with a digest of what the text does not show. */
export function toldTo(verdicts: Verdicts, run: string): string {
  const digest = createHash('sha256').update(JSON.stringify(verdicts)).digest('hex').slice(0, 16);
  return `${renderVerdicts(verdicts, run)}as data: ${digest}\n`;
}

/** @param folder folder of the corpus */
export function readIndex(folder: string): Entry[] {
  const path = join(folder, INDEX);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
}

export const journalsIn = (folder: string): string[] =>
  readdirSync(folder).filter((file) => file.endsWith('.ndjson') && file !== INDEX);

/** The entry with what the judge says of it now. @param hear gets the verdicts with nothing declared, and as declared */
export function judgedAnew(
  folder: string,
  { file, kind, about, declared }: Pick<Entry, 'file' | 'kind' | 'about' | 'declared'>,
  hear: (verdicts: Verdicts) => void = () => {},
): Entry {
  const path = join(folder, file);
  return {
    file,
    kind,
    about,
    ...(declared && { declared }),
    unknown: outcomeOf(path, {}, hear),
    ...(declared && { asDeclared: outcomeOf(path, { declared }, hear) }),
  };
}

/** What the judge says of a journal, short enough to compare. */
export type Outcome =
  | ({ readonly [L in LimitName]: string } & {
      /** What fails a run. */
      readonly proven: readonly string[];
      /** Kind, basis and number of exchanges of each finding; equal ones once, with their number. */
      readonly findings: readonly string[];
      /** Number of records that nothing rests on, by reason. */
      readonly skipped: Readonly<Record<string, number>>;
      readonly complete: boolean;
    })
  /** The journal cannot be judged at all. */
  | { readonly error: string };

function outcomeOf(path: string, options: JudgeOptions, hear: (verdicts: Verdicts) => void): Outcome {
  try {
    const verdicts = checkJournal(path, options);
    hear(verdicts);
    return told(verdicts);
  } catch (error) {
    if (error instanceof ConfigurationError) return { error: error.problems.map(({ message }) => message).join('; ') };
    throw error;
  }
}

function told(verdicts: Verdicts): Outcome {
  const { limits, findings, soundness } = verdicts;
  const [rate, concurrency, daily] = (['rate', 'concurrency', 'daily'] as const).map((limit) => {
    const verdict = limits.find((one) => one.limit === limit);
    return verdict ? wordsOf(verdict) : 'not judged';
  });
  return {
    rate: rate ?? '',
    concurrency: concurrency ?? '',
    daily: daily ?? '',
    proven: weigh(verdicts, { accepted: [] }).proven.map(({ violation }) => violation),
    findings: counted(findings.map(({ kind, basis, exchanges }) => `${kind}, ${basis}, ${exchanges.length} exchanges`)),
    skipped: soundness.skipped,
    complete: soundness.complete,
  };
}

function wordsOf(verdict: LimitVerdict): string {
  if (verdict.verdict === 'undecided') {
    const [first = '', ...others] = verdict.missing;
    return others.length === 0 && first.endsWith('was not reached')
      ? 'not reached'
      : `undecided: ${verdict.missing.join('; ')}`;
  }
  if (verdict.verdict === 'consistent') return 'consistent';
  const { because, certificate } = verdict;
  return `violated: ${because} by ${certificate.rule}, ${certificate.exchanges.length} exchanges`;
}

function counted(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => (count === 1 ? word : `${word} (${count} times)`));
}
