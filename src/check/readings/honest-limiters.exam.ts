/**
 * Honest limiters, written as plainly as possible: they judge the judge. They share no code with the embedded sandbox or the
 * readings. Each attempt costs one; `decide` is called in rising order of `now`.
 */

export interface Honest {
  /** Whether the attempt at service time `now` is admitted; updates the state. */
  decide(now: number): boolean;
  /** A copy in the same state, for searches. */
  copy(): Honest;
}

export type MakeHonest = (max: number, windowUs: number, phaseUs: number) => Honest;

export const honestSlidingLog: MakeHonest = (max, windowUs) => {
  const make = (log: number[]): Honest => ({
    decide(now) {
      const recent = log.filter((at) => at > now - windowUs);
      const admit = recent.length < max;
      log.splice(0, log.length, ...recent, ...(admit ? [now] : []));
      return admit;
    },
    copy: () => make([...log]),
  });
  return make([]);
};

const honestSlidingLogCountingRefused: MakeHonest = (max, windowUs) => {
  const make = (log: number[]): Honest => ({
    decide(now) {
      const recent = log.filter((at) => at > now - windowUs);
      log.splice(0, log.length, ...recent, now);
      return recent.length < max;
    },
    copy: () => make([...log]),
  });
  return make([]);
};

/** Counts tokens in units of 1 / windowUs, so that integers stay exact: each µs adds `max` units. */
export const honestTokenBucket: MakeHonest = (max, windowUs) => {
  const make = (start: number, at: number): Honest => {
    let tokens = start;
    let last = at;
    return {
      decide(now) {
        if (now > last) {
          tokens = Math.min(max * windowUs, tokens + (now - last) * max);
          last = now;
        }
        if (tokens < windowUs) return false;
        tokens -= windowUs;
        return true;
      },
      copy: () => make(tokens, last),
    };
  };
  return make(max * windowUs, Number.MIN_SAFE_INTEGER / 1e6);
};

/**
 * A share of N at each tick: `perWindow` ticks per window, or N. With N of them it gets one token at a time; Envoy's buckets with
 * `tokens_per_fill` get several.
 */
const honestIntervalRefill =
  (perWindow?: number): MakeHonest =>
  (max, windowUs, phaseUs) => {
    const parts = perWindow ?? max;
    const ticks = (now: number) => Math.floor(((now - phaseUs) * parts) / windowUs);
    const make = (start: number, at: number | undefined): Honest => {
      let tokens = start;
      let last = at;
      return {
        decide(now) {
          const tick = ticks(now);
          tokens = Math.min(max, tokens + (Math.max(0, tick - (last ?? tick)) * max) / parts);
          last = Math.max(tick, last ?? tick);
          if (tokens < 1) return false;
          tokens -= 1;
          return true;
        },
        copy: () => make(tokens, last),
      };
    };
    return make(max, undefined);
  };

const honestFixedWindow: MakeHonest = (max, windowUs, phaseUs) => {
  const make = (startWindow: number | undefined, startCount: number): Honest => {
    let window = startWindow;
    let count = startCount;
    return {
      decide(now) {
        const present = Math.floor((now - phaseUs) / windowUs);
        if (present !== window) {
          window = present;
          count = 0;
        }
        if (count >= max) return false;
        count += 1;
        return true;
      },
      copy: () => make(window, count),
    };
  };
  return make(undefined, 0);
};

const honestAnchoredWindow: MakeHonest = (max, windowUs) => {
  const make = (startAt: number, startCount: number): Honest => {
    let begun = startAt;
    let count = startCount;
    return {
      decide(now) {
        if (now >= begun + windowUs) {
          begun = now;
          count = 0;
        }
        if (count >= max) return false;
        count += 1;
        return true;
      },
      copy: () => make(begun, count),
    };
  };
  return make(Number.NEGATIVE_INFINITY, 0);
};

/** The first refusal blocks for W. `extends`: each further refusal blocks anew. */
const honestPenalty =
  (extending: boolean): MakeHonest =>
  (max, windowUs) => {
    const make = (startAt: number, startCount: number, startBlocked: number): Honest => {
      let begun = startAt;
      let count = startCount;
      let blockedUntil = startBlocked;
      return {
        decide(now) {
          if (now < blockedUntil) {
            if (extending) blockedUntil = now + windowUs;
            return false;
          }
          if (now >= begun + windowUs || (now >= blockedUntil && blockedUntil > begun)) {
            begun = now;
            count = 0;
          }
          if (count >= max) {
            blockedUntil = now + windowUs;
            return false;
          }
          count += 1;
          return true;
        },
        copy: () => make(begun, count, blockedUntil),
      };
    };
    return make(Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY);
  };

/** `weigh`: exact or floored weights. `atMost`: the request itself counts in the comparison. */
export const honestSlidingCounter =
  (weigh: (share: number) => number, itself: 0 | 1): MakeHonest =>
  (max, windowUs, phaseUs) => {
    const make = (startWindow: number, startPrevious: number, startPresent: number): Honest => {
      let window = startWindow;
      let previous = startPrevious;
      let present = startPresent;
      return {
        decide(now) {
          const index = Math.floor((now - phaseUs) / windowUs);
          if (index > window) {
            previous = index === window + 1 ? present : 0;
            present = 0;
            window = index;
          }
          const passed = (now - phaseUs - window * windowUs) / windowUs;
          const weight = weigh(previous * (1 - passed)) + present;
          const admit = itself === 1 ? weight + 1 <= max : weight < max;
          if (admit) present += 1;
          return admit;
        },
        copy: () => make(window, previous, present),
      };
    };
    return make(Number.NEGATIVE_INFINITY, 0, 0);
  };

