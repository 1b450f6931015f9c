import { z } from 'zod';
import { type DefectId, LatencyDistribution, wholeNumber } from '../api/index.ts';
import { ConfigurationError, type Millis } from '../base/index.ts';
import { isClockMovable, isClockRated, isRepresentable } from './config/clock.ts';
import { Duration } from './config/duration.ts';
import { Limits } from './config/limits.ts';
import { parseSettings, type SettingsProblem } from './config/problems.ts';
import { Retention } from './config/retention.ts';
import { problemsTogether } from './config/together.ts';
import { problemWith, withAssumptions } from './defects/index.ts';
import { parseFault } from './faults/index.ts';

type Loosened<T> = T extends Millis ? number | string : T;
type LatencyInput = {
  [Kind in LatencyDistribution as Kind['distribution']]: { [K in keyof Kind]: Loosened<Kind[K]> };
}[LatencyDistribution['distribution']];

const textOfMillis = (value: unknown): unknown =>
  typeof value === 'number' && value > 0 ? `${Number(value.toFixed(3))}ms` : value;
const withTexts = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, textOfMillis(part)]))
    : value;

/** `LatencyDistribution` of `api/`, which also accepts its own parsed form (milliseconds as numbers). */
const Latency = z.preprocess(withTexts, LatencyDistribution) as unknown as z.ZodType<LatencyDistribution, LatencyInput>;

/** Whether a host name or address can only refer to this machine. */
export const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

function isControlLocal(config: unknown): boolean {
  const { control, host } = (config ?? {}) as { control?: unknown; host?: unknown };
  return control !== true || typeof host !== 'string' || isLoopback(host);
}

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

/** Checked but kept as text, so that settings can be sent to another process. The core parses the rules again. */
const FaultText = z.string().superRefine((text, context) => {
  const rule = parseFault(text);
  if ('problem' in rule) context.addIssue({ code: 'custom', message: rule.problem });
});

const DefectWord = z.string().superRefine((text, context) => {
  const message = problemWith(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
}) as unknown as z.ZodType<DefectId, string>;

/**
 * Settings of one sandbox. Defaults are those of design.md section 7. Durations are in service time.
 */
export const SandboxConfig = z
  .strictObject({
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
      .refine(isRepresentable, 'must lie from 1970 to 2199')
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
      .array(FaultText)
      .default([])
      .describe('Faults to inject into requests and answers, one rule each: OPERATION:FAULT[:PARAMETER][:WHEN].'),
    defects: z
      .array(DefectWord)
      .default([])
      .describe(
        'Ids of the defects that the service has. A defect sets the settings that it needs unless they are given.',
      ),
    defectsSay: z
      .record(z.string(), z.string())
      .optional()
      .describe('Descriptions of the defects, as GET /_sandbox/config returns them; ignored.'),
    defectLag: Duration.refine((ms) => ms >= 0.001 && ms <= 3_600_000, 'must be from 1us to 1h')
      .prefault('20ms')
      .describe('Delay until a write becomes visible to reads, for defects that are races; in service time.'),
    tokenLifetime: Duration.refine((ms) => ms >= 1, 'must be at least 1ms').prefault('15min'),
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
  })
  // `when`: run even if other checks failed, so that all mistakes are reported together. The value may then have any shape.
  .refine(isControlLocal, {
    path: ['control'],
    error: 'needs a loopback host such as 127.0.0.1, because it asks for no credentials',
    when: () => true,
  })
  .refine(isClockMovable, {
    path: ['clock'],
    error: 'manual needs the control plane: nothing else can move the clock',
    when: () => true,
  })
  .refine(isClockRated, { path: ['clockRate'], error: 'has no effect on a manual clock', when: () => true })
  .superRefine(
    (config, context) => {
      for (const { path, message } of problemsTogether(config)) context.addIssue({ code: 'custom', path, message });
    },
    { when: () => true },
  );
/** Parsed settings with every default filled in. */
export type SandboxConfig = z.infer<typeof SandboxConfig>;
/** Settings as a caller writes them: every member optional, durations as text (`2s`) or milliseconds. */
export type SandboxSettings = z.input<typeof SandboxConfig>;

/**
 * Fills in the defaults.
 * @throws ConfigurationError with every problem at once
 */
export function settle(settings: unknown): SandboxConfig {
  const result = parseSettings(SandboxConfig, withAssumptions(settings));
  if (result.ok) return result.value;
  throw new ConfigurationError(
    result.problems.map(({ path, message, hint }) => ({
      path: path.map(String).join('.'),
      message,
      ...(hint !== undefined && { hint }),
    })),
  );
}

/** All problems of the settings, each with its path. Empty if the settings are valid. */
export function problemsIn(settings: unknown): readonly SettingsProblem[] {
  const result = parseSettings(SandboxConfig, withAssumptions(settings));
  return result.ok ? [] : result.problems;
}

/** A partner application with its credentials. */
export interface ApplicationCredentials {
  readonly label: string;
  readonly clientId: string;
  readonly clientSecret: string;
}
