import { z } from 'zod';
import type { DefectId } from '../api/index.ts';
import { ConfigurationError } from '../base/index.ts';
import { type SandboxConfig as Parsed, sandboxMembers } from './config/members.ts';
import { parseSettings, type SettingsProblem } from './config/problems.ts';
import { problemsTogether } from './config/together.ts';
import { problemWith, withAssumptions } from './defects/index.ts';
import { problemOfFault } from './faults/index.ts';

/** Checked but kept as text, so that settings can be sent to another process. The core parses the rules again. */
const FaultText = z.string().superRefine((text, context) => {
  const message = problemOfFault(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const DefectWord = z.string().superRefine((text, context) => {
  const message = problemWith(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
}) as unknown as z.ZodType<DefectId, string>;

/**
 * Settings of one sandbox. Defaults are those of design.md section 7. Durations are in service time.
 */
export const SandboxConfig = sandboxMembers({ fault: FaultText, defect: DefectWord }).superRefine(
  (config, context) => {
    for (const { path, message } of problemsTogether(config)) context.addIssue({ code: 'custom', path, message });
  },
  // Runs even if other checks failed, so that all mistakes are reported together. The value may then have any shape.
  { when: () => true },
);
/** Parsed settings with every default filled in. */
export type SandboxConfig = Parsed;
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
