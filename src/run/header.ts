import { createHash } from 'node:crypto';
import { limitDefaults, type TargetProfile } from '../api/index.ts';
import { microsFromMillis, toolVersion, withoutUserinfo } from '../base/index.ts';
import { type Header, HISTORY_FORMAT, HISTORY_VERSION, type RoundOf } from '../history/index.ts';
import { recordGates } from '../metrics/index.ts';
import { stagesOf } from '../plan/index.ts';
import { askedTimezones, expectingJourneys, type LoadedScenario } from '../scenario/index.ts';

/** What identifies a run in all of its files. */
export interface RunNames {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Whether the target is the embedded sandbox. */
  readonly embedded: boolean;
  /** See `Header.clock.rate`. */
  readonly clockRate?: number | undefined;
  /** See `Header.round`. */
  readonly round?: RoundOf;
}

/**
 * The header of a journal, its first line. Some facts about the embedded sandbox hold whatever the profile says: it is new, serves
 * only this run, shares this machine's clock, and has an error code for each limit.
 */
export function journalHeader(loaded: LoadedScenario, run: RunNames, workers = 1): Header {
  const { scenario, profile } = loaded;
  const expecting = expectingJourneys(scenario);
  const timezones = askedTimezones(scenario);
  const stages = stagesOf(scenario);
  return {
    kind: 'header',
    format: HISTORY_FORMAT,
    version: HISTORY_VERSION,
    runId: run.runId,
    startedAt: run.startedAt,
    scenario: scenario.name,
    seed: scenario.seed,
    plan: planDigest(loaded),
    // Journals are shared with others, and an address may contain a password.
    profile: withoutUserinfo(run.embedded ? asEmbedded(loaded) : profile),
    gates: recordGates(loaded.gates),
    warmUpUs: microsFromMillis(scenario.warmUp),
    limits: limitsOf(profile),
    clock: clockOf(profile, run),
    exclusive: run.embedded || profile.exclusive,
    flushed: flushedOf(profile, run),
    ...(expecting.length > 0 && { expecting }),
    ...(timezones && { timezones }),
    journeys: Object.keys(scenario.journeys),
    applications: loaded.applications.map(({ label }) => label),
    ...(stages.length > 0 && { stages }),
    generator: generatorLimits(scenario),
    tool: `spillway ${toolVersion}`,
    node: process.version,
    ...(workers > 1 && { workers }),
    ...(run.round && { round: run.round }),
  };
}

const clockOf = ({ clock }: TargetProfile, { embedded, clockRate }: RunNames): Header['clock'] => ({
  driftPpm: embedded ? 0 : clock.driftPpm,
  granularityUs: microsFromMillis(embedded ? 0 : clock.granularity),
  maxServerDelayUs: microsFromMillis(clock.maxServerDelay),
  ...(clockRate !== undefined && { rate: clockRate }),
});

const generatorLimits = ({ generator }: LoadedScenario['scenario']): NonNullable<Header['generator']> => ({
  medianLagUs: microsFromMillis(generator.medianLag),
  p99LagUs: microsFromMillis(generator.p99Lag),
  eventLoopUs: microsFromMillis(generator.eventLoop),
  lateShare: generator.lateDrops,
  enforced: generator.enforce,
});

/** The profile of the embedded sandbox: it has a code for each limit, and is what the profile's defaults say where nobody wrote it. */
function asEmbedded({ scenario, profile }: LoadedScenario): TargetProfile {
  const { rate, concurrency, daily } = profile.limits;
  const { countsKnown, ...certain } = writtenOrDefault(rate);
  return {
    limitOrder: [...(scenario.sandbox.limits?.order ?? limitDefaults.order)],
    ...profile,
    errorCodes: { known: true, ...profile.errorCodes },
    history: { limitParameter: 'limit', offsetParameter: 'offset', ...profile.history },
    idempotency: { scope: 'conversation', ...profile.idempotency },
    limits: {
      rate: { countsReplays: true, ...certain, ...(countsKnown && { countsKnown }) },
      concurrency: writtenOrDefault(concurrency),
      daily: writtenOrDefault(daily),
    },
  };
}

function writtenOrDefault<Limit extends { scopeKnown?: boolean | undefined }>({ scopeKnown, ...limit }: Limit) {
  return { ...limit, ...(scopeKnown && { scopeKnown }) };
}

/**
 * Which limits are unused at the start. At a service that keeps running between rounds, earlier rounds have used its limits. So
 * the profile's statement applies only to the first run of the first round; base and candidate may be the same service.
 */
function flushedOf({ flushed }: TargetProfile, { embedded, round }: RunNames): Header['flushed'] {
  if (embedded) return { rate: true, concurrency: true, daily: true };
  const isFirst = round === undefined || (round.number === 1 && round.side === 'base');
  return isFirst ? flushed : { rate: false, concurrency: false, daily: false };
}

/**
 * Digest of everything that determines what is sent and when, except the seed. Settings of the sandbox, the warm-up and gates are
 * not part of the plan.
 */
function planDigest({ scenario, data }: LoadedScenario): string {
  const { journeys, load, phases, caps, users, tokens, onRefused, onError, variables, applications } = scenario;
  const { deadline, gracefulStop } = scenario;
  // Values of variables may be secrets: a digest would reveal a secret that has few possible values.
  const names = [Object.keys(variables), Object.keys(applications ?? {})];
  const tokenSettings = Object.keys(tokens).length === 0 ? undefined : tokens;
  const plan = {
    journeys,
    load,
    phases,
    caps,
    users,
    onRefused,
    onError,
    names,
    deadline,
    gracefulStop,
    data,
    tokens: tokenSettings,
  };
  return createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 16);
}

/** Limits as a header declares them. */
function limitsOf({ limits: { rate, concurrency, daily } }: Pick<TargetProfile, 'limits'>): Header['limits'] {
  return {
    rate: { max: rate.max, windowUs: microsFromMillis(rate.window), reading: rate.reading },
    concurrency: { max: concurrency.max },
    daily: { max: daily.max },
  };
}
