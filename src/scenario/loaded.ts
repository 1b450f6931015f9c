import type { TargetProfile } from '../api/index.ts';
import type { Gate } from '../metrics/index.ts';
import type { LoadedApplication } from './credentials.ts';
import type { GatePlace } from './gate-places.ts';
import type { DataRow } from './reading/data-rows.ts';
import type { Scenario } from './schema.ts';
import type { Fault } from './validation/faults.ts';

export interface LoadOptions {
  /** The process's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `-e NAME=VALUE`: overrides the scenario's variables, and environment variables of the same name. Default none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Overrides the scenario's seed; 0 to 2^32 − 1. */
  readonly seed?: number;
  /** A target profile instead of the scenario's own; relative to the working directory. */
  readonly profileFile?: string;
  /** Gates beside the scenario's own, each `METRIC: EXPRESSION`. Default none. */
  readonly gates?: readonly string[];
  /** What may be wrong with a profile beyond its shape, which it may not have: words and files that other rooms know. Default nothing. */
  readonly profileFaults?: ProfileFaults;
}

export type ProfileFaults = (profile: unknown) => readonly Fault[];

/** Rows of one entry of `data`. */
export interface LoadedData {
  /** At least one; every row has every column. */
  readonly rows: readonly DataRow[];
  readonly order: 'sequential' | 'random';
}

/** A scenario with all that its run needs, validated. */
export interface LoadedScenario {
  /** As the user named it. */
  readonly file: string;
  /** Overrides of seed and variables are in it. */
  readonly scenario: Scenario;
  readonly profile: TargetProfile;
  /** Where the profile stands: its own file, or the scenario's. */
  readonly profileFile: string;
  /** True when no profile was given: `profile` is then the embedded sandbox's own, and says nothing of another service. */
  readonly profileIsDefault: boolean;
  readonly data: Readonly<Record<string, LoadedData>>;
  /** Environment variables that the texts of steps use, for templates. */
  readonly env: Readonly<Record<string, string>>;
  /** Every environment variable that is named anywhere and set, credentials included: values to redact. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly applications: readonly LoadedApplication[];
  /** The scenario's, then those of the options. */
  readonly gates: readonly Gate[];
  /** Where each of them was written. */
  readonly gatePlaces: ReadonlyMap<Gate, GatePlace>;
}
