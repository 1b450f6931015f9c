import type { JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { clock, end, exchange, header, uuid } from './journals.exam.ts';

/** Names that users and services might choose. */
const hostileNames = {
  formulas: ['=1+1', '+cmd', '-2+3', '@SUM(A1)'],
  delimiters: 'Ask, "quoted"\nand broken; œuvre 問い 👩‍🚀',
  controls: '\u001b[31mred\u001b[0m\u0007\r\u009b2J\u202eevil',
} as const;

export const hostileRun: readonly JournalRecord[] = [
  header({
    scenario: hostileNames.controls,
    stages: [hostileNames.controls, hostileNames.delimiters, '=1+1'].map((name, index) => ({
      name,
      fromUs: us(index * 20_000),
      toUs: us((index + 1) * 20_000),
      arrivalsPerMinute: { from: index, to: index + 1 },
    })),
  }),
  clock,
  ...hostileNames.formulas.map((journey, seq) =>
    exchange(seq, { journey, outcome: 'answered', status: 200, headersAt: us(seq * 10_000 + 5_000) }),
  ),
  exchange(4, { journey: hostileNames.delimiters, status: 200, headersAt: us(45_000) }),
  exchange(5, {
    outcome: 'refused',
    status: 429,
    headersAt: us(55_000),
    error: { code: hostileNames.controls, retryable: true, requestId: uuid(5) },
    retryAfter: '=2',
    headers: { ratelimit: hostileNames.controls },
  }),
  exchange(6, { outcome: 'failed', failure: hostileNames.controls }),
  {
    kind: 'journey',
    arrival: 0,
    journey: hostileNames.controls,
    startedAt: us(0),
    endedAt: us(70_000),
    outcome: 'stopped',
    stoppedAt: { operation: 'readTurn', because: hostileNames.controls },
  },
  end(7, 1_000_000),
];
