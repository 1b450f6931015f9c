import { burstOf, quotaOf } from '../../gate/index.ts';
import { fixedWindow, type Limiter } from '../../limiters/index.ts';
import { type Algorithm, keyed } from '../../limiters/keyed.ts';
import { counted, plus, type Quota, startOfWindow } from '../../limiters/windows.ts';
import { ofRate } from '../of-limit.ts';

/** One timer for all keys, started by the first request: windows aligned to the instant of that request. */
function sharedTimer(quota: Quota, honest: Limiter): Limiter {
  let shared: Limiter | undefined;
  return {
    peek: (ask) => (shared ?? honest).peek(ask),
    take(ask) {
      shared ??= fixedWindow({ ...quota, phaseUs: (ask.now % quota.windowUs) as typeof ask.now });
      shared.take(ask);
    },
    // Such a counter lives in the memory of the process and ends with it.
    save: () => ({}),
    load: () => undefined,
    stateOf: () => undefined,
    get size() {
      return shared?.size ?? 0;
    },
  };
}

/** `staleAt` is the true start of the previous window, from which its weight is computed. */
type Stale = { startsAt: number; current: number; previous: number; staleAt: number };

/** A sliding counter whose previous window may be long past. Its weight is then negative, which adds units. */
function staleWindow(quota: ReturnType<typeof quotaOf>): Limiter {
  const { max, windowUs } = quota;
  const current = (state: Stale | undefined, now: number): Stale => {
    const startsAt = startOfWindow(now as typeof windowUs, quota);
    if (!state) return { startsAt, current: 0, previous: 0, staleAt: startsAt - windowUs };
    if (state.startsAt === startsAt) return state;
    return { startsAt, current: 0, previous: state.current, staleAt: state.startsAt };
  };
  /** Units left. The weighted part may be negative. */
  const left = ({ current: used, previous, staleAt }: Stale, now: number) =>
    max - used - Math.floor(previous * (1 - (now - (staleAt + windowUs)) / windowUs));
  const algorithm: Algorithm<Stale> = {
    peek(state, { now }) {
      const found = current(state, now);
      return counted(left(found, now), plus(found.startsAt as typeof now, windowUs));
    },
    take(state, { now }) {
      const found = current(state, now);
      return { ...found, current: found.current + 1 };
    },
    // The defect is that stale counters are kept. To bound memory, a key is forgotten after a thousand windows.
    expiresAt: ({ startsAt }) => plus(startsAt as typeof windowUs, 1_000 * windowUs),
  };
  return keyed(algorithm);
}

/** How early a request may come and still count as on time. */
const SLACK_US = 1_000_000;

/** Compares arrival times to the second: a request that is up to a second early is on time, at no cost. */
function slackArrivals({ max, windowUs }: Quota, burst: number): Limiter {
  const spacing = windowUs / max;
  type State = { tat: number };
  const tolerance = (burst - 1) * spacing;
  const dueAt = (state: State | undefined) => (state ? state.tat - tolerance : Number.NEGATIVE_INFINITY);
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const due = dueAt(state);
      if (now < due - SLACK_US) return { admitted: false, retryAtUs: Math.ceil(due - SLACK_US) as typeof now };
      const ahead = Math.max(now, state?.tat ?? now) + spacing - now;
      return { admitted: true, remaining: Math.max(0, Math.floor((tolerance - ahead) / spacing) + 1) };
    },
    take(state, { now }) {
      // Counted as if the request had come when it was due.
      const early = Math.max(0, dueAt(state) - now);
      return { tat: Math.max(now, (state?.tat ?? now) - early) + spacing };
    },
    expiresAt: ({ tat }) => plus(Math.ceil(tat) as typeof windowUs, SLACK_US),
  };
  return keyed(algorithm);
}

export const boundaries = {
  O7: ofRate(
    'A sliding window is declared but a fixed one enforced: around the start of a minute, twice the limit is admitted within a moment.',
    (_rule, limit) => ({ limiter: fixedWindow(quotaOf(limit)) }),
    { algorithm: ['sliding-log'] },
  ),
  O8: ofRate(
    'All counters are cleared by one timer, which the first request of any user starts, instead of each by its own: the window of a second user or application ends early, so it gets twice the limit in less than a window.',
    ({ limiter }, limit) => ({ limiter: sharedTimer(quotaOf(limit), limiter) }),
    { algorithm: ['fixed-window-first-request'] },
  ),
  O12: ofRate(
    'Arrival times are compared with a precision of one second, so a request that is up to a second early counts as on time: under steady overload more than the rate is admitted, half as much again at 20 per minute.',
    (_rule, limit) => ({ limiter: slackArrivals(quotaOf(limit), burstOf(limit)) }),
    { algorithm: ['gcra'] },
  ),
  O16: ofRate(
    'The sliding counter looks up the previous window under the wrong key and finds nothing: it is a fixed window, which admits twice the limit around a boundary.',
    (_rule, limit) => ({ limiter: fixedWindow(quotaOf(limit)) }),
    { algorithm: ['sliding-counter'] },
  ),
  O17: ofRate(
    'The sliding counter takes a window long past for the previous one and gives it a negative weight: after several idle windows, a burst of several times the limit is admitted.',
    (_rule, limit) => ({ limiter: staleWindow(quotaOf(limit)) }),
    { algorithm: ['sliding-counter'] },
  ),
};
