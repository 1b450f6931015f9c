import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../../api/index.ts';
import { type Exchange, profileWords } from '../../../history/index.ts';
import { accepted, exchange, us } from '../../../testing/history/sample-records.ts';
import { bySending, refOf } from '../reference.ts';
import { MessageGatherer } from './messages.ts';
import { PageGatherer } from './pages.ts';

const words = profileWords(TargetProfileSchema.parse({}));
const nobody = () => false;

describe('sendings of messages', () => {
  const outcomeOf = (members: Partial<Exchange>) => {
    const gatherer = new MessageGatherer(words);
    gatherer.add(accepted(1, 't1', 0, 5, members), 0, 1);
    return gatherer.finish(nobody).get('m-t1')?.[0];
  };

  it('were accepted, refused, rejected, or nobody knows', () => {
    expect(outcomeOf({})).toMatchObject({ outcome: 'accepted', turn: 't1', named: 0 });
    expect(outcomeOf({ status: 200 })).toMatchObject({ outcome: 'unknown' });
    expect(outcomeOf({ bodyProblem: 'cut' })).toMatchObject({ outcome: 'unknown' });
    expect(outcomeOf({ outcome: 'failed' })).toMatchObject({ outcome: 'unknown' });
    expect([399, 400, 499, 500].map((status) => outcomeOf({ status })?.outcome)).toEqual([
      ...['unknown', 'rejected', 'rejected', 'unknown'],
    ]);
    expect(outcomeOf({ outcome: 'refused', status: 429 })).toMatchObject({ outcome: 'refused', named: 0 });
    expect(outcomeOf({ status: 400 })).toMatchObject({ turn: undefined });
    const { turn: _, ...turnless } = accepted(1, 't1', 0, 5);
    const gatherer = new MessageGatherer(words);
    gatherer.add(turnless, 0, 1);
    expect(gatherer.finish(nobody).get('m-t1')?.[0]?.outcome).toBe('unknown');
  });

  it('are those of messages that have an id and a conversation, in the order of sending, without doubtful ones', () => {
    const gatherer = new MessageGatherer(words);
    const { conversation: _, ...nowhere } = accepted(8, 't1', 0, 5);
    const { message: __, ...nameless } = accepted(9, 't1', 0, 5);
    for (const one of [
      accepted(3, 't1', 20, 25),
      accepted(2, 't1', 10, 15, { worker: 1 }),
      accepted(1, 't1', 10, 15),
      accepted(4, 't1', 30, 35),
      accepted(5, 't2', 30, 35, { message: { id: 'm-t2', digest: 'd', textDigest: 'text' } }),
      accepted(4, 't3', 30, 35),
      nowhere,
      nameless,
      exchange({ seq: 7, operation: 'readTurn', conversation: 'c1', message: { id: 'm-t1', digest: 'd' } }),
    ])
      gatherer.add(one, 0, 1);
    const sends = gatherer.finish(({ seq }) => seq === 4);
    expect([...sends.keys()]).toEqual(['m-t1', 'm-t2']);
    expect(sends.get('m-t1')?.map(refOf)).toEqual([1, '1:2', 3]);
    expect(sends.get('m-t1')?.[0]).toMatchObject({ digest: 'd-t1', textDigest: 'd-t1', receivedAt: 15 });
    expect(sends.get('m-t2')?.[0]).toMatchObject({ digest: 'd', textDigest: 'text' });
  });

  it('stand in the order of sending, then of worker and number', () => {
    const at = (sentAt: number, worker: number, seq: number) => ({ sentAt, worker, seq });
    const all = [at(2, 0, 0), at(1, 1, 0), at(1, 0, 2), at(1, 0, 1)];
    expect([...all].sort(bySending)).toEqual([at(1, 0, 1), at(1, 0, 2), at(1, 1, 0), at(2, 0, 0)]);
  });
});

