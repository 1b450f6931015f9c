import { type Credentials, TargetProfileSchema } from '../api/index.ts';
import type { Clock } from '../base/index.ts';
import type { ClockRecord } from '../history/index.ts';
import type { SandboxSettings } from '../sandbox/index.ts';
import { type GatewayHeaders, type LoadedScenario, resolveCredentials, resolveHeaders } from '../scenario/index.ts';
import { sandboxLimits } from './sandbox-limits.ts';

type Basic = Extract<Credentials, { kind: 'basic' }>;

/** The service under test, up and with credentials to call it. */
export interface Target {
  readonly kind: 'embedded' | 'remote';
  readonly baseUrl: string;
  /** Per application label. */
  readonly credentials: ReadonlyMap<string, Basic>;
  /** Beside each request's own. */
  readonly gateway: GatewayHeaders;
  /** Service seconds per second. */
  readonly serviceRate: number;
  /**
   * Lets the service's clock run: the last thing to be done before the run's own begins.
   * Absent for a remote service, whose Date headers tell its time.
   * @returns how run time maps to service time
   */
  begin?(): Promise<(clock: Clock) => ClockRecord>;
  /**
   * Resolves when the service was heard once more, or its end was told, which comes later than that of its connections.
   * Absent for a remote service.
   */
  readonly heard?: () => Promise<void>;
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
    gateway: resolveHeaders(loaded.profileFile, loaded.profile.client.headers, env),
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
/** More than a run makes: its sandbox takes 1.1 kB a message, and ends with it. */
const ALL = 100_000_000;

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
    // A week of the run's own time, however fast the service's clock runs, and however much it is: what is forgotten in the middle of
    // a run would be missed, and held against a service whose profile says that it keeps everything so long.
    retention: { time: WEEK_MS * Math.max(1, sandbox.clockRate), turns: ALL, conversations: ALL, tokens: ALL },
    maxBodyBytes: loaded.profile.maxBodyBytes,
    applications: loaded.applications.map(({ label }) => ({ label })),
  } as SandboxSettings;
}

/** Service seconds per run second: of the embedded sandbox as the scenario sets it, of another service 1. */
export const serviceRateOf = ({ scenario }: Pick<LoadedScenario, 'scenario'>, embedded: boolean): number =>
  embedded ? scenario.sandbox.clockRate : 1;
