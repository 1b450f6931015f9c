import { type Micros, microsFromSeconds } from '../../../base/index.ts';
import { type Rule, slotsOf } from '../../gate/index.ts';
import type { Ask, Limiter, SavedStates } from '../../limiters/index.ts';
import { keyed } from '../../limiters/keyed.ts';
import type { Log } from '../../limiters/log.ts';
import { holders } from '../../limiters/semaphore.ts';
import { altered, alteredStore, redecided } from '../altered.ts';
import type { Defect } from '../defect.ts';
import { NEVER } from '../instants.ts';
import { changedRules, ofSlots } from '../of-limit.ts';

/** A rule whose slots may be lost. It gives no advice, because it cannot know when a slot becomes free. */
const losing = (limiter: Limiter): Partial<Rule> => ({
  advises: false,
  limiter: redecided(limiter, (decision) =>
    decision.admitted ? { admitted: true, remaining: decision.remaining } : decision,
  ),
});

/** Whether the slot ends at once. True for invalid messages, for which no time is given. */
const isOver = ({ now, heldUntil = now }: Ask) => heldUntil <= now;

const C1: Defect = {
  limit: 'concurrency',
  says: 'The slot of a failed turn is never released: with each failed turn there is one slot less, and in the end every message is refused.',
  requires: { failureShare: 0.5 },
  breaks: (circumstances) => {
    let fails = false;
    const forgetting = (honest: Limiter) =>
      altered(honest, { take: (ask) => honest.take(fails ? { ...ask, heldUntil: NEVER } : ask) });
    return {
      store: (honest) =>
        alteredStore(honest, {
          addTurn(turn) {
            // The slot of this turn is taken next, before any other request.
            fails = turn.schedule.outcome === 'failed';
            honest.addTurn(turn);
          },
        }),
      ...changedRules('concurrency', ({ limiter }) => losing(forgetting(limiter)), circumstances),
    };
  },
};

/** Delay between the end of a turn and the release of its slot. */
const LATE_US = microsFromSeconds(3);

/** Slots that were held by an earlier process are never released. */
function withoutLease(honest: Limiter): Limiter {
  let orphans = new Map<string, Log>();
  return altered(honest, {
    load(saved: SavedStates) {
      orphans = new Map(Object.entries(saved as Readonly<Record<string, Log>>));
      honest.load({});
    },
    peek(ask) {
      if (ask.isLook) return honest.peek(ask);
      for (const end of orphans.get(ask.key) ?? []) if (end > ask.now) honest.take({ ...ask, heldUntil: NEVER });
      orphans.delete(ask.key);
      return honest.peek(ask);
    },
  });
}

export const slots = {
  C1,
  C2: ofSlots(
    'A message that is answered 422 or 404 takes a slot and never releases it: after as many of them as there are slots, every message is refused.',
    ({ limiter }) => ({
      ...losing(altered(limiter, { take: (ask) => limiter.take(isOver(ask) ? { ...ask, heldUntil: NEVER } : ask) })),
      countsInvalid: true,
    }),
  ),
  C4: ofSlots(
    'A slot is released 3 s after its turn has finished: a client that sends as soon as it sees the turn completed is refused.',
    ({ limiter }) => ({
      limiter: altered(limiter, {
        take: (ask) =>
          limiter.take({ ...ask, heldUntil: ((ask.heldUntil ?? ask.now) + (isOver(ask) ? 0 : LATE_US)) as Micros }),
      }),
    }),
  ),
  C7: ofSlots(
    'Slots have no lease: a slot that was held when the process was killed is lost forever, unless its turn is over before the next message. Shows after a restart with a store.',
    ({ limiter }) => losing(withoutLease(limiter)),
    { slot: 'accepted-to-finished' },
  ),
  C8: ofSlots(
    'A refusal sets the limit to a default of 3, or to one more than the declared limit if that is larger: the next messages find more slots.',
    (_rule, limit) => {
      const slots = slotsOf(limit);
      const [declared, usual] = [holders(slots), holders({ ...slots, max: Math.max(3, slots.max + 1) })];
      const reset = new Set<string>();
      const current = (key: string) => (reset.has(key) ? usual : declared);
      return {
        limiter: keyed<Log>({
          ...declared,
          peek: (state, ask) => current(ask.key).peek(state, ask),
          refuse(state = [], { key }) {
            reset.add(key);
            return state;
          },
        }),
      };
    },
    { slot: 'accepted-to-finished' },
  ),
};
