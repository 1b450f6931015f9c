import { z } from 'zod';
import { DurationText } from '../../api/index.ts';
import type { Millis } from '../../base/index.ts';

/** Text with a unit, or a number of milliseconds: parsed settings are sent between processes as plain data. */
export const Duration = z.union([
  z
    .number()
    .min(0)
    .transform((ms) => ms as Millis),
  DurationText,
]);
