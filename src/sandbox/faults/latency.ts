import { sampleLatency } from '../../api/index.ts';
import { type Micros, microsFromMillis } from '../../base/index.ts';
import { parseLatency } from '../latency-text.ts';
import { type Fault, withDelivery } from './fault.ts';

/** Delays the answer after the decision, so that limits count the request when it arrives. */
export const latency: Fault = {
  says: 'The request is processed at once; the answer is delayed by this long.',
  parameters: ':DISTRIBUTION',
  target: 'request',
  read(words) {
    const distribution = parseLatency(words.join(':'));
    if ('problem' in distribution) return distribution;
    return ({ next, random }) => {
      const outcome = next();
      const more = microsFromMillis(sampleLatency(distribution, random));
      return withDelivery(outcome, { delayUs: ((outcome.delivery?.delayUs ?? 0) + more) as Micros });
    };
  },
};
