import { describe, expect, it } from 'vitest';
import type { HealthRecord, JournalRecord } from '../history/index.ts';
import { exchange, us } from '../testing/history/sample-records.ts';
import { judge, renderVerdicts } from './index.ts';
import { admitted, journal, rateIn } from './rate-histories.exam.ts';

/*
 * A middlebox that sends an answer twice gives the second one to the next request of its connection, and that one's answer to the
 * request after it. Nobody can tell, until one is left over and ends the connection.
 */

const unaskedOn = (connections: readonly number[], over: Partial<HealthRecord> = {}): JournalRecord => ({
  ...{ kind: 'health', at: us(90_000_000), gcUs: us(0), backlog: 0 },
  ...{ unasked: connections.length, unaskedOn: connections },
  ...over,
});

describe('answers on a connection on which data came that no request had asked for', () => {
  const flood = admitted(45, 100_000);
  const on = (connection: (i: number) => number, worker?: number) =>
    flood.map((one, i) => ({ ...one, connection: connection(i), ...(worker !== undefined && { worker }) }));

  it('prove nothing, and are named', () => {
    const all = on(() => 7);
    expect(rateIn(judge(journal(all))).verdict).toBe('violated');
    const verdicts = judge(journal([...all, unaskedOn([7])]));
    expect(rateIn(verdicts).verdict).toBe('undecided');
    expect(verdicts.soundness.skipped).toEqual({
      'answered on a connection with data that no request had asked for': 44,
    });
    expect(renderVerdicts(verdicts)).toContain('44 × answered on a connection with data that no request had asked for');
  });

  it('are believed if they are the first of their connection, as nothing came before them', () => {
    const connections = flood.map((_, i) => i);
    const verdicts = judge(journal([...on((i) => i), unaskedOn(connections)]));
    expect(rateIn(verdicts).verdict).toBe('violated');
    expect(verdicts.soundness.skipped).toEqual({});
  });

  it('say nothing against those of other connections and other workers', () => {
    for (const health of [unaskedOn([8]), unaskedOn([7], { worker: 2 })])
      expect(rateIn(judge(journal([...on(() => 7, 1), health]))).verdict).toBe('violated');
    expect(rateIn(judge(journal([...on(() => 7, 1), unaskedOn([7], { worker: 1 })]))).verdict).toBe('undecided');
  });

  it('convict nobody of giving two messages one turn', () => {
    const sent = (seq: number, message: string) =>
      exchange({
        ...{ seq, operation: 'sendMessage', status: 202, connection: 3, conversation: 'c1' },
        ...{ sentAt: us(seq * 1_000), headersAt: us(seq * 1_000 + 500), receivedAt: us(seq * 1_000 + 600) },
        message: { id: message, digest: message.repeat(16) },
        turn: { id: 't1', status: 'queued' },
      });
    const records = [exchange({ seq: 0, connection: 3 }), sent(1, 'm1'), sent(2, 'm2')];
    const kinds = (all: readonly JournalRecord[]) => judge(journal([...all])).findings.map(({ kind }) => kind);
    expect(kinds(records)).toContain('turn-of-another-message');
    expect(kinds([...records, unaskedOn([3])])).not.toContain('turn-of-another-message');
  });
});
