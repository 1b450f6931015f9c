import type { Micros } from '../../base/index.ts';
import type { Ask, Decision, Limiter, SavedState, SavedStates } from './limiter.ts';

/**
 * A limit over a single key: pure functions of what is remembered of it. `undefined` is a key never seen, and must mean the
 * same as a state that has expired.
 */
export interface Algorithm<State extends SavedState> {
  peek(state: State | undefined, ask: Ask): Decision;
  /** @returns what is remembered afterwards; the state that was handed in may be changed and handed back */
  take(state: State | undefined, ask: Ask): State;
  /** As `take`, for a refusal; absent where refusals change nothing. */
  refuse?(state: State | undefined, ask: Ask): State;
  /** As `Limiter.freeFrom`. */
  freeFrom?(state: State | undefined, ask: Ask): Micros;
  /** The first instant from which on the state means no more than a key never seen. */
  expiresAt(state: State): Micros;
}

/** How many remembered keys each change looks at: two, so that dropping outpaces the one key that a change may add. */
const SWEPT_PER_CHANGE = 2;

/**
 * Keeps an algorithm's states by key. Expired ones are dropped a few at a time, by whoever changes any: memory follows the
 * keys that matter, without a timer and without a pause to go through them all.
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
  const { refuse, freeFrom } = algorithm;

  return {
    peek: (ask) => algorithm.peek(states.get(ask.key), ask),
    take(ask) {
      states.set(ask.key, algorithm.take(states.get(ask.key), ask));
      sweep(ask.now);
    },
    ...(refuse && {
      refuse(ask: Ask) {
        states.set(ask.key, refuse(states.get(ask.key), ask));
        sweep(ask.now);
      },
    }),
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
