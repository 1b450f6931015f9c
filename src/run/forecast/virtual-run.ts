import { type BasicCredentials, serviceTimeOf } from '../../api/index.ts';
import { type Clock, freshKey, type Micros, VirtualClock } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { Plan } from '../../plan/index.ts';
import {
  type Core,
  createCore,
  type SandboxConfig,
  type SandboxSettings,
  seededIds,
  settle,
  WelcomingStore,
} from '../../sandbox/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import { noEchoes, type RunCounts, runPlan, type Sender, type StopSignals } from '../../schedule/index.ts';
import { worldOf } from '../generator/world.ts';
import { journalHeader } from '../header.ts';
import { coreSender } from './core-sender.ts';

export interface VirtualRunOptions {
  readonly loaded: LoadedScenario;
  readonly plan: Plan;
  /** Settings of the sandbox; `startTime` and `clockRate` determine the service's clock. */
  readonly settings: SandboxSettings & { readonly startTime: string };
  /** Whether the journal says that the service is the embedded sandbox. */
  readonly embedded: boolean;
  /** Delay from sending to the service's decision, and from the decision to the answer. */
  readonly delayUs: () => readonly [Micros, Micros];
  readonly record: (record: JournalRecord) => void;
  readonly stop: (clock: VirtualClock) => StopSignals;
  /** Wraps the sender, to inject faults; default none. */
  readonly wrap?: (sender: Sender, clock: VirtualClock) => Sender;
  /** The scheduler's clock, to simulate stalls of the generator; default the virtual clock itself. */
  readonly generatorClock?: (clock: VirtualClock) => Clock;
  /**
   * Whether every conversation that a user names existed before the run, and an id sent again with other content is accepted unless
   * the profile says that it is refused; default: neither.
   */
  readonly knowsConversations?: boolean;
  /** Key of message digests; default a random one, so that digests of two runs cannot be compared. */
  readonly digestKey?: Uint8Array;
}

interface VirtualRun {
  readonly counts: RunCounts;
  readonly durationUs: Micros;
  readonly core: Core;
}

/**
 * Runs a plan in virtual time against the sandbox's core, with the scheduler, journeys, caps, policies, polls and limits of a real
 * run, but without sockets and waiting. Deterministic.
 */
export async function runVirtually(options: VirtualRunOptions): Promise<VirtualRun> {
  const { loaded, plan, record } = options;
  const clock = new VirtualClock();
  const config = settle(options.settings);
  const startUs = serviceTimeOf(options.settings.startTime);
  const rate = config.clockRate;
  const applications = loaded.applications.map(({ label }) => ({
    label,
    clientId: `client-${label}`,
    clientSecret: 'virtual-secret',
  }));
  const core = createCore({ config, applications, ids: seededIds(plan.seed), ...pastOf(options, config) });
  const sender = coreSender({
    core,
    clock,
    profile: loaded.profile,
    serviceAt: (at) => Math.floor(startUs + at * rate) as Micros,
    runAt: (service) => Math.ceil((service - startUs) / rate) as Micros,
    delayUs: options.delayUs,
  });
  const runId = 'virtual';
  const world = worldOf({
    loaded,
    target: { credentials: new Map(applications.map(basicOf)), serviceRate: rate },
    clock,
    sender: options.wrap?.(sender, clock) ?? sender,
    echoes: noEchoes,
    record,
    runId,
    digestKey: options.digestKey ?? freshKey(),
  });
  record(journalHeader(loaded, { runId, startedAt: options.settings.startTime, embedded: options.embedded }));
  record({ kind: 'clock', at: 0 as Micros, serviceUs: startUs, plusMinusUs: 0 as Micros, rate });
  const scheduler = { ...world, clock: options.generatorClock?.(clock) ?? clock };
  const counts = await clock.run(() => runPlan(plan, scheduler, options.stop(clock)));
  return { counts, durationUs: clock.now(), core };
}

/** What the service knows from before the run. */
function pastOf({ loaded, knowsConversations }: VirtualRunOptions, { retention }: SandboxConfig) {
  if (!knowsConversations) return {};
  const ignoresOtherContent = loaded.profile.idempotency.otherContent !== 'refused';
  return { store: new WelcomingStore(retention, { ignoresOtherContent }) };
}

const basicOf = ({ label, ...secret }: Omit<BasicCredentials, 'kind'> & { readonly label: string }) =>
  [label, { kind: 'basic', ...secret }] as const;
