import { describe, expect, it } from 'vitest';
import { CoreClient, conversationId } from '../core-client.exam.ts';
import type { JsonAnswer, Outcome, StreamAnswer } from '../replies.ts';
import { type FaultExam, sitFaultExam } from './fault.exam.ts';
import type { FaultName } from './registry.ts';

const json = (outcome: Outcome): JsonAnswer => {
  if (outcome.kind !== 'json') throw new Error(`not an answer with a body but ${outcome.kind}`);
  return outcome;
};
const stream = (outcome: Outcome): StreamAnswer => {
  if (outcome.kind !== 'stream') throw new Error(`not a stream but ${outcome.kind}`);
  return outcome;
};
const sequences = (outcome: Outcome) => stream(outcome).events.map(({ event }) => event.sequence);
const errorOf = (outcome: Outcome) => {
  const { status, body } = json(outcome);
  const { code, retryable } = (body as { error: { code: string; retryable: boolean } }).error;
  return [status, code, retryable];
};

/** A fault that is not here does not compile. */
const exams: Readonly<Record<FaultName, FaultExam>> = {
  latency: {
    rule: 'sendMessage:latency:constant:200ms',
    decides: true,
    check: (outcome, honest) => {
      expect(outcome.delivery).toEqual({ delayUs: 200_000 });
      expect(json(outcome).body).toEqual(json(honest).body);
    },
  },
  'status-500': {
    rule: 'sendMessage:status-500',
    decides: false,
    check: (outcome) => expect(errorOf(outcome)).toEqual([500, 'internal', true]),
  },
  'status-502': {
    rule: 'sendMessage:status-502',
    decides: true,
    check: (outcome) => expect(errorOf(outcome)).toEqual([502, 'bad_gateway', true]),
  },
  'status-503': {
    rule: 'sendMessage:status-503',
    decides: false,
    check: (outcome) => expect(errorOf(outcome)).toEqual([503, 'unavailable', true]),
  },
  'reset-before': {
    rule: 'sendMessage:reset-before',
    decides: false,
    check: (outcome) => expect(outcome).toEqual({ kind: 'silence', ending: 'reset', decided: false }),
  },
  'reset-after': {
    rule: 'sendMessage:reset-after',
    decides: true,
    check: (outcome) => expect(outcome).toEqual({ kind: 'silence', ending: 'reset', decided: true }),
  },
  stall: {
    rule: 'sendMessage:stall',
    decides: true,
    check: (outcome) => expect(outcome).toEqual({ kind: 'silence', ending: 'stall', decided: true }),
  },
  'half-answer': {
    rule: 'sendMessage:half-answer',
    decides: true,
    check: (outcome) => expect(outcome.delivery).toEqual({ manner: { kind: 'half' } }),
  },
  'slow-drip': {
    rule: 'sendMessage:slow-drip:2s',
    decides: true,
    check: (outcome) => expect(outcome.delivery).toEqual({ manner: { kind: 'drip', lastingUs: 2_000_000 } }),
  },
  'wrong-type': {
    rule: 'sendMessage:wrong-type',
    decides: true,
    check: (outcome) => expect(outcome.delivery).toEqual({ contentType: 'text/html' }),
  },
  oversized: {
    rule: 'sendMessage:oversized:9000000',
    decides: true,
    check: (outcome) => expect(outcome.delivery).toEqual({ padToBytes: 9_000_000 }),
  },
  'stream-drop': {
    rule: 'openStream:stream-drop',
    decides: true,
    check: (outcome, honest) => {
      const { delivery, events } = stream(outcome);
      expect(events).toEqual(stream(honest).events);
      expect(delivery?.cutAfter).toBeGreaterThanOrEqual(0);
      expect(delivery?.cutAfter).toBeLessThan(events.length);
    },
  },
  'stream-duplicate': {
    rule: 'openStream:stream-duplicate',
    decides: true,
    check: (outcome, honest) => {
      expect(sequences(outcome)).toEqual(sequences(honest).flatMap((sequence) => [sequence, sequence]));
    },
  },
  'stream-reorder': {
    rule: 'openStream:stream-reorder',
    decides: true,
    check: (outcome, honest) => {
      const told = sequences(outcome);
      expect([...told].sort((a, b) => a - b)).toEqual(sequences(honest));
      expect(told.slice(-2)).toEqual([told.length, told.length - 1]);
      const { events } = stream(outcome);
      for (const { at, event } of events) expect(at / 1_000).toBeGreaterThanOrEqual(Date.parse(event.at));
      expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b));
    },
  },
  'clock-skew': {
    rule: 'sendMessage:clock-skew:-90s',
    decides: true,
    check: (outcome, honest) => {
      const created = (each: Outcome) => Date.parse((json(each).body as { created_at: string }).created_at);
      expect(created(outcome) - created(honest)).toBe(-90_000);
      expect(outcome.delivery).toEqual({ dateOffsetUs: -90_000_000 });
    },
  },
  'store-outage': {
    rule: 'sendMessage:store-outage',
    decides: true,
    check: (outcome) => expect(errorOf(outcome)).toEqual([500, 'internal', true]),
  },
};

