import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/index.ts';
import { accepted, poll, refused } from '../../testing/history/sample-records.ts';
import { judge } from '../check-journal.ts';
import { judgeOne } from './judging.exam.ts';
import { event, journal, three, unanswered } from './slots-and-days.exam.ts';

describe('slots', () => {
  it('hold of two attempts sent at one instant the one that was numbered first, whichever was answered first', () => {
    const [first, again] = [accepted(1, 'b', 0, 300_000), accepted(2, 'b', 0, 4_000)];
    const records = [
      accepted(0, 'a', 0, 1_000),
      { ...again, resend: 'same' as const },
      refused(3, 260_000, 'concurrency_limited'),
      first,
      poll(4, 'a', 'queued', 310_000, 320_000),
    ];
    // The second attempt holds no slot beside the first, and a turn that waits holds none.
    const { certificates } = judgeOne(journal(records), 'concurrency', 'processing-only');
    expect(certificates).toMatchObject([{ rule: 'wrongful-refusal-concurrency', observed: 1 }, {}]);
  });

  it('were too many when polls sent later than three acceptances saw the turns open', () => {
    const polls = three.map(({ turn }, i) => poll(3 + i, turn?.id ?? '', 'queued', 50_000 + i, 60_000));
    const { verdict } = judgeOne(journal([...three, ...polls]), 'concurrency');
    expect(verdict).toMatchObject({
      verdict: 'violated',
      because: 'over-admission',
      certificate: { rule: 'concurrency-cores', observed: 3, possible: 2, exchanges: [0, 1, 2, 3, 4] },
    });
  });

  describe('are all taken when a message is accepted that was refused before', () => {
    const message = { id: 'm-c', digest: 'd-c' };
    const refusal = (seq: number, sentAt: number, members: Partial<Exchange> = {}) =>
      refused(seq, sentAt, 'concurrency_limited', { message, ...members });
    const later = (attempt: number, members: Partial<Exchange> = {}) =>
      accepted(9, 'c', 30_000, 31_000, { attempt, message, ...members });
    const verdictOf = (...attempts: Exchange[]) => {
      const [a, b] = three as [Exchange, Exchange];
      const seen = [poll(10, 'a', 'queued', 50_000, 60_000), poll(11, 'b', 'queued', 50_001, 60_000)];
      return judgeOne(journal([a, b, ...attempts, ...seen]), 'concurrency').verdict;
    };

    it.each<[string, Exchange[]]>([
      ['once', [refusal(2, 25_000), later(2)]],
      ['twice', [refusal(2, 25_000), refusal(3, 26_000, { attempt: 2 }), later(3)]],
      [
        'and is sent again afterwards',
        [refusal(2, 25_000), later(2), accepted(12, 'c', 40_000, 41_000, { message, resend: 'same' })],
      ],
    ])('%s', (_, attempts) => {
      expect(verdictOf(...attempts)).toMatchObject({
        verdict: 'violated',
        because: 'over-admission',
        certificate: { rule: 'concurrency-cores', observed: 3, possible: 2, exchanges: [0, 1, 9, 10, 11] },
      });
    });

    it.each<[string, Exchange[]]>([
      ['an attempt is missing', [refusal(2, 25_000), later(3)]],
      ['the first is missing', [refusal(2, 25_000, { attempt: 2 }), later(3)]],
      [
        'an attempt had no answer',
        [{ ...unanswered(2, 'c', 5_000), message }, refusal(3, 25_000, { attempt: 2 }), later(3)],
      ],
      ['it was a resend', [refusal(2, 25_000), later(2, { resend: 'same' })]],
      ["the refusal was not the service's", [refusal(2, 25_000, { bodyProblem: 'not JSON' }), later(2)]],
      [
        'the refused attempt had another content',
        [refusal(2, 25_000, { message: { ...message, digest: 'd' } }), later(2)],
      ],
      ['the refused attempt had another token', [refusal(2, 25_000, { token: 't9' }), later(2)]],
    ])('but that is not certain if %s', (_, attempts) => {
      expect(verdictOf(...attempts).verdict).not.toBe('violated');
    });
  });

  it('are told as too many if turns that wait take one, where the reading is not declared', () => {
    const polls = three.map(({ turn }, i) => poll(3 + i, turn?.id ?? '', 'queued', 50_000 + i, 60_000));
    const undeclared = journal([...three, ...polls], {
      profile: { limits: { concurrency: { scope: 'application', scopeKnown: true } } },
    });
    const verdictOf = (concurrency: string) => judge(undeclared, { declared: { concurrency } }).limits[1];
    expect(verdictOf('unknown')).toMatchObject({
      verdict: 'undecided',
      missing: [
        'which reading is true: accepted-to-finished would have refused some of what was admitted (if the service is certain to count so, declare it: --declared concurrency=accepted-to-finished)',
        'a refusal: the concurrency limit was not reached',
      ],
    });
    expect(verdictOf('processing-only')).toMatchObject({
      verdict: 'undecided',
      missing: ['a refusal: the concurrency limit was not reached'],
    });
    expect(verdictOf('accepted-to-finished')?.verdict).toBe('violated');
  });

  it.each([
    [28, true],
    [29, false],
    ['nobody knows', false],
    ['1ms', false],
    [null, false],
    [-1, false],
  ])('are proven taken only up to what a status may be stale before a poll: %s ms', (staleFor, isViolated) => {
    const polls = three.map(({ turn }, i) => poll(3 + i, turn?.id ?? '', 'queued', 50_000 + i, 60_000));
    const profile = { turns: { staleFor }, limits: { concurrency: { reading: 'semaphore' } } };
    const { verdict } = judgeOne(journal([...three, ...polls], { profile }), 'concurrency');
    expect(verdict.verdict === 'violated').toBe(isViolated);
  });

  it('of a turn whose message was first sent before the history began are nobody knows whose', () => {
    const polls = three.map(({ turn }, i) => poll(3 + i, turn?.id ?? '', 'queued', 50_000 + i, 60_000));
    const violates = (members: Partial<Exchange>) => {
      const [first, ...others] = three.map((one, i) => (i === 0 ? { ...one, ...members } : one));
      return judgeOne(journal([first as Exchange, ...others, ...polls]), 'concurrency').verdict.verdict === 'violated';
    };
    expect(violates({})).toBe(true);
    // With another token perhaps, or by a record that was lost.
    expect(violates({ resend: 'same' })).toBe(false);
    expect(violates({ attempt: 2 })).toBe(false);
  });

  it('are not proven taken by events of a stream, which were sent nobody knows when', () => {
    const events = three.flatMap(({ turn }) => [
      event(turn?.id ?? '', 'status', 50_000, 'processing'),
      event(turn?.id ?? '', 'completed', 90_000),
    ]);
    expect(judgeOne(journal([...three, ...events]), 'concurrency').verdict.verdict).not.toBe('violated');
  });
});
