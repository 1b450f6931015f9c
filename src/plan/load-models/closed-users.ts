import { formatDuration, type Micros, microsFromMillis } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { ClosedUser, LoadModelKind } from './load-model.ts';

type ClosedUsers = Extract<LoadModel, { model: 'closed-users' }>;

/**
 * A fixed number of users, each of which starts a journey when its last one ended and it has thought. A slow service is
 * asked less often: response times of a closed model say what these users felt, not what an open stream of them would.
 */
export const closedUsers: LoadModelKind<ClosedUsers> = {
  *arrivals() {
    // Its journeys start when others end: no instant of theirs can be planned.
  },
  count: () => 0,
  users(model) {
    const user: ClosedUser = {
      startUs: 0 as Micros,
      ...(model.duration === undefined ? {} : { untilUs: microsFromMillis(model.duration) }),
      ...(model.iterations === undefined ? {} : { iterations: model.iterations }),
    };
    return Array.from({ length: model.users }, () => user);
  },
  durationUs: (model) => microsFromMillis(model.duration ?? 0),
  describe(model) {
    const each = model.iterations === undefined ? '' : `, ${model.iterations} journeys each`;
    const time = model.duration === undefined ? '' : ` for ${formatDuration(microsFromMillis(model.duration))}`;
    return `${model.users} users one journey after the other${each}${time}`;
  },
};
