import { z } from 'zod';
import { DurationText, limitSettings } from '../api/index.ts';

const { rate, concurrency, daily, order } = limitSettings(DurationText);
const max = z.int().min(1).max(1_000_000_000);
/** A limit as a number or an object, or a list of limits. An empty list means no limit. */
const oneOrMore = <Settings extends z.ZodType>(settings: Settings) =>
  z.union([max, settings, z.array(settings).max(8)]).optional();

/** The limits that the embedded sandbox enforces. Absent limits and members default to those that the profile declares. */
export const SandboxLimits = z
  .strictObject({
    rate: oneOrMore(rate).describe('Requests per window.'),
    concurrency: oneOrMore(concurrency).describe('Turns in process at the same time.'),
    daily: oneOrMore(daily).describe('New messages per day.'),
    order,
  })
  .optional()
  .describe('What the sandbox enforces; default: what the profile declares.');
