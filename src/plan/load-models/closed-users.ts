import { formatDuration, type Micros, type Millis, microsFromMillis, plural } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { ClosedUser, LoadModelKind } from './load-model.ts';

type ClosedUsers = Extract<LoadModel, { model: 'closed-users' }>;

/** A closed model has no planned arrivals, because each journey starts when the previous one ends. */
export const noArrivals = { arrivals: () => [], count: () => 0 } as const;

/** Users with equal settings, active from the start of the model. */
export function alikeUsers(
  count: number,
  bounds: { readonly duration?: Millis | undefined; readonly iterations?: number | undefined },
): readonly ClosedUser[] {
  const { duration, iterations } = bounds;
  const user: ClosedUser = {
    active: [{ fromUs: 0 as Micros, ...(duration !== undefined && { untilUs: microsFromMillis(duration) }) }],
    ...(iterations !== undefined && { iterations }),
  };
  return Array.from({ length: count }, () => user);
}

/** `, none started after 30 s`; empty without a duration. */
export const noneAfter = (duration: Millis | undefined): string =>
  duration === undefined ? '' : `, none started after ${formatDuration(microsFromMillis(duration))}`;

/**
 * A fixed number of users. Each starts its next journey after the previous one ended and a think time has passed. A slower service
 * therefore receives fewer requests, so response times of a closed model do not show what open arrivals would experience.
 */
export const closedUsers: LoadModelKind<ClosedUsers> = {
  ...noArrivals,
  users: (model) => alikeUsers(model.users, model),
  durationUs: (model) => microsFromMillis(model.duration ?? 0),
  parts: ({ users, duration }) => [{ durationUs: microsFromMillis(duration ?? 0), level: { from: users, to: users } }],
  describe(model) {
    const each = model.iterations === undefined ? '' : `, ${plural(model.iterations, 'journey')} each`;
    const time = model.duration === undefined ? '' : ` for ${formatDuration(microsFromMillis(model.duration))}`;
    return `${plural(model.users, 'user')} one journey after the other${each}${time}`;
  },
};
