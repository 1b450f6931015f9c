import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../history/index.ts';
import { us } from '../../../testing/history/sample-records.ts';
import type { ExchangeRef, OverAdmission, WrongfulRefusal } from '../../certificates/certificate.ts';
import { exact, HOUR, holds, type Otherwise, over, refused, sent, unflushed, wrongful } from './days.exam.ts';

describe('days that begin with a message, each when the one before is over', () => {
  const four = [sent(0, 0), sent(1, 25), sent(2, 26), sent(3, 27), sent(4, 48.9)];
  const chain = (exchanges: readonly ExchangeRef[], members: Partial<OverAdmission> = {}): OverAdmission =>
    over(exchanges, { reading: 'first-use', rule: 'first-use-day-chain', ...members });
  const proves = (
    messages: readonly Exchange[],
    named: readonly ExchangeRef[] = [1, 2, 3, 4],
    otherwise: Otherwise = {},
  ) => holds(chain(named), messages, otherwise);

  it('hold no fourth of three', () => {
    expect(proves(four)).toBe(true);
    expect(proves(four, [1, 2, 3])).toBe(false);
    expect(proves(four, [0, 1, 2, 3])).toBe(false);
    expect(proves([...four.slice(0, 4), sent(4, 49)])).toBe(false);
    expect(holds(chain([1, 2, 3, 4], { reading: 'rolling' }), four)).toBe(false);
    expect(holds(chain([1, 2, 3, 4], { rule: 'daily-distinct-messages' }), four)).toBe(false);
    // The fourth of a day was sent before that began.
    expect(proves([sent(0, 0), sent(1, 23.9), ...four.slice(2, 4), sent(4, 49.9)])).toBe(false);
    expect(proves([sent(0, 0), sent(1, 24.001), ...four.slice(2, 4), sent(4, 47.9)])).toBe(true);
  });

  it('begin with whatever may have begun them, in a bucket that is wholly known from its start on', () => {
    expect(proves([...four, sent(9, 24.5, { status: 422 })])).toBe(false);
    expect(proves([...four, refused(9, 24.5, 'concurrency_limited')])).toBe(false);
    expect(proves([...four, refused(9, 24.5)])).toBe(true);
    expect(proves([...four, sent(9, 0.5, { status: 422 })])).toBe(true);
    expect(proves([...four, sent(9, 24.5, { application: 'a2' })])).toBe(true);
    expect(proves(four, undefined, unflushed)).toBe(false);
    expect(proves(four, undefined, { complete: false })).toBe(false);
    expect(proves(four, undefined, { heading: { exclusive: false } })).toBe(false);
    const scope = { application: 'a1', user: 'u1', token: 't1' };
    const { token: _, ...nameless } = sent(9, 20, { status: 404 });
    expect(holds(chain([1, 2, 3, 4], { scope }), four)).toBe(true);
    expect(holds(chain([1, 2, 3, 4], { scope }), [...four, nameless])).toBe(false);
    // By a clock that goes wrong by an hour in ten, the second day may begin at 22 h, and be over after 44.
    const drifting = { heading: { clock: { ...exact, driftPpm: 100_000 } } };
    expect(proves(four, undefined, drifting)).toBe(false);
    expect(proves([sent(0, 0), sent(1, 27), sent(2, 28), sent(3, 29), sent(4, 43)], undefined, drifting)).toBe(true);
  });

  const wrong = (members: Partial<WrongfulRefusal> = {}) =>
    wrongful({
      reading: 'first-use',
      rule: 'wrongful-refusal-first-use-day',
      observed: 1,
      exchanges: [3],
      ...members,
    });
  const before = [sent(0, 0), sent(1, 22), sent(2, 23), sent(3, 24.5)];

  it('explain no refusal after the first of three', () => {
    expect(holds(wrong(), [...before, refused(9, 25)])).toBe(true);
    expect(holds(wrong(), [...before, refused(9, 23.9)])).toBe(false);
    expect(holds(wrong({ exchanges: [] }), [...before, refused(9, 25)])).toBe(false);
    expect(holds(wrong({ rule: 'wrongful-refusal-daily' }), [...before, refused(9, 25)])).toBe(false);
    expect(holds(wrong({ reading: 'rolling' }), [...before, refused(9, 25)])).toBe(false);
    expect(holds(wrong({ exchanges: [3, 4] }), [...before, sent(4, 24.6), refused(9, 25)])).toBe(true);
    expect(holds(wrong({ exchanges: [3, 4, 5] }), [...before, sent(4, 24.6), sent(5, 24.7), refused(9, 25)])).toBe(
      false,
    );
    expect(holds(wrong(), [...before, refused(9, 25)], unflushed)).toBe(false);
    expect(holds(wrong(), [...before, refused(9, 25, 'rate_limited')])).toBe(false);
    // Charged when the day began, or while the one before went on.
    const late = sent(3, 23.95, { headersAt: us(24.5 * HOUR), receivedAt: us(24.5 * HOUR) });
    expect(holds(wrong(), [...before.slice(0, 3), late, refused(9, 25)])).toBe(true);
    const slow = refused(9, 24);
    const during = { ...slow, sentAt: us(23.9 * HOUR), headersAt: us(24.1 * HOUR), receivedAt: us(24.1 * HOUR) };
    expect(holds(wrong({ exchanges: [] }), [...before.slice(0, 3), during])).toBe(false);
    // Nothing was open when it came.
    expect(holds(wrong({ exchanges: [] }), [...before.slice(0, 3), refused(9, 24.1)])).toBe(true);
    expect(
      holds(wrong({ exchanges: [] }), [...before.slice(0, 3), sent(8, 1, { sentAt: us(-1) }), refused(9, 24.1)]),
    ).toBe(false);
  });
});
