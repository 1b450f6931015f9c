import { formatCount, formatDuration, microsFromMillis } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';

type Burst = Extract<LoadModel, { model: 'burst' }>;

/** `count` arrivals with a constant gap, which may be 0. */
export const burst: LoadModelKind<Burst> = {
  *arrivals(model) {
    for (let k = 0; k < model.count; k++) yield microsFromMillis(k * model.gap);
  },
  count: (model) => model.count,
  users: () => [],
  durationUs: (model) => microsFromMillis((model.count - 1) * model.gap),
  endsWithArrival: true,
  describe: (model) =>
    model.gap === 0
      ? `${formatCount(model.count)} at once`
      : `${formatCount(model.count)}, ${formatDuration(microsFromMillis(model.gap))} apart`,
};
