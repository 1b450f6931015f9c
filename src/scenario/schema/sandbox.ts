import { z } from 'zod';
import { DurationText, defectIds, LatencyDistribution, limitSettings, sandboxTimeRules } from '../../api/index.ts';
import { PositiveDuration } from './values.ts';

const { rate, concurrency, daily, order } = limitSettings(DurationText);
const max = z.int().min(1).max(1_000_000_000);
/** A limit as a number or an object, or a list of limits. An empty list means no limit. */
const oneOrMore = <Settings extends z.ZodType>(settings: Settings) =>
  z.union([max, settings, z.array(settings).max(8)]).optional();

/** The limits that the embedded sandbox enforces. Absent limits and members default to those that the profile declares. */
const Limits = z
  .strictObject({
    rate: oneOrMore(rate).describe('Requests per window.'),
    concurrency: oneOrMore(concurrency).describe('Turns in process at the same time.'),
    daily: oneOrMore(daily).describe('New messages per day.'),
    order,
  })
  .optional()
  .describe('What the sandbox enforces; default: what the profile declares.');

/** Settings of the embedded sandbox in a scenario. */
export const Sandbox = z.strictObject({
  clockRate: z
    .number()
    .min(0.001)
    .max(100_000)
    .default(1)
    .describe("Speed of the service's clock: with 60, a minute passes in one second."),
  startTime: z.iso
    .datetime({ offset: true, error: 'must be an instant; write for example 2026-11-21T09:00:00Z' })
    .refine(...sandboxTimeRules.startTime)
    .optional()
    .describe("Time of the service's clock when the run starts, from 1970 to 2199; default now."),
  latency: z
    .strictObject({
      queued: LatencyDistribution.optional().describe(
        "Time from accepted to processing, on the service's clock. Default: lognormal, median 200ms, p95 500ms.",
      ),
      processing: LatencyDistribution.optional().describe(
        "Time from processing to finished, on the service's clock. Default: lognormal, median 2s, p95 5s.",
      ),
    })
    .optional()
    .describe('How long turns take.'),
  failureShare: z.number().min(0).max(1).optional().describe('Share of turns that fail; default 0.'),
  tokenLifetime: PositiveDuration.refine(...sandboxTimeRules.tokenLifetime)
    .optional()
    .describe("On the service's clock; at least 1ms. Default 15min."),
  limits: Limits,
  defects: z
    .array(z.enum(defectIds))
    .optional()
    .describe('Defects of the sandbox, by id; `spillway sandbox --list-defects` describes them.'),
  faults: z
    .array(z.string())
    .optional()
    .describe(
      'Ways in which answers and streams of the sandbox fail, each OPERATION:FAULT[:PARAMETER][:WHEN]; `spillway sandbox --help` describes them.',
    ),
  defectLag: PositiveDuration.refine(...sandboxTimeRules.defectLag)
    .optional()
    .describe(
      "For defects that are race conditions: how long after a write reads still see the old state, on the service's clock. Default: 50 ms of the run's, at most an hour.",
    ),
});
