import { z } from 'zod';
import { type DefectId, LatencyDistribution, sandboxTimeRules, wholeNumber } from '../../api/index.ts';
import type { Millis } from '../../base/index.ts';
import { Duration } from './duration.ts';
import { Limits } from './limits.ts';
import { Retention } from './retention.ts';

type Loosened<T> = T extends Millis ? number | string : T;
type LatencyInput = {
  [Kind in LatencyDistribution as Kind['distribution']]: { [K in keyof Kind]: Loosened<Kind[K]> };
}[LatencyDistribution['distribution']];

const textOfMillis = (value: unknown): unknown =>
  typeof value === 'number' && value > 0 ? `${Number(value.toFixed(3))}ms` : value;

function withTexts(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, textOfMillis(part)]));
  context.addIssue({ code: 'custom', message: 'must be an object such as { distribution: constant, value: 1s }' });
  return z.NEVER;
}

/** `LatencyDistribution` of `api/`, which also accepts its own parsed form (milliseconds as numbers). */
const Latency = z.preprocess(withTexts, LatencyDistribution) as unknown as z.ZodType<LatencyDistribution, LatencyInput>;

const Application = z.strictObject({
  label: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be 1 to 32 letters, digits, hyphens or underscores')
    .describe('Name in reports and in the truth; never a credential.'),
  clientId: z
    .string()
    .regex(/^[^:\s]{1,255}$/, 'must be 1 to 255 characters without colon or space')
    .optional()
    .describe('Absent: random.'),
  clientSecret: z.string().min(8).max(255).optional().describe('Absent: random.'),
});

/** How a rule of `faults` and an id of `defects` are checked. */
interface Rules {
  readonly fault: z.ZodType<string, string>;
  readonly defect: z.ZodType<DefectId, string>;
}

/**
 * The settings of a sandbox, each checked by itself. The rules are given, because faults and defects know the service, and the
 * service knows these settings.
 */
export const sandboxMembers = ({ fault, defect }: Rules) =>
  z.strictObject({
    host: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
    port: wholeNumber().min(0).max(65_535).default(0).describe('Port to listen on; 0 takes a free one.'),
    seed: wholeNumber()
      .min(0)
      .max(0xffff_ffff)
      .default(1)
      .describe('The same seed and requests give the same turns and answers.'),
    clock: z
      .enum(['running', 'manual'])
      .default('running')
      .describe('A manual clock stands still until the control plane moves it.'),
    clockRate: z.number().min(0.001).max(100_000).default(1).describe('Service seconds per second.'),
    startTime: z.iso
      .datetime({ offset: true })
      .refine(...sandboxTimeRules.startTime)
      .optional()
      .describe(
        'Service time at the start; default: the current time. Ignored with a store that was used before: its clock continues.',
      ),
    store: z
      .string()
      .min(1)
      .optional()
      .describe('File that stores the state of the service, so that it survives the process; absent: memory only.'),
    retention: Retention.prefault({}),
    limits: Limits.prefault({}),
    latency: z
      .strictObject({
        queued: Latency.prefault({ distribution: 'lognormal', median: '200ms', p95: '500ms' }).describe(
          'From accepted to processing.',
        ),
        processing: Latency.prefault({ distribution: 'lognormal', median: '2s', p95: '5s' }).describe(
          'From processing to finished.',
        ),
      })
      .prefault({}),
    failureShare: z.number().min(0).max(1).default(0).describe('Share of turns that fail.'),
    faults: z
      .array(fault)
      .default([])
      .describe('Faults to inject into requests and answers, one rule each: OPERATION:FAULT[:PARAMETER][:WHEN].'),
    defects: z
      .array(defect)
      .default([])
      .describe(
        'Ids of the defects that the service has. A defect sets the settings that it needs unless they are given.',
      ),
    defectsSay: z
      .record(z.string(), z.string())
      .optional()
      .describe('Descriptions of the defects, as GET /_sandbox/config returns them; ignored.'),
    defectLag: Duration.refine(...sandboxTimeRules.defectLag)
      .prefault('20ms')
      .describe('Delay until a write becomes visible to reads, for defects that are races; in service time.'),
    tokenLifetime: Duration.refine(...sandboxTimeRules.tokenLifetime).prefault('15min'),
    requestTimeout: Duration.refine((ms) => ms >= 10 && ms <= 3_600_000, 'must be from 10ms to 1h')
      .prefault('30s')
      .describe(
        "How long a request may take to arrive, on the machine's clock; after that it is answered 408 and the connection closed.",
      ),
    maxConnections: wholeNumber()
      .min(1)
      .max(1_000_000)
      .default(15_000)
      .describe('Maximum of open connections and streams; further ones are closed immediately.'),
    maxBodyBytes: wholeNumber().min(1).max(16_777_216).default(65_536).describe('A larger body is answered 413.'),
    control: z.boolean().default(false).describe('Whether the control plane under /_sandbox is served; loopback only.'),
    applications: z
      .array(Application)
      .min(1)
      .default([{ label: 'a1' }]),
  });

/** Parsed settings with every default filled in. */
export type SandboxConfig = z.infer<ReturnType<typeof sandboxMembers>>;
