import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import type { Exchange, Header, JournalRecord } from '../history/index.ts';
import { drawOwnWords, inOwnWords, type OwnWords } from '../testing/history/own-words.ts';
import { us } from '../testing/history/sample-records.ts';
import { runs } from '../testing/share.ts';
import { drawnJournal, drawnKinds } from './drawn.exam.ts';
import { judge } from './index.ts';
import type { ReadingVerdict, Verdicts } from './verdict.ts';

/*
 * What may be changed about a history without changing what is said of it, or with a known effect.
 */

const drawnKind = fc.constantFrom(...Object.values(drawnKinds));
const journals = fc
  .tuple(drawnKind, fc.nat())
  .map(([kind, seed]) => ({ about: kind.about, records: drawnJournal(kind, seed) }));
const judged = (records: readonly JournalRecord[]) => judge(records, { infers: false });

/** Everything that is said, sentences and names left out. */
function saidIn(verdicts: Verdicts): unknown {
  const isName = (key: string, value: unknown) =>
    key === 'claim' || key === 'data' || (key === 'scope' && typeof value === 'object');
  return JSON.parse(JSON.stringify(verdicts, (key, value) => (isName(key, value) ? undefined : value)));
}

const hostile = [
  '__proto__',
  'constructor',
  'toString',
  '',
  ' ',
  '0',
  '-1',
  'a:b',
  'a/b',
  '"',
  '\n',
  '\u0000',
  'z'.repeat(999),
];

/** The same names under others, which sort in another order. */
function renamed(records: readonly JournalRecord[], first: number): JournalRecord[] {
  const names = new Map<string, string>();
  const nameFor = (name: string): string => {
    const n = names.size + first;
    const other = names.get(name) ?? `${hostile[n % hostile.length]}${n < hostile.length ? '' : 999 - n}`;
    names.set(name, other);
    return other;
  };
  const ofExchange = ({ token, conversation, message, turn, ...one }: Exchange): Exchange => ({
    ...one,
    application: nameFor(one.application),
    user: nameFor(`user ${one.user}`),
    ...(token !== undefined && { token: nameFor(`token ${token}`) }),
    ...(conversation !== undefined && { conversation: nameFor(`conversation ${conversation}`) }),
    ...(message && {
      message: { ...message, id: nameFor(`id ${message.id}`), digest: nameFor(`digest ${message.digest}`) },
    }),
    ...(turn && { turn: { ...turn, id: nameFor(`turn ${turn.id}`) } }),
  });
  return records.map((record) => {
    if (record.kind === 'exchange') return ofExchange(record);
    return record.kind === 'stream' ? { ...record, turn: nameFor(`turn ${record.turn}`) } : record;
  });
}

it('names mean nothing, whatever they are', () => {
  fc.assert(
    fc.property(journals, fc.nat(2 * hostile.length), ({ records }, first) => {
      expect(saidIn(judged(renamed(records, first)))).toEqual(saidIn(judged(records)));
    }),
    { numRuns: runs(100) },
  );
});

it('words mean what the profile says, whatever they are', () => {
  const inOther = (records: readonly JournalRecord[], seed: number) => {
    const random = seededRandom(seed, 'other words');
    const words = drawOwnWords(random, true);
    return inOwnWords(records, oneToOne(words), random);
  };
  fc.assert(
    fc.property(journals, fc.nat(), ({ records }, seed) => {
      expect(saidIn(judged(inOther(records, seed)))).toEqual(saidIn(judged(records)));
    }),
    { numRuns: runs(100) },
  );
});

/** Of each phase's names the first, all of them in the lists that they belong to. */
function oneToOne({ statuses, ...words }: OwnWords): OwnWords {
  const { queued, processing, completed, failed } = statuses;
  const first = { queued: queued.slice(-1), processing: processing.slice(0, 1), completed, failed };
  const again = { again: first.queued, finalizing: first.processing };
  return {
    ...words,
    statuses: { ...first, ...again },
    turns: { ...first, open: [...first.queued, ...first.processing] },
  };
}

const DAY_US = 86_400_000_000;

it('on another day, the same is said of the same', () => {
  fc.assert(
    fc.property(journals, fc.integer({ min: -400, max: 400 }), ({ records }, days) => {
      const onAnotherDay = records.map((record) =>
        record.kind === 'clock' ? { ...record, serviceUs: us(record.serviceUs + days * DAY_US) } : record,
      );
      expect(judged(onAnotherDay)).toEqual(judged(records));
    }),
    { numRuns: runs(100) },
  );
});

const keyOf = ({ reading, scope, counts }: ReadingVerdict) => `${reading}, ${scope}, ${counts}`;

it('under a higher number, nothing becomes too much, and no refusal explicable', () => {
  fc.assert(
    fc.property(journals, fc.integer({ min: 1, max: 5 }), ({ about, records }, more) => {
      const raised = (header: Header): Header => {
        const limit = { ...header.limits[about], max: header.limits[about].max + more };
        return { ...header, limits: { ...header.limits, [about]: limit } };
      };
      const [low, high] = [records, records.map((record) => (record.kind === 'header' ? raised(record) : record))].map(
        (history) => judged(history).limits.find(({ limit }) => limit === about),
      );
      if (high?.overAdmission === 'proven') expect(low?.overAdmission).toBe('proven');
      if (low?.wrongfulRefusal === 'proven') expect(high?.wrongfulRefusal).toBe('proven');
      const surviving = new Set(low?.readings.flatMap((one) => (one.state === 'survives' ? [keyOf(one)] : [])));
      for (const one of high?.readings ?? [])
        if (one.state === 'refuted' && one.because === 'over-admission') expect(surviving).not.toContain(keyOf(one));
    }),
    { numRuns: runs(100) },
  );
});
