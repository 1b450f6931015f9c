import type { LoadModel } from '../../scenario/index.ts';
import { burst } from './burst.ts';
import { closedUsers } from './closed-users.ts';
import { constantRate } from './constant-rate.ts';
import { gamma } from './gamma.ts';
import type { LoadModelKind } from './load-model.ts';
import { pacedToLimits } from './paced-to-limits.ts';
import { perUserIterations } from './per-user-iterations.ts';
import { poisson } from './poisson.ts';
import { rampingRate } from './ramping-rate.ts';
import { rampingUsers } from './ramping-users.ts';
import { replay } from './replay.ts';
import { sharedIterations } from './shared-iterations.ts';
import { spike } from './spike.ts';
import { steps } from './steps.ts';

/** Every load model by its name in scenario files. If the schema has a model that is missing here, the code does not compile. */
const loadModels: { readonly [Name in LoadModel['model']]: LoadModelKind<Extract<LoadModel, { model: Name }>> } = {
  'constant-rate': constantRate,
  'ramping-rate': rampingRate,
  steps,
  spike,
  poisson,
  gamma,
  burst,
  replay,
  'paced-to-limits': pacedToLimits,
  'closed-users': closedUsers,
  'ramping-users': rampingUsers,
  'shared-iterations': sharedIterations,
  'per-user-iterations': perUserIterations,
};

export const loadModelNames = Object.keys(loadModels) as readonly LoadModel['model'][];

/** The kind of a model. The only cast: TypeScript cannot correlate a record's value with its key's type. */
export function loadModelOf(model: LoadModel): LoadModelKind<LoadModel> {
  return loadModels[model.model] as LoadModelKind<LoadModel>;
}

export type { ActiveTime, Change, ClosedUser, LoadModelKind, LoadPart } from './load-model.ts';
