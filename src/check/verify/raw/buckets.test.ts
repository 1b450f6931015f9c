import { describe, expect, it } from 'vitest';
import { operationIds } from '../../../api/index.ts';
import { exchange } from '../../../testing/history/sample-records.ts';
import type { ScopeLabels } from '../../evidence/slice.ts';
import { countedAs, Raw } from './buckets.ts';
import { countedOperations, inScope, type Labels, mayShare, needNotShare, usersIn } from './raw.ts';

const bearer = ['createConversation', 'sendMessage', 'readTurn', 'openStream', 'readHistory', 'rateAnswer'];

describe('a counting’s name', () => {
  it.each<[string, object]>([
    ['all', { operations: operationIds, replays: true }],
    ['bearer', { operations: bearer, replays: true }],
    ['bearer, replays free', { operations: bearer, replays: false }],
    ['bearer without openStream', { operations: bearer.filter((id) => id !== 'openStream'), replays: true }],
    [
      'bearer without openStream and readTurn',
      { operations: ['createConversation', 'sendMessage', 'readHistory', 'rateAnswer'], replays: true },
    ],
    ['sendMessage', { operations: ['sendMessage'], replays: true }],
    ['sendMessage readTurn', { operations: ['sendMessage', 'readTurn'], replays: true }],
    ['teapot', { operations: [], replays: true }],
    ['all, invalid counted', { operations: operationIds, replays: true, invalid: true }],
    [
      'all, invalid free, refused later counted',
      { operations: operationIds, replays: true, invalid: false, refusedLater: true },
    ],
    ['all, refused later free', { operations: operationIds, replays: true, refusedLater: false }],
  ])('%s', (name, counting) => {
    expect(countedOperations(name)).toEqual(counting);
  });

  it('says of each attempt whether it counts', () => {
    const plain = countedOperations('all');
    expect(countedAs(Raw.admitted, false, plain)).toBe('surely');
    expect(countedAs(Raw.admitted, true, plain)).toBe('surely');
    expect(countedAs(Raw.admitted, true, countedOperations('all, replays free'))).toBe('perhaps');
    expect(countedAs(Raw.admitted, false, countedOperations('all, replays free'))).toBe('surely');
    for (const [flag, what] of [
      [Raw.invalid, 'invalid'],
      [Raw.refusedElsewhere | Raw.refusedLater, 'refused later'],
    ] as const) {
      expect(countedAs(flag, false, plain)).toBe('perhaps');
      expect(countedAs(flag, false, countedOperations(`all, ${what} counted`))).toBe('surely');
      expect(countedAs(flag, false, countedOperations(`all, ${what} free`))).toBe('free');
      expect(countedAs(flag, true, countedOperations(`all, ${what} free`))).toBe('perhaps');
      expect(countedAs(Raw.answered, false, countedOperations(`all, ${what} free`))).toBe('perhaps');
    }
    expect(countedAs(Raw.doubted, false, countedOperations('all, invalid counted'))).toBe('perhaps');
    expect(countedAs(Raw.refusedElsewhere, false, countedOperations('all, refused later counted'))).toBe('perhaps');
    expect(countedAs(Raw.refusedElsewhere, false, countedOperations('all, refused later free'))).toBe('free');
  });
});

describe('a scope', () => {
  it('has the exchanges that bear its labels', () => {
    const one = exchange({ seq: 1, token: 't1', conversation: 'c1' });
    expect(inScope(one, {})).toBe(true);
    expect(inScope(one, { application: 'a1', conversation: 'c1' })).toBe(true);
    expect(inScope(one, { application: 'a1', conversation: 'c2' })).toBe(false);
    expect(inScope(one, { operation: 'readTurn' })).toBe(false);
  });

  it('may have those that do not name what it names', () => {
    const user = { application: 'a1', user: 'u1' };
    const token = { ...user, token: 't1' };
    const conversation = { ...token, conversation: 'c1' };
    const named = [
      { ...user, ...conversation },
      { application: 'a1', user: 'u3', conversation: 'c1' },
    ];
    const may = (labels: Labels, scope: ScopeLabels) => mayShare(labels, scope, usersIn(scope, named));
    expect(may({ ...user, token: undefined }, token)).toBe(true);
    expect(may({ ...user, token: 't2' }, token)).toBe(false);
    expect(may({ application: 'a1', user: 'u2' }, token)).toBe(false);
    expect(may({ application: 'a1', user: 'u3' }, token)).toBe(false);
    expect(may({ application: 'a2', user: 'u1' }, token)).toBe(false);
    expect(may({ ...user }, user)).toBe(false);
    expect(may({ ...user, token: 't1' }, conversation)).toBe(true);
    expect(may({ ...user, token: 't1', conversation: 'c2' }, conversation)).toBe(false);
    expect(may({ application: 'a1', user: 'u2', conversation: 'c1' }, conversation)).toBe(true);
    expect(may({ application: 'a1', user: 'u2' }, conversation)).toBe(false);
    expect(may({ application: 'a1', user: 'u3' }, conversation)).toBe(true);
    expect(may({ application: 'a2', user: 'u3' }, conversation)).toBe(false);
    expect(may({ ...user, token: 't1' }, { ...conversation, operation: 'readTurn' })).toBe(false);
    expect(may({ ...user }, { ...token, operation: 'readTurn' })).toBe(false);
  });

  it('need not have those who ask for what it names', () => {
    expect(needNotShare({ application: 'a1' })).toEqual([]);
    expect(needNotShare({ user: 'u1' })).toEqual(['issueToken']);
    expect(needNotShare({ user: 'u1', conversation: 'c1' })).toEqual(['issueToken', 'createConversation']);
  });
});
