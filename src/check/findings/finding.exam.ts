import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Exchange, type Header, type JournalRecord, profileWords } from '../../history/index.ts';
import { end, exchange, header } from '../../testing/history/sample-records.ts';
import { runs } from '../../testing/share.ts';
import { doubtAbout } from '../evidence/doubt.ts';
import { EvidenceFold } from '../evidence/evidence-fold.ts';
import type { Finding } from '../finding.ts';
import type { DeclaredReadings } from '../reading.ts';
import { LookGatherer, listFindings } from './index.ts';
import type { FindingName } from './registry.ts';

/** A history in the form in which tests write it: without header and end. */
export interface Story {
  /** The reason, in a few words. */
  readonly because: string;
  readonly records: readonly JournalRecord[];
  readonly header?: Partial<Header>;
  readonly incomplete?: true;
  /** How many openings of streams got lost. */
  readonly lostStreams?: number;
}

export type ConvictingStory = Story & Pick<Finding, 'basis' | 'claim' | 'exchanges'>;

/** Histories that show a kind of finding, and histories that look like it and must not. */
export interface Examples {
  readonly shown: readonly [ConvictingStory, ...ConvictingStory[]];
  readonly notShown: readonly [Story, ...Story[]];
}

export function findingsIn(records: readonly JournalRecord[], declared: DeclaredReadings = {}): Finding[] {
  const first = records.find((record) => record.kind === 'header');
  if (first?.kind !== 'header') throw new Error('a story needs a header');
  const fold = new EvidenceFold(first);
  const look = new LookGatherer(first, fold.rows);
  for (const record of records) {
    if (record.kind === 'stream') look.addStream(record, fold.addStream(record));
    else if (record.kind !== 'exchange') fold.add(record);
    else {
      const doubt = doubtAbout(record, profileWords(first.profile));
      const row = fold.addExchange(record, doubt);
      if (doubt === undefined) look.addExchange(record, row);
    }
  }
  return listFindings(look.finish(fold.finish(), declared));
}

export function journalOf({ records, header: members, incomplete, lostStreams = 0 }: Story): JournalRecord[] {
  const exchanges = records.filter(({ kind }) => kind === 'exchange').length;
  const streams = records.filter((record) => record.kind === 'stream' && record.event === 'opened').length;
  return [header(members), ...records, ...(incomplete ? [] : [end({ exchanges, streams: streams + lostStreams })])];
}

const ofKind = (kind: FindingName, story: Story) => findingsIn(journalOf(story)).filter((one) => one.kind === kind);

/** What every kind of finding must pass. */
export function sitFindingExam(kind: FindingName, { shown, notShown }: Examples): void {
  it.each(shown)('is shown: $because', (story) => {
    const [found, ...others] = ofKind(kind, story);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind, basis: story.basis, claim: story.claim, exchanges: story.exchanges });
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });

  it.each(notShown)('is not shown: $because', (story) => {
    expect(ofKind(kind, story)).toEqual([]);
  });

  it.each(shown)('does not rest on a record whose number another bears as well: $because', (story) => {
    for (const named of story.exchanges) {
      const twin = story.records.find(
        (record): record is Exchange => record.kind === 'exchange' && record.seq === named,
      );
      if (!twin) continue;
      const found = ofKind(kind, { ...story, records: [...story.records, { ...twin, operation: 'rateAnswer' }] });
      expect(found.flatMap(({ exchanges }) => exchanges)).not.toContain(named);
    }
  });

  it.each(shown)('stands whatever else was recorded, and wherever: $because', (story) => {
    // Long after the rest, so that it cannot have been sent meanwhile.
    const other = exchange({ seq: 9_001, operation: 'issueToken', user: 'u9', sentAt: 4e9 as never, status: 201 });
    const records = [...story.records, other];
    fc.assert(
      fc.property(fc.nat({ max: story.records.length }), (at) => {
        const moved = [...story.records.slice(0, at), other, ...story.records.slice(at)];
        expect(ofKind(kind, { ...story, records: moved })).toEqual(ofKind(kind, { ...story, records }));
      }),
      { numRuns: runs(10) },
    );
  });
}
