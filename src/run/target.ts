import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { type Credentials, TargetProfileSchema } from '../api/index.ts';
import { type Clock, ExitCode, type Micros, SpillwayError } from '../base/index.ts';
import type { ClockRecord } from '../history/index.ts';
import {
  BEGIN,
  type ClockMapping,
  type SandboxProcessBegun,
  type SandboxProcessReply,
  type SandboxProcessRequest,
  type SandboxSettings,
} from '../sandbox/index.ts';
import { type LoadedScenario, resolveCredentials } from '../scenario/index.ts';
import { sandboxLimits } from './sandbox-limits.ts';

type Basic = Extract<Credentials, { kind: 'basic' }>;

/** The service under test, up and with credentials to call it. */
export interface Target {
  readonly kind: 'embedded' | 'remote';
  readonly baseUrl: string;
  /** Per application label. */
  readonly credentials: ReadonlyMap<string, Basic>;
  /** Service seconds per second. */
  readonly serviceRate: number;
  /**
   * Lets the service's clock run: the last thing to be done before the run's own begins.
   * Absent for a remote service, whose Date headers tell its time.
   * @returns how run time maps to service time
   */
  begin?(): Promise<(clock: Clock) => ClockRecord>;
  close(): Promise<void>;
}

/** The base address that the user, the profile or nobody names. */
export function remoteAddress(loaded: LoadedScenario, target: string | undefined): string | undefined {
  return target ?? loaded.profile.baseUrl;
}

/**
 * The profile that a run against an address goes by. The default one is the embedded sandbox's: fresh, ours alone, on this
 * machine's clock. Nobody said that of another service, whose refusals may be owed to what was sent to it before.
 */
export function loadedFor(loaded: LoadedScenario, target: string | undefined): LoadedScenario {
  if (target === undefined) return loaded;
  // What the journal says that it was, is what was asked.
  if (!loaded.profileIsDefault) return { ...loaded, profile: { ...loaded.profile, baseUrl: target } };
  const { client } = loaded.profile;
  const profile = TargetProfileSchema.parse({ name: new URL(target).host, baseUrl: target });
  return { ...loaded, profile: { ...profile, client } };
}

/** A real service: nothing to start, but credentials must be there. @throws ConfigurationError naming each missing variable */
export function remoteTarget(loaded: LoadedScenario, baseUrl: string, env: NodeJS.ProcessEnv): Target {
  const credentials = resolveCredentials(loaded, env);
  return {
    kind: 'remote',
    baseUrl: baseUrl.replace(/\/+$/, ''),
    credentials,
    serviceRate: 1,
    close: async () => undefined,
  };
}

/**
 * How long races last, on the run's clock: they are between requests a network apart, and a service whose clock runs fast has
 * no slower callers. No longer than the sandbox takes.
 */
const DEFECT_LAG_MS = 50;
const LONGEST_LAG_MS = 3_600_000;
const WEEK_MS = 7 * 86_400_000;

/** What the sandbox enforces and how fast its clock runs, from the scenario and its profile. */
export function sandboxSettings(
  loaded: Pick<LoadedScenario, 'scenario' | 'profile' | 'applications'>,
): SandboxSettings {
  const { sandbox, seed } = loaded.scenario;
  return {
    seed,
    clockRate: sandbox.clockRate,
    limits: sandboxLimits(loaded),
    ...(sandbox.startTime === undefined ? {} : { startTime: sandbox.startTime }),
    ...(sandbox.latency === undefined ? {} : { latency: sandbox.latency }),
    ...(sandbox.failureShare === undefined ? {} : { failureShare: sandbox.failureShare }),
    ...(sandbox.tokenLifetime === undefined ? {} : { tokenLifetime: sandbox.tokenLifetime }),
    ...(sandbox.defects === undefined ? {} : { defects: sandbox.defects }),
    defectLag: sandbox.defectLag ?? Math.min(DEFECT_LAG_MS * sandbox.clockRate, LONGEST_LAG_MS),
    // A week of the run's own time, however fast the service's clock runs: what is forgotten in the middle of a run would be missed.
    retention: { time: WEEK_MS * Math.max(1, sandbox.clockRate) },
    maxBodyBytes: loaded.profile.maxBodyBytes,
    applications: loaded.applications.map(({ label }) => ({ label })),
  } as SandboxSettings;
}

