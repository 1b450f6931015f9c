import type { LoadModel } from '../../scenario/index.ts';
import { burst } from './burst.ts';
import { closedUsers } from './closed-users.ts';
import { constantRate } from './constant-rate.ts';
import type { LoadModelKind } from './load-model.ts';

/** Every load model by its name in scenario files: one that the schema names and this record lacks does not compile. */
const loadModels: { readonly [Name in LoadModel['model']]: LoadModelKind<Extract<LoadModel, { model: Name }>> } = {
  'constant-rate': constantRate,
  burst,
  'closed-users': closedUsers,
};

/** The kind of a model. The one cast: a record's value and its key's type cannot be correlated otherwise. */
export function loadModelOf(model: LoadModel): LoadModelKind<LoadModel> {
  return loadModels[model.model] as LoadModelKind<LoadModel>;
}

export type { ClosedUser, LoadModelKind } from './load-model.ts';
