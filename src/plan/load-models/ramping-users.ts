import { formatCount, formatDuration, type Micros, microsFromMillis } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import { noArrivals } from './closed-users.ts';
import type { ActiveTime, ClosedUser, LoadModelKind } from './load-model.ts';

type RampingUsers = Extract<LoadModel, { model: 'ramping-users' }>;

interface Ramp {
  readonly from: number;
  readonly to: number;
  readonly startMs: number;
  readonly duration: number;
}

function rampsOf({ from, stages }: RampingUsers): Ramp[] {
  let startMs = 0;
  return stages.map(({ to, duration }, s) => {
    const ramp = { from: stages[s - 1]?.to ?? from, to, startMs, duration };
    startMs += duration;
    return ramp;
  });
}

/**
 * When user `i` is active: while the interpolated number of users is above `i`. So the number is rounded up, and the first user of
 * a ramp starts at once.
 */
function activeTimes(ramps: readonly Ramp[], i: number): ActiveTime[] {
  const times: { fromUs: Micros; untilUs: Micros }[] = [];
  for (const { from, to, startMs, duration } of ramps) {
    if (duration === 0 || Math.max(from, to) <= i) continue;
    // Used only if one end is above i and the other is not.
    const crossingMs = startMs + ((i - from) / (to - from)) * duration;
    const fromUs = microsFromMillis(from <= i ? crossingMs : startMs);
    const untilUs = microsFromMillis(to <= i ? crossingMs : startMs + duration);
    const last = times.at(-1);
    if (last?.untilUs === fromUs) last.untilUs = untilUs;
    else times.push({ fromUs, untilUs });
  }
  return times;
}

/** A number of users that changes linearly within each stage. A user who becomes inactive finishes the current journey first. */
export const rampingUsers: LoadModelKind<RampingUsers> = {
  ...noArrivals,
  users(model) {
    const ramps = rampsOf(model);
    const most = Math.max(model.from, ...model.stages.map((stage) => stage.to));
    return Array.from({ length: most }, (_, i): ClosedUser => ({ active: activeTimes(ramps, i) })).filter(
      ({ active }) => active.length > 0,
    );
  },
  durationUs: (model) => microsFromMillis(model.stages.reduce((sum, stage) => sum + stage.duration, 0)),
  parts: (model) =>
    rampsOf(model).map(({ from, to, duration }, index) => ({
      name: `stage-${index + 1}`,
      durationUs: microsFromMillis(duration),
      level: { from, to },
    })),
  describe(model) {
    const ramps = rampsOf(model).map(({ from, to, duration }) => {
      const time = formatDuration(microsFromMillis(duration));
      if (duration === 0) return `at once to ${formatCount(to)}`;
      return from === to ? `${formatCount(to)} for ${time}` : `to ${formatCount(to)} within ${time}`;
    });
    return `users one journey after the other, from ${formatCount(model.from)} ${ramps.join(', ')}`;
  },
};
