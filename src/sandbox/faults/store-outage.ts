import { openGate } from '../gate/index.ts';
import type { Service } from '../service.ts';
import { StoreUnavailable } from '../store.ts';
import type { Fault } from './fault.ts';
import { optional } from './words.ts';

type Answers = 'error' | 'open' | 'closed';
const answers: readonly Answers[] = ['error', 'open', 'closed'];

/**
 * How a service lives with a store that cannot be reached is a choice of its makers. `error`: the store of everything is out
 * and the answer is 500. `open` and `closed`: only the store of the limits is out; the service then admits without counting,
 * or refuses with 503 whoever's credentials are good.
 */
export const storeOutage: Fault = {
  says: "The store fails: the answer is 500 (error, the default). Or only the limits' store fails: requests are admitted uncounted (open) or answered with 503 (closed).",
  parameters: '[:error|open|closed]',
  target: 'request',
  read(words) {
    const answer = optional(
      words,
      'error',
      (word) => answers.find((each) => each === word),
      '"error", "open" or "closed"',
    );
    if ('problem' in answer) return answer;
    return ({ next }) => next(outages[answer.value]);
  },
};

const outages: Readonly<Record<Answers, (service: Service) => Service>> = {
  error: (service) => ({ ...service, store: outOfReach }),
  open: (service) => ({ ...service, gate: openGate(service.gate) }),
  closed: (service) => ({
    ...service,
    gate: {
      ...service.gate,
      passage: () => {
        throw new StoreUnavailable('unavailable');
      },
    },
  }),
};

/** Whatever is asked of it, it throws. */
const outOfReach = new Proxy({} as Service['store'], {
  get() {
    throw new StoreUnavailable('internal');
  },
});
