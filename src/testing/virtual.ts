import { sandboxProfile } from '../api/index.ts';
import type { Micros, VirtualClock } from '../base/index.ts';
import type { JournalRecord } from '../history/index.ts';
import { compilePlan } from '../plan/index.ts';
import { runVirtually, type VirtualRunOptions } from '../run/forecast/virtual-run.ts';
import { type Stopper, stopper } from '../run/interrupts.ts';
import { sandboxSettings } from '../run/target/target.ts';
import { type LoadedScenario, type ScenarioInput, ScenarioSchema } from '../scenario/index.ts';
import type { RunCounts } from '../schedule/index.ts';
import { byKind, type RecordsByKind } from './history/by-kind.ts';

/** A loaded scenario without a file. */
export function loadedFrom(input: Omit<ScenarioInput, 'name'> & { readonly name?: string }): LoadedScenario {
  const scenario = ScenarioSchema.parse({ name: 'test', ...input });
  const profile = typeof scenario.profile === 'object' ? scenario.profile : sandboxProfile();
  const labels = scenario.applications === undefined ? ['a1'] : Object.keys(scenario.applications);
  return {
    file: 'test.yaml',
    scenario,
    profile,
    profileFile: 'test.yaml',
    profileIsDefault: true,
    data: {},
    env: {},
    secrets: {},
    applications: labels.map((label) => ({ label })),
    gates: [],
    gatePlaces: new Map(),
  };
}

/** The records of a virtual run. */
export interface Recorded extends RecordsByKind {
  readonly durationUs: Micros;
  readonly counts: RunCounts;
}

interface Overrides extends Partial<Pick<VirtualRunOptions, 'delayUs' | 'wrap' | 'generatorClock'>> {
  /** Settings of the sandbox that override those of the scenario. */
  readonly sandbox?: Partial<VirtualRunOptions['settings']>;
  readonly data?: LoadedScenario['data'];
  /** Called at the start of the run, to stop it later. */
  readonly interrupt?: (stopping: Stopper, clock: VirtualClock) => void;
}

/** Runs a scenario in virtual time. Default: turns are queued for 1 s and processed for 4 s; the network takes 10 ms each way. */
export async function runVirtualScenario(
  input: Parameters<typeof loadedFrom>[0],
  overrides: Overrides = {},
): Promise<Recorded> {
  const loaded = { ...loadedFrom(input), ...(overrides.data && { data: overrides.data }) };
  const records: JournalRecord[] = [];
  const constant = (value: string) => ({ distribution: 'constant', value }) as const;
  const settings = {
    latency: { queued: constant('1s'), processing: constant('4s') },
    startTime: '2026-01-15T09:00:00Z',
    ...sandboxSettings(loaded),
    ...overrides.sandbox,
  } as VirtualRunOptions['settings'];
  const stopping = stopper();
  const run = await runVirtually({
    loaded,
    plan: compilePlan(loaded.scenario),
    settings,
    embedded: true,
    delayUs: overrides.delayUs ?? (() => [10_000 as Micros, 10_000 as Micros]),
    ...(overrides.wrap !== undefined && { wrap: overrides.wrap }),
    ...(overrides.generatorClock !== undefined && { generatorClock: overrides.generatorClock }),
    record: (record) => records.push(record),
    stop: (clock) => {
      overrides.interrupt?.(stopping, clock);
      return stopping.signals;
    },
  });
  return { ...byKind(records), durationUs: run.durationUs, counts: run.counts };
}
