import { describe, expect, it } from 'vitest';
import type { ApiReply } from '../api/index.ts';
import { freshKey, type Micros, VirtualClock } from '../base/index.ts';
import { TokenKeeper, type TokenKeeperOptions } from './token-keeper.ts';
import { TokenNumbers, tokenMemory } from './token-numbers.ts';

const us = (value: number) => value as Micros;
const SECOND = 1_000_000;
const ann = { application: 'a1', label: 'u1' };

/** A keeper, and an issuer that counts requests and by default answers 201 with a token. */
function setUp(
  over: Partial<TokenKeeperOptions> = {},
  answer: (count: number) => Partial<ApiReply> = () => ({}),
  expiresIn: unknown = 900,
) {
  const clock = new VirtualClock();
  const numbers = new TokenNumbers(tokenMemory(), freshKey());
  const settings = { renewBefore: 30_000, defaultLifetime: 900_000, serviceRate: 1 };
  const keeper = new TokenKeeper({ clock, numbers, ...settings, ...over });
  const issued: number[] = [];
  const issue = async (): Promise<ApiReply> => {
    const sentAt = clock.now();
    issued.push(sentAt);
    const count = issued.length;
    await clock.sleepUntil(us(sentAt + 100));
    const body = { access_token: `secret-${count}`, ...(expiresIn === undefined ? {} : { expires_in: expiresIn }) };
    return {
      kind: 'answer',
      sentAt,
      headersAt: us(sentAt + 90),
      receivedAt: clock.now(),
      bytes: { sent: 1, received: 1 },
      status: 201,
      headers: {},
      body,
      ...answer(count),
    } as ApiReply;
  };
  /** Label of the token at a time, or why there is none. */
  const at = async (time: number, who = ann) => {
    if (time > clock.now()) clock.set(us(time));
    const result = await clock.run(() => keeper.tokenFor(who, issue));
    return result.kind === 'token' ? result.label : result.because;
  };
  return { clock, keeper, issue, issued, at };
}

