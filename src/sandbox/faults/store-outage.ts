import { openGate } from '../gate/index.ts';
import type { Service } from '../service.ts';
import { StoreUnavailable } from '../store.ts';
import type { Fault } from './fault.ts';
import { optional } from './words.ts';

type Answers = 'error' | 'open' | 'closed';
const answers: readonly Answers[] = ['error', 'open', 'closed'];

/**
 * Services handle an unreachable store in different ways. `error`: the whole store is unreachable and the answer is 500. `open`
 * and `closed`: only the store of the limits is unreachable; the service admits without counting, or answers every authenticated
 * request with 503.
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

/** A store that throws on every access. */
const outOfReach = new Proxy({} as Service['store'], {
  get() {
    throw new StoreUnavailable('internal');
  },
});
