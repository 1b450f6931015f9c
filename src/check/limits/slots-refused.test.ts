import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/index.ts';
import { accepted, header, refused, us } from '../../testing/history/sample-records.ts';
import { judge } from '../check-journal.ts';
import { judgeOne } from './judging.exam.ts';
import { event, journal, SECOND, three, unanswered } from './slots-and-days.exam.ts';

describe('slots', () => {
  it.each([
    ['finished by then', 40_000, 1],
    ['finished within the granularity of the service', 49_500, 0],
    ['not followed', undefined, 0],
  ])('refused wrongly only beside turns known to have finished: %s', (_, finishedAt, wrongful) => {
    const turns = three.slice(0, 2);
    const ends =
      finishedAt === undefined ? [] : turns.map(({ turn }) => event(turn?.id ?? '', 'completed', finishedAt));
    const records = journal([...turns, ...ends, refused(2, 50_000, 'concurrency_limited')]);
    expect(judgeOne(records, 'concurrency').wrongful).toBe(wrongful);
  });

  it('count a message once whose first answer was lost, where a resend surely returns the same turn', () => {
    const records = (sameTurn: boolean) => {
      const retry = accepted(1, 'a', 2 * SECOND, 2 * SECOND + 1_000);
      const profile = {
        errorCodes: { known: true },
        idempotency: { sameTurn },
        limits: { concurrency: { reading: 'semaphore' } },
      };
      const all = [
        unanswered(0, 'a', 0),
        retry,
        event('a', 'completed', 3 * SECOND),
        refused(2, 60 * SECOND, 'concurrency_limited'),
      ];
      return journal(all, { profile, limits: { ...header().limits, concurrency: { max: 1 } } });
    };
    expect(judgeOne(records(true), 'concurrency').wrongful).toBe(1);
    expect(judgeOne(records(false), 'concurrency').wrongful).toBe(0);
  });

  it('may be held by another turn of the same content, once its id was used in another conversation with another one', () => {
    const elsewhere = (id: string) =>
      accepted(1, 'b', 4 * SECOND, 5 * SECOND, { conversation: 'c2', message: { id, digest: 'another' } });
    const wrongful = (id: string) =>
      judgeOne(
        journal(
          [
            accepted(0, 'a', 0, SECOND),
            event('a', 'completed', 3 * SECOND),
            elsewhere(id),
            event('b', 'completed', 7 * SECOND),
            { ...unanswered(2, 'a', 10 * SECOND), resend: 'same' },
            refused(3, 60 * SECOND, 'concurrency_limited'),
          ],
          { limits: { ...header().limits, concurrency: { max: 1 } } },
        ),
        'concurrency',
      ).wrongful;
    expect(wrongful('m-a')).toBe(0);
    expect(wrongful('m-b')).toBe(1);
  });

  it('may be held by a message whose answer names a turn again, once its id was used in another conversation', () => {
    const wrongful = (elsewhere: Partial<Exchange>) =>
      judgeOne(
        journal(
          [
            accepted(0, 'a', 0, SECOND),
            accepted(1, 'x', 20 * SECOND, 21 * SECOND, { conversation: 'c2', ...elsewhere }),
            accepted(2, 'a', 50 * SECOND, 50 * SECOND + 1_000, { message: { id: 'm-a', digest: 'another' } }),
            refused(3, 50 * SECOND, 'concurrency_limited', { headersAt: us(60 * SECOND), receivedAt: us(60 * SECOND) }),
            accepted(4, 'b', 55 * SECOND, 55 * SECOND + 1_000),
            event('a', 'completed', 90 * SECOND),
          ],
          { limits: { ...header().limits, concurrency: { max: 4 } } },
        ),
        'concurrency',
      ).wrongful;
    const turn = { id: 'a', status: 'queued' };
    expect(wrongful({ turn, message: { id: 'm-a', digest: 'elsewhere' } })).toBe(0);
    expect(wrongful({})).toBe(1);
  });

  it('are held of the bucket in which a message was sent, where its attempts carry several tokens', () => {
    const limits = { ...header().limits, concurrency: { max: 1 } };
    const concurrency = { reading: 'semaphore', scope: 'token' };
    const judged = (sameTurn: boolean, attempts: readonly Exchange[]) =>
      judgeOne(
        journal([...attempts, { ...refused(2, 30 * SECOND, 'concurrency_limited'), token: 'new' }], {
          profile: { errorCodes: { known: true }, idempotency: { sameTurn }, limits: { concurrency } },
          limits,
        }),
        'concurrency',
      ).wrongful;
    // The first never arrived: the turn is of the second, and of the token that it came with.
    const lost = { ...unanswered(0, 'a', 0), token: 'old' };
    expect(judged(true, [lost, { ...accepted(1, 'a', 5 * SECOND, 6 * SECOND), token: 'new' }])).toBe(0);
    // Of two at once the second may have made the turn, which both answers name.
    const both = (token: string) => [
      { ...accepted(0, 'a', 0, SECOND), token: 'old' },
      { ...accepted(1, 'a', 1_000, SECOND), token },
    ];
    expect(judged(false, both('new'))).toBe(0);
    expect(judged(false, both('old'))).toBe(1);
  });

  it.each([
    ['others use the credentials', { exclusive: false }],
    ['turns of earlier runs may go on', { flushed: { rate: true, concurrency: false, daily: true } }],
  ])('are never refused wrongly when %s', (_, members) => {
    const records = journal([refused(0, 50_000, 'concurrency_limited')], members);
    expect(judgeOne(records, 'concurrency')).toMatchObject({ wrongful: 0, verdict: { verdict: 'undecided' } });
  });

  it('are undecided where nothing was refused, and say what stands in the way of more', () => {
    const [, concurrency] = judge(
      journal([...three.slice(0, 2)], { flushed: { rate: true, concurrency: false, daily: true } }),
    ).limits;
    expect(concurrency).toMatchObject({
      limit: 'concurrency',
      verdict: 'undecided',
      missing: [
        'a refusal: the concurrency limit was not reached',
        'a start without turns in process (profile: flushed.concurrency)',
      ],
    });
  });
});

describe('a refusal that may be any limit’s', () => {
  it('is wrongful when it is under each of them, with a proof for each', () => {
    const [only] = judge(journal([refused(0, 50_000)])).refusals.wrongful;
    expect(only?.exchange).toBe(0);
    expect(only?.certificates.map(({ limit }) => limit)).toEqual(expect.arrayContaining(['concurrency', 'daily']));
  });

  it('is not wrongful while a slot may be taken', () => {
    const turns = [accepted(0, 'a', 0, 1_000), accepted(1, 'b', 10, 1_000)];
    expect(judge(journal([...turns, refused(2, 50_000)])).refusals).toMatchObject({
      wrongful: [],
      attributed: { concurrency: 0, ambiguous: 1 },
    });
  });
});
