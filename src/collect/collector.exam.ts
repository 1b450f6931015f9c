import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../history/index.ts';
import type { Collector } from './collector.ts';
import { type CollectorName, collectors } from './collectors/index.ts';
import { IntervalsCollector } from './collectors/intervals.ts';
import { MessagesCollector } from './collectors/messages.ts';
import { RunContext } from './context.ts';
import { histories, warmUpOnly } from './sample-run.exam.ts';

/** One collector and its context, fed with records. */
function fed(
  name: CollectorName,
  records: readonly JournalRecord[],
): { context: RunContext; collector: Collector<unknown> } {
  const context = new RunContext();
  const collector = collectors[name].create(context) as Collector<unknown>;
  for (const record of records) {
    context.add(record);
    collector.add(record);
  }
  return { context, collector };
}

/** All that a collector says. */
function said({ collector }: { collector: Collector<unknown> }): unknown {
  const histograms = collector.histograms?.() ?? [];
  return {
    part: collector.part(),
    histograms: histograms.map(({ metric, tags, histogram }) => [
      metric,
      tags,
      histogram.distribution(),
      histogram.encode(),
    ]),
    rows: collector instanceof IntervalsCollector && collector.rows([]),
    accepted: collector instanceof MessagesCollector && collector.accepted(),
  };
}

const isPreamble = (record: JournalRecord) => record.kind === 'header' || record.kind === 'clock';

/** What every collector must do, and what it says of itself. */
export function examine(name: CollectorName): void {
  const claims = collectors[name];

  describe(`collector ${name}`, () => {
    it('gives the same result for a history as for two merged parts', () => {
      fc.assert(
        fc.property(histories, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (records, sides) => {
          const inFirst = (record: JournalRecord, index: number) =>
            claims.order === 'journal' && record.kind === 'exchange'
              ? record.user === 'u1'
              : sides[index % 60] === true;
          const first = fed(
            name,
            records.filter((record, index) => isPreamble(record) || inFirst(record, index)),
          );
          const second = fed(
            name,
            records.filter((record, index) => isPreamble(record) || !inFirst(record, index)),
          );
          first.context.merge(second.context);
          first.collector.merge(second.collector);
          expect(said(first)).toEqual(said(fed(name, records)));
        }),
        { numRuns: 40 },
      );
    });

    it('is not changed by reading it, nor by merging an empty part', () => {
      fc.assert(
        fc.property(histories, (records) => {
          const collector = fed(name, records);
          const before = said(collector);
          collector.collector.merge(fed(name, []).collector);
          expect(said(collector)).toEqual(before);
        }),
        { numRuns: 10 },
      );
    });

    it('has no histogram and only zeros for an empty history', () => {
      const { collector } = fed(name, []);
      expect((collector.histograms?.() ?? []).filter(({ histogram }) => histogram.count > 0)).toEqual([]);
      expect(JSON.stringify(collector.part())).not.toMatch(/NaN|null|[1-9]\d*[,}]/);
    });

    it.runIf(claims.order === 'any')('says the same whatever the order after header and clock records', () => {
      fc.assert(
        fc.property(histories, fc.infiniteStream(fc.nat()), (records, draws) => {
          const preamble = records.filter(isPreamble);
          const rest = records
            .filter((record) => !isPreamble(record))
            .map((record) => ({ record, draw: draws.next().value ?? 0 }))
            .sort((a, b) => a.draw - b.draw)
            .map(({ record }) => record);
          expect(said(fed(name, [...preamble, ...rest]))).toEqual(said(fed(name, records)));
        }),
        { numRuns: 40 },
      );
    });

    it.runIf(claims.warmUp === 'excluded')('sees nothing of the warm-up', () => {
      const [header, ...rest] = warmUpOnly;
      expect(rest.length).toBeGreaterThan(0);
      expect(said(fed(name, warmUpOnly))).toEqual(said(fed(name, header ? [header] : [])));
    });

    it.runIf(claims.warmUp === 'included')('sees the warm-up', () => {
      expect(said(fed(name, warmUpOnly))).not.toEqual(said(fed(name, warmUpOnly.slice(0, 1))));
    });
  });
}
