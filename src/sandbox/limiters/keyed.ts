import type { Micros } from '../../base/index.ts';
import type { Ask, Decision, Limiter, SavedState, SavedStates } from './limiter.ts';

/**
 * A limiter of a single key, as functions of its state. `undefined` is the state of a new key and must be equivalent to an
 * expired state.
 */
export interface Algorithm<State extends SavedState> {
  peek(state: State | undefined, ask: Ask): Decision;
  /** @returns the new state; the function may modify and return the given one */
  take(state: State | undefined, ask: Ask): State;
  /** Like `take`, for a refusal. Absent if refusals change nothing. */
  refuse?(state: State | undefined, ask: Ask): State;
  /** See `Limiter.freeFrom`. */
  freeFrom?(state: State | undefined, ask: Ask): Micros;
  /** The first instant from which the state is equivalent to that of a new key. */
  expiresAt(state: State): Micros;
}

/** Keys that each change checks for expiry: two, because each change adds at most one key. */
const SWEPT_PER_CHANGE = 2;

/**
 * Applies an algorithm to any number of keys. Each change also drops a few expired states, which bounds memory without a timer
 * and without pauses.
 */
export function keyed<State extends SavedState>(algorithm: Algorithm<State>): Limiter {
  const states = new Map<string, State>();
  let cursor = states.entries();

  const sweep = (now: Micros) => {
    for (let i = 0; i < SWEPT_PER_CHANGE; i++) {
      const next = cursor.next();
      if (next.done) {
        cursor = states.entries();
        return;
      }
      const [key, state] = next.value;
      if (algorithm.expiresAt(state) <= now) states.delete(key);
    }
  };
  const change = ({ key, now }: Ask, state: State) => {
    states.set(key, state);
    sweep(now);
  };
  const { refuse, freeFrom } = algorithm;
  return {
    peek: (ask) => algorithm.peek(states.get(ask.key), ask),
    take: (ask) => change(ask, algorithm.take(states.get(ask.key), ask)),
    ...(refuse && { refuse: (ask: Ask) => change(ask, refuse(states.get(ask.key), ask)) }),
    ...(freeFrom && { freeFrom: (ask: Ask) => freeFrom(states.get(ask.key), ask) }),
    save: (now) =>
      structuredClone(Object.fromEntries([...states].filter(([, state]) => algorithm.expiresAt(state) > now))),
    load(saved: SavedStates) {
      states.clear();
      for (const [key, state] of Object.entries(structuredClone(saved))) states.set(key, state as State);
      cursor = states.entries();
    },
    stateOf: (key) => states.get(key),
    get size() {
      return states.size;
    },
  };
}
