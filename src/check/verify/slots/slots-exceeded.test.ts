import { describe, expect, it } from 'vitest';
import type { Exchange, StreamRecord } from '../../../history/index.ts';
import { accepted, exchange, header, poll, us } from '../../../testing/history/sample-records.ts';
import { all, cores, historyOf, holds, proves, seen, three, turn } from './slots.exam.ts';

describe('more turns than slots', () => {
  it('are three that were seen open after the last was accepted', () => {
    expect(proves(three)).toBe(true);
    // They were accepted by 6.
    expect(proves([...three.slice(0, 3), seen(0, 7), seen(1, 7), seen(2, 7)])).toBe(true);
    expect(proves([...three.slice(0, 3), seen(0, 6), seen(1, 7), seen(2, 7)])).toBe(false);
    expect(proves([...three.slice(0, 3), seen(0, 100), seen(1, 100), seen(2, 6)])).toBe(false);
  });

  it('are not proven by less, by others, or by what is named otherwise', () => {
    for (const named of all)
      expect(
        proves(
          three,
          all.filter((one) => one !== named),
        ),
        `${named}`,
      ).toBe(false);
    expect(proves(three, [...all, 99])).toBe(false);
    expect(proves([...three, exchange({ seq: 50 })], [...all, 50])).toBe(false);
    expect(proves(three, all, { max: 1 })).toBe(false);
    expect(proves(three, all, { max: 3 })).toBe(false);
    expect(proves(three, all, { scope: { application: 'a2' } })).toBe(false);
    expect(proves(three, all, { limit: 'daily' })).toBe(false);
    expect(proves(three, all, { reading: 'sliding-log' })).toBe(false);
    expect(proves([...three, turn(2)])).toBe(false);
    // Whose turn it is, nobody knows: what made it was sent before.
    expect(proves([turn(0, { resend: 'same' }), ...three.slice(1)])).toBe(false);
    expect(proves([turn(0, { attempt: 2 }), ...three.slice(1)])).toBe(false);
    expect(holds(cores(all), historyOf(three, { limits: { ...header().limits, concurrency: { max: 3 } } }))).toBe(
      false,
    );
  });

  it('are not proven by answers that say something else', () => {
    const last = (members: Partial<Exchange>, message: Partial<Exchange> = {}) =>
      proves(
        [turn(0), turn(1), turn(2, message), seen(0, 100), seen(1, 100), seen(2, 100, 'processing', members)],
        all,
        {},
      );
    expect(last({})).toBe(true);
    expect(last({ turn: { id: 't2', status: 'completed' } })).toBe(false);
    expect(last({ turn: { id: 't2' } })).toBe(false);
    expect(last({ turn: { id: 't1', status: 'processing' } })).toBe(false);
    expect(last({ status: 500 })).toBe(false);
    expect(last({ bodyProblem: 'cut' })).toBe(false);
    expect(last({}, { status: 200 })).toBe(false);
    expect(last({}, { bodyProblem: 'cut' })).toBe(false);
    expect(last({}, { turn: { id: 't1', status: 'queued' } })).toBe(false);
    const { message: _, ...unnamed } = turn(2);
    expect(proves([turn(0), turn(1), unnamed, ...three.slice(3)], all, {})).toBe(false);
  });

  it('are not proven where a turn was seen finished before it was seen open', () => {
    const over = (at: number) => poll(20, 't2', 'completed', at, at + 5);
    const failed = (at: number) => poll(20, 't2', 'failed', at, at + 5);
    expect(proves([...three, over(120)])).toBe(true);
    expect(proves([...three, over(95)])).toBe(true);
    expect(proves([...three, over(94)])).toBe(false);
    expect(proves([...three, failed(94)])).toBe(false);
    const event = (at: number, what: StreamRecord['event']): StreamRecord => ({
      kind: 'stream',
      turn: 't2',
      event: what,
      sequence: 1,
      at: us(at),
    });
    expect(proves([...three, event(99, 'completed')])).toBe(false);
    expect(proves([...three, event(99, 'failed')])).toBe(false);
    expect(proves([...three, event(100, 'completed')])).toBe(true);
    expect(proves([...three, event(99, 'closed')])).toBe(true);
    expect(proves([...three, { ...event(99, 'completed'), turn: 't9' }])).toBe(true);
    // Nor where a record that nobody believes names it.
    expect(proves([...three, seen(2, -5, 'processing', { seq: 30 })])).toBe(false);
    expect(proves([...three, accepted(30, 't2', -5, 5, { message: { id: 'x', digest: 'x' } })])).toBe(false);
  });

  it('are surely of this bucket only where every attempt at the message is', () => {
    const again = (members: Partial<Exchange>) => {
      const resent = turn(2, { seq: 30, sentAt: us(60), headersAt: us(70), receivedAt: us(70), ...members });
      return proves([...three, resent], all, {});
    };
    expect(again({})).toBe(true);
    expect(again({ conversation: 'c2' })).toBe(true);
    expect(again({ token: 't9' })).toBe(false);
    expect(again({ turn: { id: 't9', status: 'queued' } })).toBe(false);
    expect(again({ turn: { id: 't9', status: 'queued' }, status: 500 })).toBe(true);
  });

  it('are proven of work only by what was seen at work', () => {
    const work = { reading: 'processing-only' };
    const twice = (status: string, first = 50) => [
      ...[turn(0), turn(1), turn(2)],
      ...[0, 1, 2].flatMap((k) => [
        poll(20 + k, `t${k}`, 'processing', first, first + 5),
        poll(10 + k, `t${k}`, status, 100, 105),
      ]),
    ];
    const named = [...all, 20, 21, 22];
    expect(proves(twice('processing'), named, work)).toBe(true);
    expect(proves(twice('running'), named, work)).toBe(false);
    expect(proves(twice('processing', 93), named, work)).toBe(true);
    expect(proves(twice('processing', 94), named, work)).toBe(false);
    // The polls that saw them queued say when they had not begun.
    expect(proves(twice('queued'), named, work)).toBe(false);
    expect(proves(twice('queued'), named)).toBe(true);
    expect(proves(three, all, work)).toBe(false);
    // A piece of the answer says that work had begun.
    const events = (event: StreamRecord['event'], status?: string, at = 60): StreamRecord[] =>
      [0, 1, 2].map((k) => ({
        kind: 'stream',
        turn: `t${k}`,
        event,
        sequence: 1,
        at: us(at),
        ...(status !== undefined && { status }),
      }));
    expect(proves([...three, ...events('delta')], all, work)).toBe(true);
    expect(proves([...three, ...events('delta', undefined, 98)], all, work)).toBe(true);
    expect(proves([...three, ...events('delta', undefined, 99)], all, work)).toBe(false);
    expect(proves([...three, ...events('status', 'processing')], all, work)).toBe(true);
    for (const status of ['queued', 'running', 'elsewhere'])
      expect(proves([...three, ...events('status', status)], all, work)).toBe(false);
    expect(proves([...three, ...events('opened')], all, work)).toBe(false);
    // Queued, says a poll that was sent after that.
    expect(proves([...three, ...events('delta'), poll(30, 't2', 'queued', 61, 66)], all, work)).toBe(false);
    expect(proves([...three, ...events('delta'), poll(30, 't2', 'queued', 60, 66)], all, work)).toBe(true);
    expect(proves([...three, ...events('delta'), poll(30, 't2', 'elsewhere', 61, 66)], all, work)).toBe(false);
    // So say streams after that, or at that instant.
    for (const [at, isProven] of [
      [59, true],
      [60, false],
      [61, false],
    ] as const) {
      expect(proves([...three, ...events('delta'), ...events('status', 'queued', at)], all, work)).toBe(isProven);
      expect(proves([...three, ...events('delta'), ...events('status', 'elsewhere', at)], all, work)).toBe(isProven);
    }
    const polled = (at: number) => proves([...twice('processing'), ...events('status', 'queued', at)], named, work);
    expect([54, 55, 80].map(polled)).toEqual([true, false, false]);
  });
});
