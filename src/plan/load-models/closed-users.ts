import { counted, formatDuration, type Micros, type Millis, microsFromMillis } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { ClosedUser, LoadModelKind } from './load-model.ts';

type ClosedUsers = Extract<LoadModel, { model: 'closed-users' }>;

/** Its journeys start when others end: no instant of theirs can be planned. */
export const noArrivals = (): Iterable<Micros> => [];

/** Alike users, active from the start. */
export function alikeUsers(
  count: number,
  bounds: { readonly duration?: Millis | undefined; readonly iterations?: number | undefined },
): readonly ClosedUser[] {
  const { duration, iterations } = bounds;
  const user: ClosedUser = {
    active: [{ fromUs: 0 as Micros, ...(duration === undefined ? {} : { untilUs: microsFromMillis(duration) }) }],
    ...(iterations === undefined ? {} : { iterations }),
  };
  return Array.from({ length: count }, () => user);
}

/** `, none started after 30 s`, or nothing. */
export const noneAfter = (duration: Millis | undefined): string =>
  duration === undefined ? '' : `, none started after ${formatDuration(microsFromMillis(duration))}`;

/**
 * A fixed number of users, each of which starts a journey when its last one ended and it has thought. A slow service is
 * asked less often: response times of a closed model say what these users felt, not what an open stream of them would.
 */
export const closedUsers: LoadModelKind<ClosedUsers> = {
  arrivals: noArrivals,
  count: () => 0,
  users: (model) => alikeUsers(model.users, model),
  durationUs: (model) => microsFromMillis(model.duration ?? 0),
  parts: ({ users, duration }) => [{ durationUs: microsFromMillis(duration ?? 0), level: { from: users, to: users } }],
  describe(model) {
    const each = model.iterations === undefined ? '' : `, ${counted(model.iterations, 'journey')} each`;
    const time = model.duration === undefined ? '' : ` for ${formatDuration(microsFromMillis(model.duration))}`;
    return `${counted(model.users, 'user')} one journey after the other${each}${time}`;
  },
};
