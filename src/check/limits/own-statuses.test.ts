import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { accepted, poll, refused, us } from '../../testing/history/sample-records.ts';
import { exact } from '../verify/days/days.exam.ts';
import { judgeOne } from './judging.exam.ts';
import { journal, SECOND } from './slots-and-days.exam.ts';

const lists = { completed: ['DONE'], failed: [] };

/** A journal of a service that calls the statuses of turns otherwise, and may count only turns in process. */
const under = (turns: object, records: readonly JournalRecord[], reading?: string) => {
  const concurrency = { max: 2, scope: 'application', scopeKnown: true };
  const profile = { turns: { ...lists, ...turns }, limits: { concurrency }, errorCodes: { known: true } };
  return judgeOne(journal(records, { clock: exact, profile }), 'concurrency', reading).verdict;
};

const sent = [0, 1, 2].map((i) => accepted(i, `t${i}`, 10 * i, 10 * i + 5));
const seen = (seq: number, turn: string, seconds: number, status: string) =>
  poll(seq, turn, status, seconds * SECOND, seconds * SECOND + 100);
const each = (first: number, seconds: number, status: string) =>
  sent.map((_, i) => seen(first + i, `t${i}`, seconds + i / 10, status));

/** The first turn is put back into the queue before the two others are in process, and is in process again after them. */
const putBack = (working: string, waiting: string) => [
  ...sent,
  seen(3, 't0', 1, working),
  seen(4, 't0', 2, waiting),
  ...['t1', 't2'].flatMap((turn, i) => [seen(5 + i, turn, 3, working), seen(7 + i, turn, 7.5, working)]),
  seen(9, 't0', 10, working),
];

describe('of a service with its own words for the statuses of turns', () => {
  const inProcess = [...sent, ...each(3, 1, 'RUNNING'), ...each(6, 5, 'RUNNING')];

  it('the profile says which of them is a turn in process, and three of those prove the limit broken', () => {
    const turns = { open: ['WAITING', 'RUNNING'], queued: ['WAITING'], processing: ['RUNNING'] };
    expect(under(turns, inProcess)).toMatchObject({ verdict: 'violated', because: 'over-admission' });
    expect(under(turns, inProcess, 'processing-only')).toMatchObject({ verdict: 'violated' });
  });

  it('nothing is proven where the profile does not say it', () => {
    expect(under({ open: ['WAITING', 'RUNNING'] }, inProcess).verdict).not.toBe('violated');
  });

  it.each<[string, object]>([
    ['with its own words', { open: ['WAITING', 'RUNNING'], queued: ['WAITING'], processing: ['RUNNING'] }],
    ['where no list says that it waits', { open: ['WAITING', 'RUNNING'], processing: ['RUNNING'] }],
  ])('a turn that was put back into the queue holds no slot meanwhile, %s', (_, turns) => {
    expect(under(turns, putBack('RUNNING', 'WAITING'), 'processing-only').verdict).not.toBe('violated');
  });
});

describe('a turn that was seen waiting after it may have been in process', () => {
  const turns = { open: ['WAITING', 'RUNNING'], queued: ['WAITING'], processing: [] };
  const poll1 = seen(3, 't0', 1, 'RUNNING');
  const event: JournalRecord = { kind: 'stream', turn: 't0', event: 'status', status: 'RUNNING', at: us(SECOND) };
  const refusedOf = (before: readonly JournalRecord[]) =>
    under(
      turns,
      [...sent.slice(0, 2), ...before, refused(4, 1.5 * SECOND, 'concurrency_limited'), seen(5, 't0', 3, 'WAITING')],
      'processing-only',
    );

  it.each([
    ['by a poll', poll1],
    ['by its stream', event],
    ['by a poll with a status that no list has', seen(3, 't0', 1, 'elsewhere')],
  ])('%s: a refusal before is explained', (_, before) => {
    expect(refusedOf([before]).verdict).not.toBe('violated');
  });

  it('by the answer to its message: a refusal before is explained', () => {
    const records = (status: string) => [
      ...sent.slice(0, 2).map((one) => ({ ...one, turn: { id: one.turn?.id ?? '', status } })),
      refused(4, 1.5 * SECOND, 'concurrency_limited'),
      seen(5, 't0', 3, 'WAITING'),
    ];
    const of = (status: string) => under(turns, records(status), 'processing-only').verdict;
    expect(of('RUNNING')).not.toBe('violated');
    for (const status of ['WAITING', 'accepted']) expect(of(status)).toBe('violated');
  });

  it('and only then', () => {
    expect(refusedOf([]).verdict).toBe('violated');
    expect(refusedOf([seen(3, 't0', 1, 'WAITING')]).verdict).toBe('violated');
  });
});

it.each<[string, readonly string[]]>([
  ['beside another for one that waits', ['pending', 'running']],
  ['beside one that no list has', ['running']],
])('a common name for a turn in process %s: it may wait again', (_, open) => {
  expect(under({ open }, putBack('running', 'pending'), 'processing-only').verdict).not.toBe('violated');
});

it('a usual word for a turn in process proves nothing where the profile says that a turn waits with it', () => {
  const records = [...sent, ...each(3, 1, 'running'), ...each(6, 5, 'running')];
  const open = ['running', 'busy'];
  expect(under({ open }, records, 'processing-only').verdict).toBe('violated');
  expect(under({ open, queued: ['running'] }, records, 'processing-only').verdict).not.toBe('violated');
});

it.each(['queued', 'put back'])(
  'a turn may have waited again where its stream says %s after it was in process',
  (status) => {
    const event = (said: string, seconds: number) =>
      ({ kind: 'stream', turn: 't0', event: 'status', at: us(seconds * SECOND), status: said }) as const;
    const others = ['t1', 't2'].flatMap((turn, i) => [
      seen(3 + i, turn, 3, 'processing'),
      seen(5 + i, turn, 7.5, 'processing'),
    ]);
    const records = [...sent, ...others, seen(7, 't0', 10, 'processing')];
    const turns = { open: ['queued', 'processing'] };
    const judged = (...events: readonly JournalRecord[]) =>
      under(turns, [...records, ...events], 'processing-only').verdict;
    expect(judged(event(status, 1), event('processing', 2))).toBe('violated');
    expect(judged(event('processing', 1), event(status, 2))).not.toBe('violated');
    // Of two events of one instant, the order is unknown.
    expect(judged(event('processing', 1), event(status, 1))).not.toBe('violated');
    // Its stream was opened later than a poll was sent, and may have broken off.
    const polled = seen(8, 't0', 1, 'processing');
    expect(judged(polled)).toBe('violated');
    expect(judged(event(status, 0.5), polled)).toBe('violated');
    expect(judged(polled, event(status, 2))).not.toBe('violated');
    const answered = 1 + 100 / SECOND;
    expect(judged(polled, event(status, answered))).not.toBe('violated');
    expect(judged(polled, event(status, answered - 1 / SECOND))).toBe('violated');
    expect(judged(polled, event(status, 2), event('processing', 9))).not.toBe('violated');
    expect(judged(polled, event(status, 2), event('processing', 2.5))).toBe('violated');
  },
);
