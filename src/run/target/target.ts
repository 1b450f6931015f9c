import { type BasicCredentials, TargetProfileSchema } from '../../api/index.ts';
import { type Clock, PARSED_ONCE } from '../../base/index.ts';
import type { ClockRecord } from '../../history/index.ts';
import type { SandboxSettings } from '../../sandbox/index.ts';
import { type GatewayHeaders, type LoadedScenario, resolveCredentials, resolveHeaders } from '../../scenario/index.ts';
import { sandboxLimits } from './sandbox-limits.ts';

/** The service under test, running, with credentials to call it. */
export interface Target {
  readonly kind: 'embedded' | 'remote';
  readonly baseUrl: string;
  /** Per application label. */
  readonly credentials: ReadonlyMap<string, BasicCredentials>;
  /** Headers that are added to every request. */
  readonly gateway: GatewayHeaders;
  /** Service seconds per second. */
  readonly serviceRate: number;
  /**
   * Starts the service's clock; called immediately before the run's clock starts. Absent for a remote service, whose Date headers
   * show its time.
   * @returns how run time maps to service time
   */
  begin?(): Promise<(clock: Clock) => ClockRecord>;
  /**
   * Resolves when the service has replied, its exit was reported, or a timeout has passed. Its connections fail before its exit is
   * reported. Absent for a remote service.
   */
  readonly probe?: () => Promise<void>;
  close(): Promise<void>;
}

/** The base address that the user names, or else the profile; `undefined` if neither does. */
export function remoteAddress(loaded: LoadedScenario, target: string | undefined): string | undefined {
  return target ?? loaded.profile.baseUrl;
}

/**
 * The scenario with the profile to use for a target. The default profile describes the embedded sandbox, which is new, serves only
 * this run and shares this machine's clock. Another service may refuse requests because of earlier traffic, so it gets a profile
 * without these claims.
 */
export function loadedFor(loaded: LoadedScenario, target: string | undefined): LoadedScenario {
  if (target === undefined) return loaded;
  // The journal records the address that requests were sent to.
  if (!loaded.profileIsDefault) return { ...loaded, profile: { ...loaded.profile, baseUrl: target } };
  const { client } = loaded.profile;
  const profile = TargetProfileSchema.parse({ name: new URL(target).host, baseUrl: target }, PARSED_ONCE);
  return { ...loaded, profile: { ...profile, client } };
}

/** A remote service, with its credentials and headers. @throws ConfigurationError with every missing environment variable */
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
 * How long a defect's race window stays open, in ms of the run's clock: requests race on the network, in real time, however fast
 * the service's clock runs. The sandbox accepts at most `LONGEST_LAG_MS` of its own clock.
 */
const DEFECT_LAG_MS = 50;
const LONGEST_LAG_MS = 3_600_000;
const WEEK_MS = 7 * 86_400_000;
/** More items than a run creates. A message takes 1.1 kB of the sandbox's memory, which is freed after the run. */
const UNBOUNDED = 100_000_000;

/** The sandbox's settings, from the scenario and its profile. */
export function sandboxSettings(
  loaded: Pick<LoadedScenario, 'scenario' | 'profile' | 'applications'>,
): SandboxSettings {
  const { sandbox, seed } = loaded.scenario;
  return {
    seed,
    clockRate: sandbox.clockRate,
    limits: sandboxLimits(loaded),
    ...(sandbox.startTime !== undefined && { startTime: sandbox.startTime }),
    ...(sandbox.latency !== undefined && { latency: sandbox.latency }),
    ...(sandbox.failureShare !== undefined && { failureShare: sandbox.failureShare }),
    ...(sandbox.tokenLifetime !== undefined && { tokenLifetime: sandbox.tokenLifetime }),
    ...(sandbox.defects !== undefined && { defects: sandbox.defects }),
    ...(sandbox.faults !== undefined && { faults: sandbox.faults }),
    defectLag: sandbox.defectLag ?? Math.min(DEFECT_LAG_MS * sandbox.clockRate, LONGEST_LAG_MS),
    // Everything is kept for a week of run time, however fast the service's clock runs. Data deleted during a run would look like a
    // violation of the retention time that the profile declares.
    retention: {
      time: WEEK_MS * Math.max(1, sandbox.clockRate),
      turns: UNBOUNDED,
      conversations: UNBOUNDED,
      tokens: UNBOUNDED,
    },
    maxBodyBytes: loaded.profile.maxBodyBytes,
    applications: loaded.applications.map(({ label }) => ({ label })),
  } as SandboxSettings;
}

/** Service seconds per run second: as the scenario sets it for the embedded sandbox, 1 for another service. */
export const serviceRateOf = ({ scenario }: Pick<LoadedScenario, 'scenario'>, embedded: boolean): number =>
  embedded ? scenario.sandbox.clockRate : 1;
