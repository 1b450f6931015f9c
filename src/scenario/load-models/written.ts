import { z } from 'zod';
import { ClosedUsers, PerUserIterations, RampingUsers, SharedIterations } from './closed.ts';
import { BurstLoad, ConstantRate, Gamma, PacedToLimits, Poisson, RampingRate, Replay, Spike, Steps } from './open.ts';

/** Every load model, each with the members that it needs. */
export const WrittenLoadModels = z.discriminatedUnion('model', [
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
]);

/** A load model as written in a file. */
export type WrittenLoadModel = z.infer<typeof WrittenLoadModels>;