describe('pages of a history', () => {
  type Item = NonNullable<Exchange['history']>['items'][number];
  const item = (id: string, members: Partial<Item> = {}): Item => ({
    id,
    role: 'user',
    digest: `d-${id}`,
    createdAt: '2026-11-21T12:00:00.000Z',
    ...members,
  });
  const page = (seq: number, items: readonly unknown[], members: Partial<Exchange> = {}) =>
    exchange({
      seq,
      conversation: 'c1',
      sentAt: us(seq * 100),
      history: { limit: 50, offset: 0, items: items as Item[] },
      ...members,
    });
  const gathered = (...all: Exchange[]) => {
    const gatherer = new PageGatherer(words);
    for (const one of all) gatherer.add(one, one.conversation === 'c2' ? 2 : 1);
    return gatherer.finish(({ seq }) => seq === 666);
  };

  it('show each message once, however often they are read; with another content it is another item', () => {
    const changed = [item('i1', { role: 'assistant' }), item('i2', { digest: 'other' }), item('i1')];
    const read = gathered(page(2, changed), page(1, [item('i1'), item('i2')]), page(666, [item('i3')])).get(1);
    expect(read?.id).toBe('c1');
    expect(read?.items).toMatchObject([
      { id: 'i1', role: 'assistant', digest: 'd-i1' },
      { id: 'i2', role: 'user', digest: 'other' },
      { id: 'i1', role: 'user', digest: 'd-i1' },
      { id: 'i2', role: 'user', digest: 'd-i2' },
      { id: 'i3', role: 'user', digest: 'd-i3' },
    ]);
    expect(read?.items.map(({ createdUs }) => createdUs)).toEqual(new Array(5).fill(1_795_262_400_000_000));
    expect(read?.base).toEqual([0, 1, 0, 1, 4]);
    expect(['i1', 'i2', 'i3', 'i4'].map((id) => read?.find(id))).toEqual([0, 1, 4, undefined]);
    expect(read?.pages.map(({ seq, items }) => [seq, ...items])).toEqual([
      [1, 2, 3],
      [2, 0, 1, 2],
    ]);
    expect(read?.pages[0]).toMatchObject({ sentAt: 100, receivedAt: 1_100, arrival: 0, step: 0, limit: 50, offset: 0 });
  });

  it('are those that could be read, of one conversation of one user', () => {
    const sound = (one: Exchange) => gathered(one).size === 1;
    expect(sound(page(1, [item('i1')]))).toBe(true);
    expect(sound(page(1, []))).toBe(true);
    expect(sound(page(1, [], { status: 404 }))).toBe(false);
    expect(sound(page(1, [], { bodyProblem: 'cut' }))).toBe(false);
    expect(sound(page(1, [], { operation: 'readTurn' }))).toBe(false);
    const { conversation: _, ...nowhere } = page(1, []);
    const { history: __, ...empty } = page(1, []);
    expect([nowhere, empty].map(sound)).toEqual([false, false]);
    for (const broken of [null, 'i1', 7, undefined, {}]) expect(sound(page(1, [item('i1'), broken]))).toBe(false);
    for (const member of ['id', 'role', 'digest', 'createdAt'] as const)
      expect(sound(page(1, [{ ...item('i1'), [member]: 7 }])), member).toBe(false);
    expect([...gathered(page(1, []), page(2, []), page(3, [], { conversation: 'c2' })).keys()]).toEqual([1, 2]);
  });

  it('say which message is older than one before it, and by how much: the one by most', () => {
    const older = (...instants: string[]) =>
      gathered(
        page(
          1,
          instants.map((createdAt, i) => item(`i${i}`, { createdAt })),
        ),
      ).get(1)?.pages[0]?.older;
    const at = (second: string, zone = 'Z') => `2026-11-21T12:00:${second}${zone}`;
    const secondBy = (byUs: number) => ({ position: 1, byUs });
    expect(older(at('01'), at('02'), at('02'))).toBeUndefined();
    expect(older(at('01'), at('02'), at('01'))).toEqual({ position: 2, byUs: 1e6 });
    expect(older(at('02'), at('01'), at('00'))).toEqual({ position: 2, byUs: 2e6 });
    expect(older(at('03'), at('00'), at('02'), at('04'))).toEqual(secondBy(3e6));
    // Of one instant, and of different lengths and zones.
    expect(older(at('01.5'), at('01.500'))).toBeUndefined();
    expect(older(at('01.50'), at('01.4'))).toEqual(secondBy(1e5));
    expect(older(at('01.4'), at('01.50'))).toBeUndefined();
    expect(older(at('01'), '2026-11-21T13:00:02+01:00')).toBeUndefined();
    expect(older(at('03'), '2026-11-21T13:00:02+01:00')).toEqual(secondBy(1e6));
    expect(older('2026-11-21T13:00:02+01:00', '2026-11-21T13:30:02+02:00')).toEqual(secondBy(1_800e6));
    // What cannot be read is older than nothing.
    expect(older(at('03'), 'yesterday')).toBeUndefined();
    expect(older('zzz', at('03'))).toBeUndefined();
    expect(older(at('03'), '2026-11-20')).toBeUndefined();
  });
});
