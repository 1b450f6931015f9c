import { z } from 'zod';
import type { Micros } from '../../base/index.ts';
import { ClosedUsers, PerUserIterations, RampingUsers, SharedIterations } from './closed.ts';
import { BurstLoad, ConstantRate, Gamma, PacedToLimits, Poisson, RampingRate, Replay, Spike, Steps } from './open.ts';
import { senseless } from './senseless.ts';

/** A load model decides when arrivals come. */
export const LoadModelSchema = z
  .discriminatedUnion('model', [
    ConstantRate,
    RampingRate,
    Steps,
    Spike,
    Poisson,
    Gamma,
    BurstLoad,
    Replay,
    PacedToLimits,
    ClosedUsers,
    RampingUsers,
    SharedIterations,
    PerUserIterations,
  ])
  .superRefine((load, context) => {
    const message = senseless(load);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** As a file says it. */
export type WrittenLoadModel = z.infer<typeof LoadModelSchema>;

/** The times of a file that is replayed. */
export interface Recording {
  /** Microseconds from the first one, whole, ascending. */
  readonly offsetsUs: Float64Array;
}

/**
 * What the declared limits allow and what a journey costs of them, as whoever knows the target found out. Times are on the
 * run's clock.
 */
export interface Allowance {
  /** Of everybody together: a limit that each user has by himself is as many times larger as there are users. */
  readonly limits: {
    readonly rate: { readonly max: number; readonly windowUs: Micros };
    readonly concurrency: { readonly max: number };
    readonly daily: { readonly max: number; readonly dayUs: Micros };
  };
  /** Of the dearest journey, member by member. */
  readonly cost: {
    /** Requests that count towards the rate limit, polls included. */
    readonly requests: number;
    readonly newMessages: number;
    /** Turns in process at once, and from the first one's acceptance to the last one's end. */
    readonly openTurns: number;
    readonly openUs: Micros;
  };
}

interface LoadedReplay extends Extract<WrittenLoadModel, { model: 'replay' }> {
  /** Absent until the scenario has been loaded with its files. */
  readonly recording?: Recording;
}

interface SettledPacedToLimits extends Extract<WrittenLoadModel, { model: 'paced-to-limits' }> {
  /** Absent until the target is known. */
  readonly allowance?: Allowance;
}

/** As it can be planned. */
export type LoadModel =
  | Exclude<WrittenLoadModel, { model: 'replay' | 'paced-to-limits' }>
  | LoadedReplay
  | SettledPacedToLimits;

/** Members of the load models whose journeys start when others end. */
export type ClosedLoadModel = Extract<LoadModel, { readonly think: unknown }>;
