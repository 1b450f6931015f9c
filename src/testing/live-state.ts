import type { LiveState } from '../report/index.ts';
import { us } from './history/sample-records.ts';

/** A live state with defaults, for tests of its displays. */
export const liveState = (members: Partial<LiveState> = {}): LiveState => ({
  phase: 'burst',
  phases: [{ name: 'burst', startUs: us(0), durationUs: us(40_000_000) }],
  windowUs: us(60_000_000),
  elapsedUs: us(12_300_000),
  leftUs: us(27_700_000),
  requests: 1_200,
  perSecond: 4.23,
  minute: { used: 20, max: 20 },
  openTurns: { used: 1, max: 2 },
  today: { used: 31, max: 50 },
  refused: { rate: 12, concurrency: 3, daily: 0, unattributed: 1 },
  errors: 2,
  drops: 1,
  service: { p50Us: us(12_000), p95Us: us(40_200) },
  warnings: [],
  ...members,
});