/** Per honest limiter, the readings that must never be refuted; the first is its own. */
export const honestLimiters: Readonly<
  Record<string, { readonly make: MakeHonest; readonly readings: readonly string[] }>
> = {
  'sliding log': { make: honestSlidingLog, readings: ['sliding-log'] },
  'sliding log counting refused': { make: honestSlidingLogCountingRefused, readings: ['sliding-log-counting-refused'] },
  'token bucket': { make: honestTokenBucket, readings: ['token-bucket', 'interval-refill'] },
  'interval refill': { make: honestIntervalRefill(), readings: ['interval-refill'] },
  'fixed window': { make: honestFixedWindow, readings: ['fixed-window'] },
  'fixed window aligned': {
    make: (max, windowUs) => honestFixedWindow(max, windowUs, 0),
    readings: ['fixed-window-aligned', 'fixed-window'],
  },
  'anchored window': { make: honestAnchoredWindow, readings: ['fixed-window-anchored'] },
  penalty: { make: honestPenalty(false), readings: ['fixed-window-penalty'] },
  'penalty that extends': { make: honestPenalty(true), readings: ['fixed-window-penalty'] },
  'sliding counter': { make: honestSlidingCounter((share) => share, 0), readings: ['sliding-counter'] },
  'sliding counter, floored': { make: honestSlidingCounter(Math.floor, 0), readings: ['sliding-counter'] },
  'sliding counter, itself counted': { make: honestSlidingCounter((share) => share, 1), readings: ['sliding-counter'] },
};

/** Blocks for a window after a refusal, whatever counts. @param countsFirst whether it counts before it checks the block */
const blocking =
  (counter: MakeHonest, countsFirst = false): MakeHonest =>
  (max, windowUs, phaseUs) => {
    const make = (inner: Honest, startBlocked: number): Honest => {
      let blockedUntil = startBlocked;
      return {
        decide(now) {
          const isBlocked = now < blockedUntil;
          if (isBlocked && !countsFirst) return false;
          const admits = inner.decide(now);
          if (isBlocked || admits) return admits && !isBlocked;
          blockedUntil = now + windowUs;
          return false;
        },
        copy: () => make(inner.copy(), blockedUntil),
      };
    };
    return make(counter(max, windowUs, phaseUs), Number.NEGATIVE_INFINITY);
  };

/** Begins anew with the next request after a window without any, or without one that was admitted. */
const beginningAnew =
  (counter: MakeHonest, kept: 'by any request' | 'by admissions' = 'by any request'): MakeHonest =>
  (max, windowUs) => {
    const make = (startInner: Honest, startLast: number): Honest => {
      let [inner, last] = [startInner, startLast];
      return {
        decide(now) {
          if (now - last >= windowUs) inner = counter(max, windowUs, now);
          const admits = inner.decide(now);
          if (admits || kept === 'by any request') last = now;
          return admits;
        },
        copy: () => make(inner.copy(), last),
      };
    };
    return make(counter(max, windowUs, 0), Number.NEGATIVE_INFINITY);
  };

/** A log that knows of each request only in which segment of the window it was, as ASP.NET Core's does. */
const honestSegmentedLog =
  (segments: number): MakeHonest =>
  (max, windowUs, phaseUs) => {
    const make = (log: number[]): Honest => ({
      decide(now) {
        const present = Math.floor(((now - phaseUs) * segments) / windowUs);
        const recent = log.filter((segment) => segment > present - segments);
        const admit = recent.length < max;
        log.splice(0, log.length, ...recent, ...(admit ? [present] : []));
        return admit;
      },
      copy: () => make([...log]),
    });
    return make([]);
  };

/**
 * Other limiters that exist, with the readings that explain them, if any. If none does, the only requirement is that no
 * accusation arises while no reading is declared.
 */
export const rarerLimiters: typeof honestLimiters = {
  'penalty that counts first': { make: blocking(honestAnchoredWindow, true), readings: ['fixed-window-penalty'] },
  'counter that begins anew': {
    make: beginningAnew(honestSlidingCounter((share) => share, 0)),
    readings: ['sliding-counter'],
  },
  'bucket that gets all at once, and is forgotten when full': {
    make: beginningAnew(honestFixedWindow, 'by admissions'),
    readings: [],
  },
  'log that blocks': { make: blocking(honestSlidingLog), readings: [] },
  'window that blocks': { make: blocking(honestFixedWindow), readings: [] },
  'bucket that gets a quarter at a time': { make: honestIntervalRefill(4), readings: [] },
  'bucket that gets a twelfth at a time': { make: honestIntervalRefill(12), readings: [] },
  'log of quarters of the window': { make: honestSegmentedLog(4), readings: [] },
  'bucket that blocks': { make: blocking(honestTokenBucket), readings: [] },
};
