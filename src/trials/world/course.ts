/** From a run time on, a clock shows this much, and runs at this speed, until the next stretch begins. */
export interface Stretch {
  readonly from: number;
  readonly serviceUs: number;
  readonly speed: number;
}

/** How a clock goes that is set now and then, and runs evenly between. Times in µs, with fractions. */
export interface Course {
  /** What the clock on the wall shows. */
  readonly wallAt: (t: number) => number;
  /** What a service goes by that never lets its clock go back: where it was set back, it stands until that is made up for. */
  readonly at: (t: number) => number;
  /** The first run time at which `at` is this or later. */
  readonly runAt: (serviceUs: number) => number;
}

/** @param stretches rising; the first one also holds for whatever was before it */
export function courseOf(stretches: readonly [Stretch, ...Stretch[]]): Course {
  const wallIn = ({ from, serviceUs, speed }: Stretch, t: number) => serviceUs + (t - from) * speed;
  const floors = [Number.NEGATIVE_INFINITY];
  stretches.slice(1).forEach(({ from }, before) => {
    floors.push(Math.max(floors[before] as number, wallIn(stretches[before] as Stretch, from)));
  });
  const placeOf = (t: number) => {
    let place = stretches.length - 1;
    while (place > 0 && (stretches[place] as Stretch).from > t) place -= 1;
    return place;
  };
  return {
    wallAt: (t) => wallIn(stretches[placeOf(t)] as Stretch, t),
    at: (t) => {
      const place = placeOf(t);
      return Math.max(wallIn(stretches[place] as Stretch, t), floors[place] as number);
    },
    runAt: (serviceUs) => {
      for (let place = 0; ; place++) {
        const { from, serviceUs: shown, speed } = stretches[place] as Stretch;
        if (serviceUs <= (floors[place] as number)) return from;
        const t = from + (serviceUs - shown) / speed;
        if (t < (stretches[place + 1]?.from ?? Number.POSITIVE_INFINITY)) return place === 0 ? t : Math.max(from, t);
      }
    },
  };
}
