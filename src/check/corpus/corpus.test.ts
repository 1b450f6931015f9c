import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type DefectId, days, defectIds, limitNames, rateAlgorithmNames } from '../../api/index.ts';
import { runs } from '../../testing/share.ts';
import { readingNames } from '../index.ts';
import { type Entry, journalsIn, judgedAnew, type Outcome, readIndex, readTold, toldTo } from './corpus.exam.ts';
import { type Damaged, damagedJournals, judgedDamaged } from './damage.exam.ts';

/*
 * Journals whose verdict is known, because it is known what the service was that answered: good ones, bad ones, and damaged ones
 * of both. Made by npm run trials -- --corpus, which also judges them anew where the judge has learnt something.
 */

const IF_MEANT = 'if this is meant: npm run trials -- --corpus, then read the diff';

const folder = import.meta.dirname;
const index = readIndex(folder);
const told = readTold(folder);
const of = (kind: Entry['kind']) => index.filter((entry) => entry.kind === kind);
const outcomesOf = ({ unknown, asDeclared }: Entry): Outcome[] => [unknown, ...(asDeclared ? [asDeclared] : [])];
const isViolated = (outcome: Outcome) =>
  !('error' in outcome) && limitNames.some((limit) => outcome[limit].startsWith('violated'));
const counts = (finding: string) => !finding.includes(', observation, ');

describe('the corpus', () => {
  it('is in step with its index: npm run trials -- --corpus', () => {
    const named = index.filter(({ kind }) => kind !== 'damaged').map(({ file }) => file);
    expect(journalsIn(folder).sort()).toEqual(named.sort());
    expect([...told.keys()]).toEqual(named.sort());
  });

  it('has a journal for each defect that shows: npm run trials -- --corpus', () => {
    const unseen: readonly DefectId[] = ['H12'];
    const shown = of('broken').map(({ file }) => file.replace('.ndjson', ''));
    expect(shown.sort()).toEqual(defectIds.filter((id) => !unseen.includes(id)).sort());
  });

  it('has an honest service of each algorithm and each kind of day', () => {
    const files = of('honest').map(({ file }) => file);
    expect(files).toEqual(
      expect.arrayContaining([...rateAlgorithmNames, ...days].map((name) => `honest-${name}.ndjson`)),
    );
  });

  it.each(limitNames)('has, for each reading of the %s limit, a service that is so and one that is not', (limit) => {
    const declaring = (reading: string) => index.filter(({ declared }) => declared?.[limit] === reading);
    for (const reading of readingNames(limit)) {
      const verdicts = declaring(reading).map(({ asDeclared }) =>
        asDeclared && 'error' in asDeclared ? '' : (asDeclared?.[limit] ?? ''),
      );
      expect(verdicts, reading).toContain('consistent');
      expect(verdicts.filter((verdict) => verdict.startsWith('violated')).length, reading).toBeGreaterThan(0);
    }
  });
});

describe('a journal of', () => {
  it.each(index.filter(({ kind }) => kind !== 'damaged'))('$file is judged as it was: $about', (entry) => {
    const heard: string[] = [];
    const anew = judgedAnew(folder, entry, (verdicts) => heard.push(toldTo(verdicts, entry.file)));
    expect(anew, IF_MEANT).toEqual(entry);
    expect(heard.join(''), IF_MEANT).toBe(told.get(entry.file));
  });

  it.each(of('honest'))('$file: nothing is held against it', (entry) => {
    for (const outcome of outcomesOf(entry)) {
      expect(isViolated(outcome)).toBe(false);
      expect(outcome).toMatchObject({ proven: [], skipped: {}, complete: true });
      expect('error' in outcome ? [] : outcome.findings.filter(counts)).toEqual([]);
    }
  });
});

describe('a damaged journal', () => {
  const known = new Map(of('damaged').map((entry) => [entry.file, entry]));
  const all = [...damagedJournals(folder)];
  const judged = new Map<string, Entry>();
  const anew = (one: Damaged): Entry => {
    const entry = judged.get(one.file) ?? judgedDamaged(one);
    judged.set(one.file, entry);
    return entry;
  };

  it('is in the index, whatever its damage', () => {
    expect(all.map(({ file }) => file).sort()).toEqual([...known.keys()].sort());
  });

  it.each(all)('$file is judged as far as it can be: $about', (one) => {
    expect(anew(one)).toEqual(known.get(one.file));
  });

  it.each(all.filter(({ file }) => file.endsWith('-honest.ndjson')))('$file accuses nobody', (one) => {
    for (const outcome of outcomesOf(anew(one))) {
      expect(isViolated(outcome)).toBe(false);
      expect('error' in outcome ? [] : outcome.proven).toEqual([]);
    }
  });

  it.each(all)('$file: what is wrong with it is said', (one) => {
    const { file, unknown } = anew(one);
    if ('error' in unknown) expect(unknown.error).toMatch(/is not a history|version 2/);
    // Where nothing tells the service's clock, the run's own is one, from a beginning that nobody knows.
    else if (!file.includes('no-clock'))
      expect(Object.keys(unknown.skipped).length > 0 || !unknown.complete, JSON.stringify(unknown)).toBe(true);
  });
});

describe('an honest service', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'spillway-corpus-'));
  afterAll(() => rmSync(scratch, { recursive: true }));
  const sources = of('honest').map(({ file, declared }) => ({
    declared,
    lines: readFileSync(join(folder, file), 'utf8').trim().split('\n'),
  }));

  /** What may happen to a line after the first on its way to the judge. */
  const fates = fc.constantFrom('kept', 'kept', 'kept', 'kept', 'lost', 'twice', 'cut', 'later');
  const mishaps = fc.record({
    source: fc.constantFrom(...sources),
    fates: fc.array(fates, { minLength: 120, maxLength: 120 }),
    ends: fc.boolean(),
  });

  it('is not accused whatever becomes of its journal’s lines', () => {
    const run = ({ source, fates, ends }: { source: (typeof sources)[number]; fates: string[]; ends: boolean }) => {
      const [header = '', ...lines] = source.lines;
      const later: string[] = [];
      const text = lines.flatMap((line, i) => {
        const fate = ends && i === lines.length - 1 ? 'kept' : (fates[i] ?? 'kept');
        if (fate === 'later') later.push(line);
        if (fate === 'twice') return [line, line];
        return fate === 'kept' ? [line] : fate === 'cut' ? [line.slice(0, line.length / 2)] : [];
      });
      const file = 'mishap.ndjson';
      writeFileSync(join(scratch, file), `${[header, ...text, ...later].join('\n')}\n`);
      const { declared } = source;
      const judged = judgedAnew(scratch, { file, kind: 'damaged', about: '', ...(declared && { declared }) });
      for (const outcome of outcomesOf(judged)) {
        expect(isViolated(outcome)).toBe(false);
        expect('error' in outcome ? [] : outcome.proven).toEqual([]);
      }
    };
    fc.assert(fc.property(mishaps, run), { numRuns: runs(150) });
  });
});