describe('a token', () => {
  it('is issued once and reused; its label reveals nothing of it', async () => {
    const { clock, keeper, issue, issued, at } = setUp();
    expect(await clock.run(() => keeper.tokenFor(ann, issue))).toEqual({
      kind: 'token',
      label: 't1',
      credentials: { kind: 'bearer', token: 'secret-1' },
    });
    expect([await at(0), await at(800 * SECOND), issued.length]).toEqual(['t1', 't1', 1]);
  });

  it.each(['900', null, 0, -1, '2027-01-01T00:00:00Z'])(
    'lives for the default time where its own is told as %j, of which the specification says nothing',
    async (expiresIn) => {
      const { at } = setUp({ defaultLifetime: 100_000 }, undefined, expiresIn);
      expect([await at(0), await at(60 * SECOND), await at(71 * SECOND)]).toEqual(['t1', 't1', 't2']);
    },
  );

  it('belongs to one user of one application', async () => {
    const { at } = setUp();
    expect([
      await at(0),
      await at(0, { application: 'a2', label: 'u1' }),
      await at(0, { application: 'a1', label: 'u2' }),
      await at(0),
    ]).toEqual(['t1', 't2', 't3', 't1']);
  });

  it('is shared by callers at the same time', async () => {
    const { clock, keeper, issue, issued } = setUp();
    const results = await clock.run(() => Promise.all(Array.from({ length: 10 }, () => keeper.tokenFor(ann, issue))));
    expect(results.map((result) => result.kind === 'token' && result.label)).toEqual(
      Array.from({ length: 10 }, () => 't1'),
    );
    expect(issued).toEqual([0]);
  });

  it('is renewed before it expires, measured from when its call was sent', async () => {
    const { at } = setUp();
    expect([await at(0), await at(870 * SECOND - 1), await at(870 * SECOND)]).toEqual(['t1', 't1', 't2']);
  });

  it('is used until it expires if its call took longer than until it is due for renewal', async () => {
    const slow = (receivedAt: number) => {
      const made = setUp();
      const issue = async () => {
        await made.clock.sleepUntil(us(receivedAt));
        return { ...(await made.issue()), sentAt: us(0), receivedAt: us(receivedAt) };
      };
      const at = async (time: number) => {
        if (time > made.clock.now()) made.clock.set(us(time));
        const result = await made.clock.run(() => made.keeper.tokenFor(ann, issue));
        return result.kind === 'token' && result.label;
      };
      return { ...made, at };
    };
    const { keeper, at } = slow(880 * SECOND);
    expect([await at(0), await at(890 * SECOND)]).toEqual(['t1', 't1']);
    expect(keeper.usable(ann)?.label).toBe('t1');
    expect(await at(900 * SECOND)).toBe('t2');
  });

  it('is not usable from the instant at which it expires', async () => {
    const { clock, keeper, at } = setUp();
    await at(0);
    clock.set(us(900 * SECOND - 1));
    expect(keeper.usable(ann)?.label).toBe('t1');
    clock.set(us(900 * SECOND));
    expect(keeper.usable(ann)).toBeUndefined();
  });

  it('keeps its label if it comes again after others, as from a service that keeps one for each locale', async () => {
    const tokens = ['french', 'german', 'french', 'italian', 'german', 'french'];
    const { clock, keeper, issue } = setUp({}, (count) => ({ body: { access_token: tokens[count - 1] } }));
    const labels = [];
    for (const _ of tokens) {
      const adopted = keeper.adopt(ann, await clock.run(issue));
      labels.push(adopted.kind === 'token' && adopted.label);
    }
    expect(labels).toEqual(['t1', 't2', 't1', 't3', 't2', 't1']);
    keeper.mark401(ann, 't1');
    expect(keeper.current(ann)).toBeUndefined();
  });

  it('has one label for all users to whom it is given, and a 401 to one of them is no 401 to the others', async () => {
    const { keeper, issued, at } = setUp({}, () => ({ body: { access_token: 'of the application' } }));
    const bob = { application: 'a1', label: 'u2' };
    expect([await at(0), await at(0, bob), issued.length]).toEqual(['t1', 't1', 2]);
    keeper.markWorked(bob, 't1');
    keeper.mark401(bob, 't1');
    expect([keeper.current(ann)?.label, keeper.current(bob)]).toEqual(['t1', undefined]);
    expect([await at(0, bob), issued.length]).toEqual(['t1', 3]);
  });

  it('keeps its label if the service issues the same token again: a limit by token counts it as one', async () => {
    const { clock, keeper, issue, at } = setUp({}, (count) => ({
      body: { access_token: count < 3 ? 'same' : 'other' },
    }));
    expect([await at(0), await at(870 * SECOND), await at(1_740 * SECOND)]).toEqual(['t1', 't1', 't2']);
    const adopted = keeper.adopt(ann, await clock.run(issue));
    expect(adopted.kind === 'token' && adopted.label).toBe('t2');
  });

  it('is renewed after half of a short life, and by the default life if none is given', async () => {
    const short = setUp({}, () => ({}), 40);
    expect([await short.at(0), await short.at(20 * SECOND - 1), await short.at(20 * SECOND)]).toEqual([
      't1',
      't1',
      't2',
    ]);
    const unsaid = setUp({ defaultLifetime: 100_000 }, (count) => ({ body: { access_token: `x${count}` } }));
    expect([await unsaid.at(0), await unsaid.at(70 * SECOND - 1), await unsaid.at(70 * SECOND)]).toEqual([
      't1',
      't1',
      't2',
    ]);
  });

  it.each(['900', null, 0, -1, Number.NaN])(
    'of which the service tells a lifetime of %s lives as one of which it tells none',
    async (told) => {
      const { at, issued } = setUp({ defaultLifetime: 20_000 }, undefined, told);
      expect([await at(0), await at(9 * SECOND), await at(11 * SECOND), issued.length]).toEqual(['t1', 't1', 't2', 2]);
    },
  );

  it('lives in service time: 60 times as fast, 900 s are 15 s', async () => {
    const { at } = setUp({ serviceRate: 60 });
    expect([await at(0), await at(14.5 * SECOND - 1), await at(14.5 * SECOND)]).toEqual(['t1', 't1', 't2']);
  });

  it('that had expired when it came is usable until it has met an answer', async () => {
    const { clock, keeper, issue } = setUp();
    const late = async () => ({ ...(await issue()), sentAt: us(-900 * SECOND) });
    await clock.run(() => keeper.tokenFor(ann, late));
    expect(keeper.usable(ann)?.label).toBe('t1');
    keeper.markWorked(ann, 't1');
    expect(keeper.usable(ann)).toBeUndefined();
  });

  it('that cannot be renewed is used until it expires, and renewing is tried halfway each time', async () => {
    const { issued, at } = setUp({}, (count) => (count === 1 ? {} : { status: 500 }));
    expect([await at(0), await at(870 * SECOND), await at(875 * SECOND), await at(886 * SECOND)]).toEqual([
      't1',
      't1',
      't1',
      't1',
    ]);
    expect(issued.length).toBe(3);
    expect(await at(900 * SECOND)).toBe('status 500');
  });
});

