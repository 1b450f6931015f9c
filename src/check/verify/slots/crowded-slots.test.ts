import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../history/index.ts';
import { accepted, us } from '../../../testing/history/sample-records.ts';
import type { ExchangeRef, OverAdmission } from '../../certificates/certificate.ts';
import { proves, seen, turn } from './slots.exam.ts';

describe('more turns than slots', () => {
  it('crowd out a third that was never seen open, if it came while two surely were', () => {
    const crowd = (
      third: Exchange,
      members: Partial<OverAdmission> = {},
      named: readonly ExchangeRef[] = [0, 1, 2, 10, 11],
    ) => proves([turn(0), accepted(1, 't1', 10, 15), third, seen(0, 100), seen(1, 100)], named, members);
    const third = (sentAt: number, headersAt: number, members: Partial<Exchange> = {}) =>
      accepted(2, 't2', sentAt, headersAt, members);
    expect(crowd(third(17, 98))).toBe(true);
    // The second may have been accepted at 16, and both may have ended at 100.
    expect(crowd(third(16, 98))).toBe(false);
    expect(crowd(third(17, 99))).toBe(false);
    expect(crowd(third(17, 98), { reading: 'processing-only' })).toBe(false);
    expect(crowd(third(17, 98), { reading: 'every' })).toBe(false);
    expect(crowd(third(17, 98, { resend: 'sameContent' as never }))).toBe(false);
    expect(crowd(third(17, 98), {}, [0, 2, 10])).toBe(false);
    // Between two that held one after another it may have come.
    const between = (until: number) =>
      proves(
        [turn(0), turn(1), seen(0, 100), seen(1, until), accepted(3, 't3', 52, 55), seen(3, 100), third(17, 98)],
        [0, 1, 2, 3, 10, 11, 13],
      );
    expect(between(50)).toBe(false);
    expect(between(56)).toBe(false);
    expect(between(57)).toBe(true);
    const before = accepted(30, 't2', 3, 4, { status: 500, message: { id: 'm-t2', digest: 'd-t2' } });
    expect(
      proves(
        [before, turn(0), accepted(1, 't1', 10, 15), third(17, 98), seen(0, 100), seen(1, 100)],
        [0, 1, 2, 10, 11],
      ),
    ).toBe(false);
  });

  it('crowd out a third also if the service had refused every attempt at it before', () => {
    const message = { id: 'm-t2', digest: 'd-t2' };
    const refused = (attempt: number, members: Partial<Exchange> = {}) =>
      accepted(29 + attempt, 't2', attempt, attempt + 1, {
        attempt,
        outcome: 'refused',
        status: 429,
        message,
        ...members,
      });
    const crowd = (attempt: number, before: readonly Exchange[], members: Partial<Exchange> = {}) => {
      const third = accepted(2, 't2', 17, 98, { attempt, message, ...members });
      const others = [turn(0), accepted(1, 't1', 10, 15), seen(0, 100), seen(1, 100)];
      return proves([...before, third, ...others], [0, 1, 2, 10, 11]);
    };
    expect(crowd(2, [refused(1)])).toBe(true);
    expect(crowd(3, [refused(1), refused(2)])).toBe(true);
    expect(crowd(2, [refused(1)], { resend: 'same' })).toBe(false);
    expect(crowd(2, [refused(1, { resend: 'same' })])).toBe(false);
    // One is missing, or did not say that it became no turn.
    expect(crowd(3, [refused(1)])).toBe(false);
    expect(crowd(2, [])).toBe(false);
    expect(crowd(3, [refused(2)])).toBe(false);
    expect(crowd(3, [refused(1), refused(2, { outcome: 'answered', status: 500 })])).toBe(false);
    expect(crowd(2, [refused(1, { bodyProblem: 'cut' })])).toBe(false);
    expect(crowd(2, [refused(1, { receivedAt: us(-1) })])).toBe(false);
    // Nor another content, or another message of the same identifier.
    expect(crowd(2, [refused(1, { message: { ...message, digest: 'other' } })])).toBe(false);
    expect(crowd(2, [refused(1), accepted(40, 't4', 5, 6, { message, conversation: 'c2', status: 500 })])).toBe(false);
  });
});
