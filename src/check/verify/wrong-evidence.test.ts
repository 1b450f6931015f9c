import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { accepted, poll } from '../../testing/history/sample-records.ts';
import { Answer, type Evidence, Replay } from '../evidence/evidence.ts';
import { judgeEvidence } from '../judge.ts';
import { foldedOf } from '../limits/judging.exam.ts';
import type { Verdicts } from '../verdict.ts';
import { verify } from '../verify.ts';
import { invalid, journal, read, reads, refused, SECOND, violated } from './sample-journal.exam.ts';

const message = (seq: number, at: number) => accepted(seq, `t${seq}`, at * SECOND, at * SECOND + 10);

/** Verdicts of evidence in which something went wrong, verified against the records. */
function judgedWith(
  records: readonly JournalRecord[],
  spoil: (evidence: Evidence) => Partial<Evidence>,
): () => Verdicts {
  const { evidence, ledger } = foldedOf(records);
  const spoilt = { ...evidence, ...spoil(evidence) };
  return () => {
    const verdicts = judgeEvidence(spoilt);
    verify(verdicts, { evidence: spoilt, ledger }, () => records);
    return verdicts;
  };
}
const untouched = () => ({});

describe('an accusation that rests on wrong evidence is a defect of the tool, and accuses nobody', () => {
  const slow = journal(reads(30).map((one, i) => read(3 * i, { seq: one.seq })));
  const twoApplications = journal([...reads(15), ...reads(15, 0, { application: 'a2' })]);
  const kept = journal([...reads(20), ...Array.from({ length: 5 }, (_, i) => refused(25 + i)), ...reads(5, 80)]);
  const replays = journal(
    Array.from({ length: 25 }, (_, seq) => message(Math.min(seq, 2), seq)),
    { countsReplays: false },
  );

  it.each<[string, JournalRecord[], (evidence: Evidence) => Partial<Evidence>]>([
    ['times', slow, ({ from, to }) => ({ from: from.map((at) => at / 2), to: to.map((at) => at / 2) })],
    [
      'stamps',
      slow,
      ({ from, to, sentAt }) => ({
        from: from.map((at) => at / 2),
        to: to.map((at) => at / 2),
        sentAt: sentAt.map((at) => at / 2),
      }),
    ],
    ['places', twoApplications, ({ place }) => ({ place: place.map(() => 1) })],
    [
      'answers',
      kept,
      ({ answer, refusedBy }) => ({ answer: answer.map(() => Answer.admitted), refusedBy: refusedBy.map(() => 0) }),
    ],
    [
      'operations',
      journal([...reads(15), ...reads(15, 0, { operation: 'issueToken', status: 201 })]),
      ({ operation }) => ({ operation: operation.map(() => operation[0] as number) }),
    ],
    ['what may be a replay', replays, ({ replay }) => ({ replay: replay.map(() => Replay.no) })],
    ['how many were there', kept, ({ order }) => ({ order: order.filter((row) => row > 10) })],
    [
      'numbers of messages',
      journal(Array.from({ length: 6 }, (_, seq) => message(seq % 3, 70 * seq))),
      ({ message: numbers }) => ({ message: numbers.map((_, row) => row + 1) }),
    ],
  ])('%s', (_, records, spoil) => {
    expect(violated(judgedWith(records, untouched)())).toEqual([]);
    const spoilt = judgedWith(records, spoil);
    expect(spoilt).toThrow(invalid);
  });

  it('times of turns', () => {
    // Each turn ends before the next begins; as if nobody had seen their ends.
    const records = journal(
      [0, 1, 2].flatMap((turn) => [
        message(turn, 10 * turn),
        poll(0, `t${turn}`, 'processing', 10 * turn * SECOND + 100, 10 * turn * SECOND + 200),
        poll(0, `t${turn}`, 'completed', (10 * turn + 5) * SECOND, (10 * turn + 5) * SECOND + 100),
      ]),
    );
    expect(violated(judgedWith(records, untouched)())).toEqual([]);
    const open = judgedWith(records, ({ turns }) => ({
      turns: {
        ...turns,
        sighted: (turn) => {
          const seen = turns.sighted(turn);
          return seen?.open && { ...seen, open: { ...seen.open, at: 60 * SECOND } };
        },
      },
    }));
    expect(open).toThrow(invalid);
  });
});

it.each([0, 7, 65_936])(
  'a record with the impossible status %s may have counted at any time, and spoils no proof',
  (status) => {
    const verdicts = judgedWith(journal([...reads(3), read(5, { status }), refused(10)]), untouched)();
    expect(violated(verdicts)).toMatchObject([
      { limit: 'rate', certificate: { observed: 4, exchanges: [3, 0, 1, 2] } },
    ]);
    expect(verdicts.soundness.skipped).toEqual({ 'impossible status': 1 });
  },
);
