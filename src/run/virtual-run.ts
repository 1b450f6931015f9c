import type { Credentials } from '../api/index.ts';
import { type Clock, freshKey, type Micros, VirtualClock } from '../base/index.ts';
import { followByPolling, TokenKeeper } from '../client/index.ts';
import type { JournalRecord } from '../history/index.ts';
import type { Plan } from '../plan/index.ts';
import { type Core, createCore, type SandboxSettings, seededIds, settle, WelcomingStore } from '../sandbox/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import {
  noEchoes,
  participantsOf,
  type RunCounts,
  runPlan,
  type Sender,
  type StopSignals,
  type World,
} from '../schedule/index.ts';
import { coreSender } from './core-sender.ts';
import { journalHeader, tokenSettings } from './header.ts';

export interface VirtualRunOptions {
  readonly loaded: LoadedScenario;
  readonly plan: Plan;
  /** The sandbox's; its `startTime` is where the service's clock begins, its `clockRate` how fast that runs. */
  readonly settings: SandboxSettings & { readonly startTime: string };
  /** Whether the journal says that the service is the embedded sandbox. */
  readonly embedded: boolean;
  /** From sending to the decision, and from the decision to the answer. */
  readonly delayUs: () => readonly [Micros, Micros];
  readonly record: (record: JournalRecord) => void;
  readonly stop: (clock: VirtualClock) => StopSignals;
  /** Wraps the way to the core, for faults; default none. */
  readonly wrap?: (sender: Sender, clock: VirtualClock) => Sender;
  /** The clock as the scheduler sees it, for stalls of the generator; default the virtual clock itself. */
  readonly generatorClock?: (clock: VirtualClock) => Clock;
  /** Whether everybody has had any conversation that they name, before the run; default: nobody any. */
  readonly knowsConversations?: boolean;
  /** Of the digests of contents; default a fresh one, so that no two runs can be compared by them. */
  readonly digestKey?: Uint8Array;
}

export interface VirtualRun {
  readonly counts: RunCounts;
  readonly durationUs: Micros;
  readonly core: Core;
}

/**
 * Runs a plan in virtual time against the sandbox's core: the scheduler, journeys, caps, policies, polls and limits of a
 * real run, without sockets and without waiting. Deterministic.
 */
export async function runVirtually(options: VirtualRunOptions): Promise<VirtualRun> {
  const { loaded, plan, record } = options;
  const clock = new VirtualClock();
  const config = settle(options.settings);
  const startUs = Date.parse(options.settings.startTime) * 1_000;
  const rate = config.clockRate;
  const applications = loaded.applications.map(({ label }) => ({
    label,
    clientId: `client-${label}`,
    clientSecret: 'virtual-secret',
  }));
  const past = options.knowsConversations ? { store: new WelcomingStore(config.retention) } : {};
  const core = createCore({ config, applications, ids: seededIds(plan.seed), ...past });
  const sender = coreSender({
    core,
    clock,
    profile: loaded.profile,
    serviceAt: (at) => Math.floor(startUs + at * rate) as Micros,
    runAt: (service) => Math.ceil((service - startUs) / rate) as Micros,
    delayUs: options.delayUs,
  });
  const runId = 'virtual';
  const world: World = {
    clock: options.generatorClock?.(clock) ?? clock,
    sender: options.wrap?.(sender, clock) ?? sender,
    echoes: noEchoes,
    tokens: new TokenKeeper({ clock, serviceRate: rate, ...tokenSettings(loaded.profile) }),
    followByPolling,
    record,
    loaded,
    profile: loaded.profile,
    participants: participantsOf(
      loaded.scenario,
      new Map(applications.map((application) => [application.label, basic(application)])),
    ),
    runId,
    digestKey: options.digestKey ?? freshKey(),
    serviceRate: rate,
  };
  record(journalHeader(loaded, { runId, startedAt: options.settings.startTime, embedded: options.embedded }));
  record({ kind: 'clock', at: 0 as Micros, serviceUs: startUs as Micros, plusMinusUs: 0 as Micros, rate });
  const counts = await clock.run(() => runPlan(plan, world, options.stop(clock)));
  return { counts, durationUs: clock.now(), core };
}

const basic = ({
  clientId,
  clientSecret,
}: {
  clientId: string;
  clientSecret: string;
}): Extract<Credentials, { kind: 'basic' }> => ({ kind: 'basic', clientId, clientSecret });
