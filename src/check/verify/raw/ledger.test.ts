import { describe, expect, it } from 'vitest';
import type { Exchange, JournalRecord } from '../../../history/index.ts';
import { accepted, end, exchange, header, us } from '../../../testing/history/sample-records.ts';
import { unknownTimeline } from '../../evidence/timeline.ts';
import { Raw, Sharing, sharingOf } from './buckets.ts';
import { RawLedger } from './ledger.ts';
import { decidedWithin, refOfExchange } from './raw.ts';
import { failed, refused, words } from './raw-records.exam.ts';
import { Restamped } from './restamp.ts';

/** Records read by the ledger and stamped anew. */
function attemptsOf(exchanges: readonly Exchange[], members: Partial<ReturnType<typeof end>> = {}, head = header()) {
  const [ledger, stamps] = [new RawLedger(words), new Restamped(head)];
  const records: JournalRecord[] = [head, ...exchanges, end({ exchanges: exchanges.length, ...members })];
  for (const record of records) {
    ledger.add(record);
    stamps.add(record);
  }
  const named = new Set(exchanges.map(refOfExchange));
  const stamped = stamps.finish();
  return { stamped, ...ledger.finish(stamped, head, unknownTimeline, named) };
}

describe('attempts as the verifier keeps them', () => {
  it('say what each was, and when', () => {
    const seen = [
      exchange({ seq: 0, sentAt: us(100), headersAt: us(300), receivedAt: us(400) }),
      refused('rate_limited', { seq: 1, sentAt: us(500) }),
      refused('concurrency_limited', { seq: 2, operation: 'sendMessage' }),
      refused(undefined, { seq: 3, operation: 'sendMessage' }),
      exchange({ seq: 4, status: 404 }),
      exchange({ seq: 5, status: 500, sentAt: us(7) }),
      exchange({ seq: 6, sentAt: us(-3) }),
      failed({ seq: 7, sentAt: us(9), receivedAt: us(11) }),
      failed({ seq: 8, sentAt: us(9), receivedAt: us(50_000_000) }),
    ];
    const { attempt, complete } = attemptsOf(seen);
    expect(complete).toBe(true);
    const { admitted, answered, surelyRate, mayBeRate, refusedElsewhere, refusedLater, invalid, doubted } = Raw;
    expect(seen.map(({ seq }) => attempt(seq)?.flags)).toEqual([
      admitted | answered,
      surelyRate | mayBeRate | answered,
      refusedElsewhere | refusedLater | answered,
      mayBeRate | answered,
      invalid | answered,
      0,
      doubted,
      0,
      0,
    ]);
    expect(attempt(0)).toMatchObject({ index: 0, operation: 'readHistory', decided: { from: 100, to: 301 } });
    expect(attempt(1)).toMatchObject({ index: 1, decided: { from: 500, to: 1_401 }, mayBeReplay: false });
    expect(attempt(5)?.decided).toEqual({ from: 7, to: 30_000_007 });
    expect(attempt(6)?.decided).toEqual({ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY });
    expect(attempt(7)?.decided).toEqual({ from: 9, to: 30_000_009 });
    expect(attempt(8)?.decided).toEqual({ from: 9, to: 50_000_000 });
    // As the judge has it, to the microsecond: arcs begin and end where something was decided.
    for (const one of seen.filter(({ seq }) => seq !== 6))
      expect(attempt(one.seq)?.decided).toEqual(decidedWithin(one, header(), unknownTimeline, false));
    expect(attempt(99)).toBeUndefined();
  });

  it('of a number that occurs twice in one worker are both doubted', () => {
    const { attempt } = attemptsOf([
      exchange({ seq: 1 }),
      exchange({ seq: 1, sentAt: us(50) }),
      exchange({ seq: 1, worker: 2 }),
      exchange({ seq: 3, worker: 2 }),
    ]);
    expect([attempt(1)?.flags, attempt('2:1')?.flags]).toEqual([Raw.doubted, Raw.admitted | Raw.answered]);
    expect(attempt('2:3')?.index).toBe(3);
    expect(attempt(3)).toBeUndefined();
  });

  it('are all only where the end says so', () => {
    const two = [exchange({ seq: 0 }), exchange({ seq: 1 })];
    expect(attemptsOf(two).complete).toBe(true);
    expect(attemptsOf(two, { exchanges: 3 }).complete).toBe(false);
    expect(attemptsOf(two, { complete: false }).complete).toBe(false);
    expect(attemptsOf(two, { complete: false, reason: 'deadline' }).complete).toBe(true);
    expect(attemptsOf(two, { complete: false, reason: 'disk' }).complete).toBe(false);
    const foreign = header({ tool: 'corpus' });
    expect(attemptsOf(two, { complete: false, reason: 'deadline' }, foreign).complete).toBe(false);
    expect(attemptsOf(two, {}, foreign).complete).toBe(true);
    expect(new RawLedger(words).finish(attemptsOf([]).stamped, header(), unknownTimeline, new Set()).complete).toBe(
      false,
    );
  });

  it('may be replays where another attempt was sent before, or they say so, or nobody believes them', () => {
    const sent = (seq: number, sentAt: number, members: Partial<Exchange> = {}) =>
      accepted(seq, 't', sentAt, sentAt + 5, members);
    const replays = (...all: Exchange[]) => all.map((_, row) => attemptsOf(all).stamped.mayBeReplay(row));
    expect(replays(sent(0, 10), sent(1, 20))).toEqual([false, true]);
    expect(replays(sent(1, 20), sent(0, 10))).toEqual([true, false]);
    expect(replays(sent(2, 10), sent(1, 10), sent(3, 10))).toEqual([true, false, true]);
    expect(replays(sent(0, 10), sent(1, 20, { message: { id: 'other', digest: 'd-t' } }))).toEqual([false, false]);
    expect(replays(sent(0, 10, { resend: 'sameContent' as never }), sent(1, 20))).toEqual([true, true]);
    expect(replays(sent(0, 10, { attempt: 2 }), sent(1, 20, { attempt: 3 }))).toEqual([true, true]);
    expect(replays(sent(1, 20, { attempt: 3 }), sent(0, 10, { attempt: 2 }))).toEqual([true, true]);
    expect(replays(sent(0, 10), sent(1, 20, { attempt: 2 }))).toEqual([false, true]);
    expect(replays(sent(1, 20, { attempt: 2 }), sent(0, 10))).toEqual([true, false]);
    expect(replays(sent(1, 10), sent(0, -5))).toEqual([true, true]);
    expect(replays(exchange({ seq: 0 }), exchange({ seq: 1 }))).toEqual([false, false]);
  });

  it('in a bucket are those that may have counted there, each for what is sure of it', () => {
    const seen = [
      exchange({ seq: 0, token: 't1' }),
      refused('rate_limited', { seq: 1, token: 't1' }),
      exchange({ seq: 2, token: 't2' }),
      exchange({ seq: 3 }),
      exchange({ seq: 4, token: 't1', status: 404 }),
      exchange({ seq: 5, token: 't1', operation: 'issueToken', status: 201 }),
      refused('rate_limited', { seq: 6 }),
      exchange({ seq: 7, token: 't1', user: 'u2' }),
      failed({ seq: 8, token: 't1' }),
    ];
    const { rivalsOf, isInScope, attempt, stamped } = attemptsOf(seen);
    const scope = { application: 'a1', user: 'u1', token: 't1' };
    const rivals = rivalsOf({ scope, counts: 'all' });
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map(rivals.indexOf)).toEqual([0, 1, -1, 2, 3, 4, 5, -1, 6]);
    expect(rivals.size).toBe(7);
    expect([...rivals.admitted]).toEqual([1, 0, 0, 0, 0, 0, 0]);
    expect([...rivals.refused]).toEqual([0, 1, 0, 0, 0, 0, 0]);
    expect([...rivals.from]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(rivals.to[0]).toBe(901);
    expect(rivalsOf({ scope, counts: 'all, invalid free' }).size).toBe(6);
    expect([...rivalsOf({ scope, counts: 'all, invalid counted' }).admitted]).toEqual([1, 0, 0, 1, 0, 0, 0]);
    expect(rivalsOf({ scope, counts: 'bearer' }).size).toBe(6);
    expect(rivalsOf({ scope: { application: 'a1' }, counts: 'all' }).size).toBe(9);
    expect(rivalsOf({ scope: { application: 'a2' }, counts: 'all' }).size).toBe(0);
    const sure = seen.filter(({ seq }) => {
      const one = attempt(seq);
      return one && isInScope(one, { scope });
    });
    expect(sure.map(({ seq }) => seq)).toEqual([0, 1, 4, 8]);
    const reads = sharingOf(stamped, { ...scope, operation: 'readHistory' });
    expect(seen.map((_, row) => reads(row))).toEqual([
      ...[Sharing.surely, Sharing.surely, Sharing.no, Sharing.no, Sharing.surely, Sharing.no, Sharing.no, Sharing.no],
      Sharing.surely,
    ]);
  });
});
