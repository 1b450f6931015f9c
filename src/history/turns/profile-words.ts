import { z } from 'zod';
import {
  type LimitName,
  limitNames,
  type OperationId,
  operationIds,
  type TargetProfile,
  usualProfile,
  usualSuccesses,
} from '../../api/index.ts';
import { PARSED_ONCE, rememberedOf } from '../../base/index.ts';

const defaults = usualProfile();
const usualQueued = ['queued'];
/** Common names for a turn in process. With other open statuses the turn may be waiting. */
const usualProcessing = ['processing', 'in_progress', 'running'];
const words = (fallback: readonly string[]) => z.array(z.string()).catch([...fallback]);

/** An unreadable member gets the specification's default alone, so that an older or foreign header can still be used. */
const Words = z.object({
  name: z.string().optional().catch(undefined),
  baseUrl: z.string().optional().catch(undefined),
  errorCodes: z
    .object({
      rate: words(defaults.errorCodes.rate),
      concurrency: words(defaults.errorCodes.concurrency),
      daily: words(defaults.errorCodes.daily),
      known: z.boolean().optional().catch(false),
      otherBodies: z.literal('rate').optional().catch(undefined),
      otherStatuses: z.array(z.int()).optional().catch(undefined),
    })
    .catch(defaults.errorCodes),
  turns: z
    .object({
      open: words(defaults.turns.open),
      // Those of an unreadable member may be any: then polls do not show whether a turn waits.
      queued: z.array(z.string()).optional().catch([]),
      processing: z.array(z.string()).optional().catch([]),
      completed: words(defaults.turns.completed),
      failed: words(defaults.turns.failed),
      // Milliseconds, as in every resolved profile; any other value may be any duration: then polls prove nothing.
      staleFor: z.number().min(0).default(0).catch(Number.POSITIVE_INFINITY),
    })
    .catch(defaults.turns),
  success: z.partialRecord(z.enum(operationIds), z.array(z.int())).catch({}),
  limitOrder: z.array(z.enum(limitNames)).catch([]),
  limits: z
    .object({
      rate: z
        .object({
          counts: z.array(z.enum(operationIds)).catch(defaults.limits.rate.counts),
          scope: z.enum(['application', 'user', 'token', 'conversation', 'address']).catch(defaults.limits.rate.scope),
        })
        .catch(defaults.limits.rate),
      concurrency: z
        .object({
          scope: z.enum(['application', 'user', 'token', 'conversation']).catch(defaults.limits.concurrency.scope),
        })
        .catch(defaults.limits.concurrency),
      daily: z
        .object({ scope: z.enum(['application', 'user', 'token']).catch(defaults.limits.daily.scope) })
        .catch(defaults.limits.daily),
    })
    .catch(defaults.limits),
});

/** Made once: making a schema takes longer than using it. */
const AnyWords = Words.catch(Words.parse({}, PARSED_ONCE));

/** How to interpret the records of a history, from the header's resolved profile. */
export interface ProfileWords {
  /** Name of the service. */
  readonly name?: string;
  /** Its base address; absent for the embedded sandbox. */
  readonly baseUrl?: string;
  readonly errorCodes: TargetProfile['errorCodes'];
  /** Statuses of a turn by their meaning; a status in none of the lists proves nothing. */
  readonly turns: {
    readonly open: readonly string[];
    /** Of a turn that certainly waits, where `open` has them too. */
    readonly queued: readonly string[];
    /** Of a turn that is certainly in process, where `open` has them too. */
    readonly processing: readonly string[];
    readonly completed: readonly string[];
    readonly failed: readonly string[];
    /** How long a poll may still show a status that the turn has left, µs of the generator's clock; ∞ if unknown. */
    readonly staleUs: number;
  };
  /** Statuses of success. */
  readonly success: Readonly<Record<OperationId, readonly number[]>>;
  /** Operations that count towards the rate limit. */
  readonly rateCounts: readonly OperationId[];
  /** Limits that are certainly checked after the rate limit; none if nobody says in which order. */
  readonly afterRate: readonly LimitName[];
  /** The scope of each limit. */
  readonly scopes: {
    readonly rate: TargetProfile['limits']['rate']['scope'];
    readonly concurrency: TargetProfile['limits']['concurrency']['scope'];
    readonly daily: TargetProfile['limits']['daily']['scope'];
  };
}

/** Read once per profile. @param profile `Header.profile`; unreadable values give the defaults */
export const profileWords = (profile: unknown): ProfileWords =>
  wordsOf(typeof profile === 'object' && profile !== null ? profile : NO_PROFILE);

/** One for all: a journal of an older version has none, nor has a measurement before its header. */
const NO_PROFILE = {};

const wordsOf = rememberedOf((profile: object): ProfileWords => {
  const parsed = AnyWords.parse(profile, PARSED_ONCE);
  const { open, completed, failed, staleFor } = parsed.turns;
  return {
    ...(parsed.name !== undefined && { name: parsed.name }),
    ...(parsed.baseUrl !== undefined && { baseUrl: parsed.baseUrl }),
    errorCodes: parsed.errorCodes,
    turns: { open, ...waitingOrWorking(parsed.turns), completed, failed, staleUs: staleFor * 1_000 },
    success: { ...usualSuccesses, ...parsed.success },
    rateCounts: parsed.limits.rate.counts,
    afterRate: parsed.limitOrder.includes('rate') ? parsed.limitOrder.slice(parsed.limitOrder.indexOf('rate') + 1) : [],
    scopes: {
      rate: parsed.limits.rate.scope,
      concurrency: parsed.limits.concurrency.scope,
      daily: parsed.limits.daily.scope,
    },
  };
});

interface Stages {
  readonly queued?: readonly string[] | undefined;
  readonly processing?: readonly string[] | undefined;
}

/** A status that both lists would have may be either; one that the profile has in one of them is no usual word of the other. */
const waitingOrWorking = ({ queued, processing }: Stages): Pick<ProfileWords['turns'], 'queued' | 'processing'> => ({
  queued: (queued ?? usualQueued).filter((status) => !processing?.includes(status)),
  processing: (processing ?? usualProcessing).filter((status) => !queued?.includes(status)),
});
