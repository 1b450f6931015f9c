import { expect, it } from 'vitest';
import type { OperationId } from '../../api/index.ts';
import type { Summary } from '../../collect/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { emptyRun } from '../exporters/journals.exam.ts';
import { judgedRun } from '../judged-runs.exam.ts';
import { healthWarnings, presentWarnings } from './health-warnings.ts';
import { boundsInWords } from './latency-table.ts';

const calm = { kind: 'health', at: us(9_000_000), gcUs: us(0), backlog: 0 } as const;

it('warns of the present from its thresholds on, of a share of the interval that a record covers', () => {
  const below = { eventLoopP99Us: us(19_999), scheduleLagP99Us: us(9_999), cpuUs: us(1_799_999), backlog: 999 };
  expect(presentWarnings({ ...calm, ...below }, 2_000_000)).toEqual([]);
  // Too short an interval says nothing of the CPU.
  expect(presentWarnings({ ...calm, cpuUs: us(499_999) }, 499_999)).toEqual([]);
  expect(presentWarnings({ ...calm, cpuUs: us(500_000) }, 500_000)).toEqual(['the generator takes 100 % of a core']);
  const from = { eventLoopP99Us: us(20_000), scheduleLagP99Us: us(10_000), cpuUs: us(1_800_000), backlog: 1_000 };
  expect(presentWarnings({ ...calm, ...from }, 2_000_000)).toEqual([
    "the generator's event loop is 20 ms late",
    'requests leave 10 ms after they are due',
    'the generator takes 90 % of a core',
    '1,000 records wait for the disk',
  ]);
});

it('warns of every gap in the history, and of data that nobody asked for', () => {
  const { run, messages, health, ...rest } = judgedRun(emptyRun).summary;
  const holed: Summary = {
    ...rest,
    run: {
      ...run,
      complete: false,
      incompleteBecause: 'disk',
      missingSeq: 2,
      inFlightAtEnd: 1,
      exchanges: 3,
      serviceClock: 'assumed',
    },
    messages: { ...messages, unknown: 1 },
    health: { ...health, unasked: 1 },
  };
  expect(healthWarnings(holed)).toEqual([
    'the history is incomplete (the disk could not be written): the numbers cover only what was recorded',
    '2 exchanges sent but missing from the journal',
    '1 request sent without a recorded answer: each may have been admitted',
    '1 message without an answer: each may have cost quota',
    '1 connection closed because the service sent data that no request had asked for',
    "the service's clock is unknown: minutes and days are those of the generator's clock",
  ]);
  expect(healthWarnings({ ...rest, run, messages, health })).toEqual([]);
});

it('warns of what the service says in words that its profile does not list, and names the member of the profile', () => {
  const { turns, ...rest } = judgedRun(emptyRun).summary;
  const status = (operation: OperationId, what: string) => ({ operation, kind: 'status', what, count: 3 }) as const;
  const summary: Summary = {
    ...rest,
    turns: {
      ...turns,
      unlistedStatuses: [
        { status: 'DONE', count: 2 },
        { status: 'on\u001b hold', count: 1 },
        { status: 'paused', count: 1 },
      ],
      unlistedEvents: 1,
    },
    errors: [
      ...[status('readTurn', '203'), status('createConversation', '301'), status('sendMessage', '503')],
      // No profile can make it a success: a WebSocket is open with 101 only.
      status('openStream', '200'),
    ],
  };
  expect(healthWarnings(summary)).toEqual([
    'turns.open, completed and failed of the profile do not list the status "DONE", "on\\u{1b} hold", 1 more',
    'stream.events of the profile does not list the names of events of streams, or they are unreadable: 1',
    'readTurn was answered 203, an error unless success.readTurn of the profile lists it',
    '503 is an error unless errorCodes of the profile lists it in otherStatuses (and says otherBodies, if it has no code): 3',
  ]);
});

it('says how 503s can be refusals, unless others were', () => {
  const { refusals, ...rest } = judgedRun(emptyRun).summary;
  const errors = [{ operation: 'readTurn', kind: 'status', what: '503', count: 3 }] as const;
  expect(healthWarnings({ ...rest, refusals, errors })).toEqual([
    '503 is an error unless errorCodes of the profile lists it in otherStatuses (and says otherBodies, if it has no code): 3',
  ]);
  expect(healthWarnings({ ...rest, refusals: { ...refusals, total: 1 }, errors })).toEqual([]);
});

it('says how 403s can be refusals of an operation that also succeeds: of others they forbid', () => {
  const { operations: _, ...rest } = judgedRun(emptyRun).summary;
  const errors = [{ operation: 'readHistory', kind: 'status', what: '403', count: 10 }] as const;
  const warningsWith = (success: number, total = 0) => {
    const readHistory = { ...rest.total, byOutcome: { ...rest.total.byOutcome, success } };
    const refusals = { ...rest.refusals, total };
    return healthWarnings({ ...rest, operations: { readHistory }, refusals, errors });
  };
  expect(warningsWith(1)).toEqual([
    '403 is an error unless errorCodes of the profile lists it in otherStatuses (and says otherBodies, if it has no code): 10',
  ]);
  expect(warningsWith(0)).toEqual([]);
  expect(warningsWith(1, 1)).toEqual([]);
});

it('warns of delays of the generator from its thresholds on', () => {
  const { health, ...rest } = judgedRun(emptyRun).summary;
  const warningsWith = (eventLoopUs: number, lagUs: number, cpuShareMax: number) => {
    const scheduleLag = { count: 1, minUs: 0, meanUs: lagUs, maxUs: lagUs, percentiles: {} } as never;
    return healthWarnings({
      ...rest,
      health: { ...health, eventLoopP99MaxUs: us(eventLoopUs), scheduleLag, cpuShareMax },
    });
  };
  expect(warningsWith(19_999, 9_999, 0.899)).toEqual([]);
  expect(warningsWith(20_000, 10_000, 0.9)).toEqual([
    "the generator's event loop was late by up to 20 ms (p99): latencies include some of it",
    'requests left up to 10 ms (max) after they were due because of the generator itself',
    'the generator used 90 % of a core: it may be the bottleneck',
  ]);
});

it('tells of as many answers that were read late as the other files do, if some took longer by that than by the service', () => {
  const { health, ...rest } = judgedRun(emptyRun).summary;
  const warningsWith = (decisive: number) =>
    healthWarnings({
      ...rest,
      health: { ...health, lateReads: { count: 38, decisive, of: 1_004, maxUs: us(737_000) } },
    });
  expect(warningsWith(18)).toEqual([
    '38 of 1,004 answers may have been read up to 737 ms late, because the generator stood still: latencies include that',
  ]);
  expect(warningsWith(0)).toEqual([]);
});

it('bounds are told with the end that they lack', () => {
  const method = 'order-statistics';
  const [lowUs, highUs] = [us(4_100), us(9_800)];
  expect([
    boundsInWords({ lowUs, highUs, method }),
    boundsInWords({ lowUs, method }),
    boundsInWords({ highUs, method }),
    boundsInWords({ method }),
  ]).toEqual(['4.1 ms to 9.8 ms', '4.1 ms or more', '0 to 9.8 ms', 'too few samples']);
});
