import { z } from 'zod';
import { count, formatOf, memberOf, text } from './parts.ts';

export const RUN_FACTS_FORMAT = 'spillway-run';
export const RUN_FACTS_VERSION = 1;

/** What ran, against what, on which machine. `run/` collects it, because only `run/` may examine the machine. */
export interface RunFacts {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** `file` is absent if the scenario is not from a file. */
  readonly scenario: { readonly name: string; readonly file?: string };
  /** Base address; absent for the embedded sandbox. */
  readonly target?: string;
  readonly seed: number;
  /** The resolved target profile, without secrets. */
  readonly profile: object;
  /** Versions by name: spillway, node, and libraries that affect how requests are sent. */
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly os: string;
    readonly kernel: string;
    readonly architecture: string;
  };
  /** Arguments as typed, without the program's path; `writeRunFacts` redacts secrets. */
  readonly commandLine: readonly string[];
}

/** The content of `run.json`. */
export interface RunFactsDocument extends RunFacts {
  readonly format: typeof RUN_FACTS_FORMAT;
  readonly version: typeof RUN_FACTS_VERSION;
}

export const MachineSchema = memberOf<RunFacts['machine']>("The generator's machine", {
  cpu: text('Model of the processor'),
  cores: count('Cores that the system has'),
  memoryBytes: count('Memory of the system'),
  os: text('Operating system'),
  kernel: text('Version of its kernel'),
  architecture: text('Of the processor'),
});

/** The compiler checks that it has exactly the members of the type. */
export const RunFactsSchema: z.ZodType<RunFactsDocument> = memberOf<RunFactsDocument>(
  'What ran, against what, on which machine',
  {
    ...formatOf(RUN_FACTS_FORMAT, RUN_FACTS_VERSION),
    runId: text('Identifier of the run, as in the journal'),
    startedAt: text(
      'UTC, ISO 8601: when this file was written, before the run began. The journal has the wall clock at run time 0',
    ),
    scenario: memberOf<RunFacts['scenario']>('What was run', {
      name: text('Name of the scenario'),
      file: text('Its file as the user gave it; absent if it is not from a file').optional(),
    }),
    target: text('Base address of the service; absent for the embedded sandbox').optional(),
    seed: z.int().describe('Seed of the plan: the same scenario and seed give the same plan'),
    profile: z
      .record(z.string(), z.unknown())
      .describe(
        'Target profile with every default filled in; durations in ms, rates per second; no secrets. `success` has only operations whose statuses of success differ from the usual ones. Absent: unknown. The header of the journal has the same, for the embedded sandbox with what is certain of it',
      ),
    versions: z.record(z.string(), z.string()).describe('Versions by name: spillway, node, …'),
    machine: MachineSchema,
    commandLine: z
      .array(z.string())
      .describe(
        'Arguments as typed, with `[redacted]` in place of values of -e, of variables and texts of messages that --set sets and of anything that may be a secret',
      ),
  },
);
