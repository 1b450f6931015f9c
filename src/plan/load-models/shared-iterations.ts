import { microsFromMillis, plural } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import { alikeUsers, noArrivals, noneAfter } from './closed-users.ts';
import type { LoadModelKind } from './load-model.ts';

type SharedIterations = Extract<LoadModel, { model: 'shared-iterations' }>;

/** Users who share one stock of journeys. Each free user takes the next one, so slow users run fewer of them. */
export const sharedIterations: LoadModelKind<SharedIterations> = {
  ...noArrivals,
  users: (model) => alikeUsers(model.users, { duration: model.duration }),
  sharedIterations: (model) => model.iterations,
  durationUs: (model) => microsFromMillis(model.duration ?? 0),
  describe: (model) =>
    `${plural(model.users, 'user')} with ${plural(model.iterations, 'journey')} together${noneAfter(model.duration)}`,
};