describe.each(Object.entries(exams))('the fault %s', (_name, exam) => sitFaultExam(exam));

describe('faults that say when they strike', () => {
  it.each([
    ['sendMessage:status-500:after', 1],
    ['sendMessage:status-500:before', 0],
    ['sendMessage:status-502:before', 0],
    ['sendMessage:stall:before', 0],
    ['sendMessage:stall:after', 1],
  ])('%s leaves %i turn behind', (rule, turns) => {
    const client = new CoreClient({ faults: [rule] });
    client.converse();
    client.outcome('sendMessage', {
      parameters: { conversation_id: conversationId },
      json: { client_message_id: 'a', message: 'x' },
    });
    const truth = client.core.truth(client.now);
    expect(truth.turns).toHaveLength(turns);
    expect(truth.limits.daily.admitted).toBe(turns);
  });
});

describe('several faults', () => {
  it('apply to one request from the outermost to the innermost, and each counts requests that an outer fault keeps from the inner ones', () => {
    const faults = [
      'readTurn:latency:constant:1s',
      'readTurn:latency:constant:2s',
      'readTurn:status-500:#2',
      '*:stall:#100',
    ];
    const client = new CoreClient({ faults });
    client.converse();
    const { turn_id } = client.send('a').body;
    const [first, second] = [1, 2].map(() => client.outcome('readTurn', { parameters: { turn_id } }));
    expect(first && [json(first).status, json(first).delivery]).toEqual([200, { delayUs: 3_000_000 }]);
    expect(second && [json(second).status, json(second).delivery]).toEqual([500, { delayUs: 3_000_000 }]);
    expect(client.core.truth(client.now).faults).toEqual({
      'readTurn:latency:constant:1s': 2,
      'readTurn:latency:constant:2s': 2,
      'readTurn:status-500:#2': 1,
      '*:stall:#100': 0,
    });
  });

  it('lose an answer that an inner fault has held back only when it would have come', () => {
    const client = new CoreClient({ faults: ['*:reset-after:#2', '*:latency:constant:1s'] });
    expect(client.outcome('createConversation', { json: {} })).toEqual({
      kind: 'silence',
      ending: 'reset',
      decided: true,
      delivery: { delayUs: 1_000_000 },
    });
  });

  it('number requests by rule: * counts all, also those for no operation', () => {
    const client = new CoreClient({ faults: ['*:status-503:#3'] });
    const statuses = [undefined, 'createConversation', 'createConversation'].map(
      (operation) => client.call(operation as 'createConversation' | undefined, { json: {} }).status,
    );
    // The login was the first.
    expect(statuses).toEqual([404, 503, 201]);
  });
});

describe('a store outage', () => {
  const limits = { rate: { max: 3 }, concurrency: { max: 1 }, daily: { max: 1 } };
  const statusesOf = (rule: string | undefined, requests = 6) => {
    const client = new CoreClient({ limits, ...(rule !== undefined && { faults: [rule] }) });
    const statuses = Array.from({ length: requests }, () => client.call('createConversation', { json: {} }).status);
    return { statuses, truth: client.core.truth(client.now) };
  };

  it('answers 500 and changes nothing', () => {
    const { statuses, truth } = statusesOf('createConversation:store-outage:#2-3');
    expect(statuses).toEqual([201, 500, 500, 201, 201, 429]);
    expect([truth.conversations, truth.limits.rate]).toEqual([3, { admitted: 3, refused: 1 }]);
    expect(truth.requests.createConversation).toEqual({ 201: 3, 429: 1, 500: 2 });
  });

  it('fails open: admitted without being counted, and the limits continue afterwards from their earlier state', () => {
    const { statuses, truth } = statusesOf('createConversation:store-outage:open:#1-3', 7);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 429]);
    expect(truth.limits.rate).toEqual({ admitted: 3, refused: 1 });
  });

  it('fails closed: 503 and no unit taken', () => {
    const { statuses, truth } = statusesOf('createConversation:store-outage:closed:#1-3', 7);
    expect(statuses).toEqual([503, 503, 503, 201, 201, 201, 429]);
    expect(truth.limits.rate).toEqual({ admitted: 3, refused: 1 });
  });
});