describe('a refused token', () => {
  it('that had worked is replaced once, and never used again', async () => {
    const { keeper, issued, at } = setUp();
    for (const label of ['t1', 't2', 't3', 't4']) {
      expect(await at(0)).toBe(label);
      keeper.markWorked(ann, label);
      keeper.mark401(ann, label);
      keeper.mark401(ann, label);
    }
    expect([await at(0), issued.length]).toEqual(['t5', 5]);
  });

  it('is not used again if no other can be had', async () => {
    const { keeper, issued, at } = setUp({}, (count) => (count === 1 ? {} : { status: 500 }));
    expect(await at(0)).toBe('t1');
    keeper.markWorked(ann, 't1');
    keeper.mark401(ann, 't1');
    expect([await at(0), await at(1 * SECOND), issued.length]).toEqual(['status 500', 'status 500', 3]);
  });

  it('that never worked gets one more chance; then the user is rejected and nothing is issued', async () => {
    const { keeper, issued, at } = setUp();
    await at(0);
    keeper.mark401(ann, 't1');
    expect(await at(0)).toBe('t2');
    keeper.mark401(ann, 't2');
    expect([await at(0), await at(2_000 * SECOND), issued.length]).toEqual(['rejected', 'rejected', 2]);
    expect(await at(0, { application: 'a1', label: 'u2' })).toBe('t3');
  });

  it('that arrives late, for an older token, does not affect its successor', async () => {
    const { keeper, at } = setUp();
    await at(0);
    expect(await at(870 * SECOND)).toBe('t2');
    keeper.mark401(ann, 't1');
    keeper.mark401(ann, 'nobody');
    expect(await at(871 * SECOND)).toBe('t2');
  });

  it('is cleared when a step provides another token', async () => {
    const { clock, keeper, issue, at } = setUp();
    for (const label of ['t1', 't2']) {
      await at(0);
      keeper.mark401(ann, label);
    }
    expect(await at(0)).toBe('rejected');
    expect(keeper.adopt(ann, await clock.run(issue))).toMatchObject({ kind: 'token', label: 't3' });
    expect(await at(0)).toBe('t3');
    keeper.mark401(ann, 't3');
    expect(await at(0)).toBe('rejected');
  });
});

describe('an issuing call', () => {
  it.each([
    [{ status: 429 }, 'status 429'],
    [{ status: 500 }, 'status 500'],
    [{ status: 201, body: { kind: 'none' } }, 'wrong-shape'],
    [{ status: 201, body: undefined }, 'wrong-shape'],
    [{ kind: 'failed', failure: 'ECONNRESET' }, 'ECONNRESET'],
    [{ kind: 'censored', failure: 'deadline' }, 'deadline'],
  ] as const)('%j yields no token, the reply, and another call next time', async (over, because) => {
    const { clock, keeper, issue, issued } = setUp({}, () => over as Partial<ApiReply>);
    const result = await clock.run(() => keeper.tokenFor(ann, issue));
    expect(result).toMatchObject({ kind: 'none', because, reply: over });
    await clock.run(() => keeper.tokenFor(ann, issue));
    expect(issued.length).toBe(2);
  });

  it('that was not sent is no token either; what it throws reaches every waiting caller and is not kept', async () => {
    const { keeper, at } = setUp();
    expect(await keeper.tokenFor(ann, async () => undefined)).toEqual({ kind: 'none', because: 'not-sent' });
    const broken = async () => Promise.reject(new Error('defect'));
    const both = await Promise.allSettled([keeper.tokenFor(ann, broken), keeper.tokenFor(ann, broken)]);
    expect(both.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(await at(0)).toBe('t1');
  });

  it('that a step makes replaces the current token; one that failed leaves it', async () => {
    const { clock, keeper, issue, at } = setUp({}, (count) => (count === 3 ? { status: 429 } : {}));
    await at(0);
    expect(keeper.adopt(ann, await clock.run(issue))).toMatchObject({ label: 't2' });
    expect(keeper.adopt(ann, await clock.run(issue))).toMatchObject({ kind: 'none', because: 'status 429' });
    expect(await at(0)).toBe('t2');
  });
});
