import type { Micros } from '../../base/index.ts';
import { senseless } from './senseless.ts';
import { type WrittenLoadModel, WrittenLoadModels } from './written.ts';

/** A load model determines when arrivals come. */
export const LoadModelSchema = WrittenLoadModels.superRefine((load, context) => {
  const message = senseless(load);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** The times of a replayed file. */
export interface Recording {
  /** Whole microseconds since the first time, ascending. */
  readonly offsetsUs: Float64Array;
}

/**
 * What the declared limits allow and what a journey costs. Computed once the target is known. Times are in run time.
 */
export interface Allowance {
  /** Limits of all users together: a limit per user is multiplied by the number of users. */
  readonly limits: {
    readonly rate: { readonly max: number; readonly windowUs: Micros };
    readonly concurrency: { readonly max: number };
    readonly daily: { readonly max: number; readonly dayUs: Micros };
  };
  /** Cost of the most expensive journey, for each member separately. */
  readonly cost: {
    /** Requests that count towards the rate limit, polls included. */
    readonly requests: number;
    readonly newMessages: number;
    /** Maximum of concurrent open turns, and the time from the first acceptance to the end of the last turn. */
    readonly openTurns: number;
    readonly openUs: Micros;
  };
}

interface LoadedReplay extends Extract<WrittenLoadModel, { model: 'replay' }> {
  /** Absent until the file has been loaded. */
  readonly recording?: Recording;
}

interface SettledPacedToLimits extends Extract<WrittenLoadModel, { model: 'paced-to-limits' }> {
  /** Absent until the target is known. */
  readonly allowance?: Allowance;
}

/** A load model that can be planned. */
export type LoadModel =
  | Exclude<WrittenLoadModel, { model: 'replay' | 'paced-to-limits' }>
  | LoadedReplay
  | SettledPacedToLimits;

/** The closed load models: their journeys start when others end. */
export type ClosedLoadModel = Extract<LoadModel, { readonly think: unknown }>;
