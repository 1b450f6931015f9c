import { microsFromMillis, plural } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import { alikeUsers, noArrivals, noneAfter } from './closed-users.ts';
import type { LoadModelKind } from './load-model.ts';

type PerUserIterations = Extract<LoadModel, { model: 'per-user-iterations' }>;

/** Users who each run the same number of journeys, one after another. */
export const perUserIterations: LoadModelKind<PerUserIterations> = {
  ...noArrivals,
  users: (model) => alikeUsers(model.users, model),
  durationUs: (model) => microsFromMillis(model.duration ?? 0),
  describe: (model) =>
    `${plural(model.users, 'user')} with ${plural(model.iterations, 'journey')} each${noneAfter(model.duration)}`,
};
