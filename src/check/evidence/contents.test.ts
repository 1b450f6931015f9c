import { expect, it } from 'vitest';
import { accepted, end, header, us } from '../../testing/history/sample-records.ts';
import { judge } from '../check-journal.ts';
import { Contents } from './contents.ts';

it('which content of a message is another one is for the order of sending to say, not for that of the lines', () => {
  const journal = (lines: readonly ReturnType<typeof accepted>[]) => [
    header({
      profile: { errorCodes: { known: true }, limits: { daily: { day: 'utc', reading: 'utc' } } },
      limits: { ...header().limits, daily: { max: 1 } },
    }),
    { kind: 'clock' as const, at: us(0), serviceUs: us(1_795_262_400_000_000), plusMinusUs: us(1_000), rate: 1 },
    ...lines,
    end({ exchanges: lines.length }),
  ];
  const message = (digest: string) => ({ message: { id: 'm-a', digest } });
  const first = accepted(0, 'a', 0, 1_000_000, message('d-a'));
  const { turn: _, ...other } = accepted(1, 'a', 2_000_000, 3_000_000, message('d-b'));
  const invalid = { ...other, outcome: 'answered' as const, status: 422, resend: 'other' as const };
  const [next, again] = [
    accepted(2, 'b', 4_000_000, 5_000_000),
    accepted(3, 'a', 6_000_000, 7_000_000, message('d-a')),
  ];
  const lines = [first, invalid, next, { ...again, resend: 'same' as const }];
  const verdicts = [lines, [...lines].reverse(), [invalid, next, again, first], [again, invalid, first, next]].map(
    (one) => judge(journal(one)).limits.map(({ verdict }) => verdict),
  );
  expect(new Set(verdicts.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify(['undecided', 'undecided', 'violated'])]),
  );
});

it('contents are told apart by digests of any form, and any length', () => {
  const digests = Array.from({ length: 1_000 }, (_, i) => `a digest of another program, ${i}`);
  const contents = new Contents();
  const others = digests.map((digest) => contents.another(1, digest));
  expect(new Set(others).size).toBe(digests.length);
  expect(others[0]).toBeUndefined();
});
