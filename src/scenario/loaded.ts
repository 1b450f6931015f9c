import type { TargetProfile } from '../api/index.ts';
import type { Gate } from '../metrics/index.ts';
import type { LoadedApplication } from './credentials.ts';
import type { GatePlace } from './gate-places.ts';
import type { DataRow } from './reading/data-rows.ts';
import type { Scenario } from './schema/schema.ts';
import type { Fault } from './validation/faults.ts';

export interface LoadOptions {
  /** The process's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `-e NAME=VALUE`: overrides variables of the scenario and environment variables. Default none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Overrides the scenario's seed; 0 to 2^32 − 1. */
  readonly seed?: number | undefined;
  /** Values that replace or add those of the scenario, each `PATH=VALUE`, the value as in YAML. Default none. */
  readonly overrides?: readonly string[] | undefined;
  /** A target profile instead of the scenario's; relative to the working directory. */
  readonly profileFile?: string | undefined;
  /** Gates in addition to the scenario's, each `METRIC: EXPRESSION`. Default none. */
  readonly gates?: readonly string[] | undefined;
  /** Finds faults of a profile that only other rooms know, such as unknown words and files. The profile may have any shape. Default none. */
  readonly profileFaults?: FaultsOf;
  /** The same for the scenario's `sandbox`. Default none. */
  readonly sandboxFaults?: FaultsOf;
}

/** @param part of any shape @returns what is wrong with it, with paths within it */
export type FaultsOf = (part: unknown) => readonly Fault[];

/** Rows of one entry of `data`. */
export interface LoadedData {
  /** At least one; every row has every column. */
  readonly rows: readonly DataRow[];
  readonly order: 'sequential' | 'random';
}

/** A validated scenario with everything that its run needs. */
export interface LoadedScenario {
  /** The path as given by the user. */
  readonly file: string;
  /** Includes overrides of seed and variables. */
  readonly scenario: Scenario;
  readonly profile: TargetProfile;
  /** The file with the profile: its own or the scenario's. */
  readonly profileFile: string;
  /** True if no profile was given. `profile` is then that of the embedded sandbox and says nothing about other services. */
  readonly profileIsDefault: boolean;
  readonly data: Readonly<Record<string, LoadedData>>;
  /** Environment variables that templates of steps use. */
  readonly env: Readonly<Record<string, string>>;
  /** All environment variables that are mentioned anywhere and set, including credentials: values to redact. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly applications: readonly LoadedApplication[];
  /** Gates of the scenario, then those of the options. */
  readonly gates: readonly Gate[];
  /** Where each gate was written. */
  readonly gatePlaces: ReadonlyMap<Gate, GatePlace>;
}
