import type { Ask, Decision, Limiter } from '../limiters/index.ts';
import type { Store } from '../store.ts';

/** The limiter with some of its members replaced. */
export function altered(limiter: Limiter, changes: Partial<Limiter>): Limiter {
  return {
    peek: limiter.peek,
    take: limiter.take,
    ...(limiter.refuse && { refuse: limiter.refuse }),
    ...(limiter.freeFrom && { freeFrom: limiter.freeFrom }),
    save: limiter.save,
    load: limiter.load,
    stateOf: limiter.stateOf,
    get size() {
      return limiter.size;
    },
    ...changes,
  };
}

/** The limiter with changed decisions. What it counts stays the same. */
export const redecided = (limiter: Limiter, tell: (decision: Decision, ask: Ask) => Decision): Limiter =>
  altered(limiter, { peek: (ask) => tell(limiter.peek(ask), ask) });

/** The limiter with every question changed before it is asked. */
export const asked = (limiter: Limiter, change: (ask: Ask) => Ask): Limiter => {
  const { refuse, freeFrom } = limiter;
  return altered(limiter, {
    peek: (ask) => limiter.peek(change(ask)),
    take: (ask) => limiter.take(change(ask)),
    ...(refuse && { refuse: (ask: Ask) => refuse(change(ask)) }),
    ...(freeFrom && { freeFrom: (ask: Ask) => freeFrom(change(ask)) }),
  });
};

/** The store with some of its members replaced. The others stay bound to the store, which may have private members. */
export function alteredStore(store: Store, changes: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
