import { z } from 'zod';
import { DurationText, limitSettings } from '../api/index.ts';

const { rate, concurrency, daily, order } = limitSettings(DurationText);
const max = z.int().min(1).max(1_000_000_000);
/** A limit by its number, with its settings, or several at once; an empty list is no limit. */
const oneOrMore = <Settings extends z.ZodType>(settings: Settings) =>
  z.union([max, settings, z.array(settings).max(8)]).optional();

/** What the embedded sandbox enforces. What is absent, also within a limit, is what the profile declares. */
export const SandboxLimits = z
  .strictObject({
    rate: oneOrMore(rate).describe('Requests per window.'),
    concurrency: oneOrMore(concurrency).describe('Turns in process at once.'),
    daily: oneOrMore(daily).describe('New messages per day.'),
    order,
  })
  .optional()
  .describe('What the sandbox enforces; default: what the profile declares.');
