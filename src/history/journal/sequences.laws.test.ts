import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JournalRecord } from '../records.ts';
import { Sequences } from './sequences.ts';

interface Mention {
  readonly kind: 'sent' | 'exchange';
  readonly worker: number | undefined;
  readonly seq: number;
}

const mentions = fc.array(
  fc.record({
    kind: fc.constantFrom('sent' as const, 'exchange' as const),
    worker: fc.constantFrom(undefined, 0, 1, 2),
    seq: fc.nat({ max: 12 }),
  }),
  { maxLength: 40 },
);

/** Only the members that Sequences reads. */
const recordOf = (mention: Mention) => mention as unknown as JournalRecord;
const folded = (all: readonly Mention[]) => {
  const sequences = new Sequences();
  for (const mention of all) sequences.add(recordOf(mention));
  return sequences;
};
const told = (sequences: Sequences) => ({ inFlight: sequences.inFlight(), missing: sequences.missing() });

/** Reference with sets per worker; an absent worker is the first. */
function counted(all: readonly Mention[]) {
  let [inFlight, missing] = [0, 0];
  for (const worker of [0, 1, 2]) {
    const own = all.filter((one) => (one.worker ?? 0) === worker);
    const of = (kind: Mention['kind']) => new Set(own.filter((one) => one.kind === kind).map(({ seq }) => seq));
    const [sent, ended] = [of('sent'), of('exchange')];
    inFlight += [...sent].filter((seq) => !ended.has(seq)).length;
    const mentioned = new Set([...sent, ...ended]);
    missing += mentioned.size === 0 ? 0 : Math.max(...mentioned) + 1 - mentioned.size;
  }
  return { inFlight, missing };
}

it('counts requests in flight and missing records per worker, in any order of workers', () => {
  fc.assert(
    fc.property(mentions, (all) => {
      expect(told(folded(all))).toEqual(counted(all));
    }),
  );
});

it('gives the same result for merged parts, which can be extended', () => {
  fc.assert(
    fc.property(mentions, mentions, mentions, (first, second, after) => {
      const sequences = folded(first);
      sequences.merge(folded(second));
      for (const mention of after) sequences.add(recordOf(mention));
      expect(told(sequences)).toEqual(counted([...first, ...second, ...after]));
    }),
  );
});