/** Service seconds per run second: of the embedded sandbox as the scenario sets it, of another service 1. */
export const serviceRateOf = ({ scenario }: Pick<LoadedScenario, 'scenario'>, embedded: boolean): number =>
  embedded ? scenario.sandbox.clockRate : 1;

const START_DEADLINE_MS = 10_000;

/** Starts the sandbox in a process of its own, so that its work never reads as the generator's. */
export async function embeddedTarget(settings: SandboxSettings): Promise<Target> {
  // A group of its own: Ctrl-C in the terminal means the run, which ends the sandbox when it is done with it.
  const child = fork(sandboxEntry(), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    detached: true,
  });
  const ready = await ask(child, { ...settings, held: true }, 'ready');
  const credentials = ready.applications.map(
    ({ label, clientId, clientSecret }) => [label, { kind: 'basic', clientId, clientSecret } as const] as const,
  );
  return {
    kind: 'embedded',
    baseUrl: ready.url,
    credentials: new Map(credentials),
    serviceRate: ready.clock.rate,
    async begin() {
      const begun = await ask(child, BEGIN, 'begun');
      return (clock) => mapClock(clock, begun.clock);
    },
    close: () => stopChild(child),
  };
}

/** Resolved through the package's own imports, so that it is the compiled entry from wherever this code runs. */
function sandboxEntry(): string {
  return createRequire(import.meta.url).resolve('#sandbox-process');
}

type AnyReply = SandboxProcessReply | SandboxProcessBegun;
type Reply<Kind> = Extract<AnyReply, { kind: Kind }>;

/** Sends a message, and waits for the answer to it. @throws SpillwayError SANDBOX_FAILED (exit 1) when none of that kind comes */
function ask<Kind extends 'ready' | 'begun'>(
  child: ChildProcess,
  message: SandboxProcessRequest | typeof BEGIN,
  kind: Kind,
): Promise<Reply<Kind>> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      child.off('error', broke).off('exit', exited).off('message', answered);
      act();
    };
    const fail = (because: string) =>
      settle(() =>
        reject(
          new SpillwayError('SANDBOX_FAILED', `the embedded sandbox did not start: ${because}`, ExitCode.toolDefect),
        ),
      );
    const broke = (error: Error) => fail(error.message);
    const exited = (code: number | null) => fail(`its process exited with ${code}`);
    const answered = (reply: AnyReply) => {
      if (reply.kind === 'failed') fail(reply.message);
      else if (reply.kind === kind) settle(() => resolve(reply as Reply<Kind>));
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`no word within ${START_DEADLINE_MS / 1_000} s`);
    }, START_DEADLINE_MS);
    child.once('error', broke).once('exit', exited).on('message', answered);
    child.send(message);
  });
}

/** Both clocks follow CLOCK_MONOTONIC, which the machine's processes share, so the mapping is exact but for the moment of reading. */
function mapClock(clock: Clock, mapping: ClockMapping): ClockRecord {
  const before = clock.now();
  const monotonic = Number(process.hrtime.bigint() / 1_000n);
  const after = clock.now();
  const serviceUs = Math.round(mapping.serviceUs + (monotonic - mapping.monotonicUs) * mapping.rate) as Micros;
  const plusMinusUs = Math.ceil((after - before + 1) * mapping.rate) as Micros;
  return { kind: 'clock', at: before, serviceUs, plusMinusUs, rate: mapping.rate };
}

const STOP_DEADLINE_MS = 3_000;

/** The sandbox ends when the channel closes; one that does not is ended by its id. */
function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    if (child.connected) child.disconnect();
  });
}
