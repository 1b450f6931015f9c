import { expect, it } from 'vitest';
import { serviceTimeOf } from './service-time.ts';

it.each([
  ['2026-01-15T09:00:00Z', 0],
  ['2026-01-15T09:00:00.5Z', 500_000],
  ['2026-01-15T09:00:00.3451Z', 345_100],
  ['2026-01-15T09:00:00.34512Z', 345_120],
  ['2026-01-15T09:00:00.345126Z', 345_126],
  ['2026-01-15T09:00:00.3451269Z', 345_126],
  ['2026-01-15T11:00:00.345126+02:00', 345_126],
])('reads %s to the microsecond', (text, us) => {
  expect(serviceTimeOf(text) - Date.UTC(2026, 0, 15, 9) * 1_000).toBe(us);
});
