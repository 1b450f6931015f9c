import { type OperationId, operationIds } from '../../api/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { exchange, header } from '../exporters/journals.exam.ts';

/** All operations, each with samples only for p90, and all kinds of errors. */
export function crowdedRun(): JournalRecord[] {
  const exchanges = operationIds.flatMap((operation, o) =>
    Array.from({ length: 40 }, (_, i) => {
      const seq = o * 40 + i;
      const caps = {
        openTurns: us(1_500_000),
        requestsPerMinute: us(2_500_000),
        inFlight: us(700),
        connection: us(90),
      };
      const statuses: Partial<Record<OperationId, number>> = { issueToken: 203, sendMessage: 202 };
      const troubled = [
        { outcome: 'failed', failure: 'UND_ERR_SOCKET' },
        { outcome: 'refused', status: 429, error: { code: 'odd', retryable: true, requestId: 'r' } },
      ] as const;
      const members = i < 2 ? troubled[i as 0 | 1] : { status: statuses[operation] ?? 200 };
      const unmet = ['a sentence that is rather long, longer than what is left of a line, so that it wraps or ends'];
      const turn =
        operation === 'sendMessage'
          ? { turn: { id: `turn-${i}`, status: 'queued' }, message: { id: `m${i}`, digest: 'd' } }
          : {};
      return exchange(seq, {
        operation,
        capWaitUs: caps,
        sentAt: us(seq * 10_000 + 4_000_790),
        receivedAt: us(seq * 10_000 + 999_000_000),
        headersAt: us(seq * 10_000 + 4_201_000),
        expect: { checked: 1, unmet },
        ...turn,
        ...members,
      });
    }),
  );
  const health: JournalRecord = {
    kind: 'health',
    at: us(1_000_000),
    eventLoopP99Us: us(90_000),
    gcUs: us(0),
    backlog: 0,
    cpuUs: us(999_000),
  };
  const clock: JournalRecord = { kind: 'clock', at: us(0), serviceUs: us(0), plusMinusUs: us(0), rate: 3_600 };
  return [
    clock,
    header({ scenario: 'a-scenario-with-a-name-that-is-as-long-as-a-name-may-be-64-chars' }),
    ...exchanges,
    health,
  ];
}
