import { type Micros, microsFromMillis } from '../../../base/index.ts';
import { burstOf, quotaOf } from '../../gate/index.ts';
import type { Decision } from '../../limiters/index.ts';
import { plus } from '../../limiters/windows.ts';
import { redecided } from '../altered.ts';
import type { Defect } from '../defect.ts';
import { SECOND_US } from '../instants.ts';
import { ofRate } from '../of-limit.ts';
import { withHeaders } from './headers.ts';

type Refusal = Extract<Decision, { admitted: false }>;
/** Changes the time that a refusal names for the next try. */
const told = (decision: Decision, tell: (retryAtUs: Micros) => Micros): Decision =>
  decision.admitted ? decision : ({ ...decision, retryAtUs: tell(decision.retryAtUs) } satisfies Refusal);

const H1: Defect = {
  says: 'Retry-After is in milliseconds: 60000 instead of 60 for a minute.',
  breaks: () => ({
    decide: withHeaders((headers) => {
      const seconds = headers['retry-after'];
      return seconds === undefined ? headers : { ...headers, 'retry-after': String(Number(seconds) * 1_000) };
    }),
  }),
};

export const retryAfter = {
  H1,
  H2: ofRate(
    'Retry-After is always the whole window instead of the rest of it: two refusals 10 s apart have the same value.',
    ({ limiter }, { window }) => ({
      limiter: redecided(limiter, (decision, { now }) => told(decision, () => plus(now, microsFromMillis(window)))),
    }),
  ),
  H3: ofRate('Refusals of the sliding window have no Retry-After.', () => ({ advises: false }), {
    algorithm: ['sliding-log'],
  }),
  H4: ofRate('In refusals the time to the reset is 0: Retry-After: 0, and t=0.', ({ limiter }) => ({
    limiter: redecided(limiter, (decision, { now }) => told(decision, () => now)),
  })),
  H5: ofRate(
    'Numbers are out of range: the remaining quota exceeds the limit in admissions, and Retry-After is negative in refusals.',
    ({ limiter }, { max }) => ({
      limiter: redecided(limiter, (decision, { now }) =>
        decision.admitted
          ? { ...decision, remaining: decision.remaining + max + 1 }
          : told(decision, (at) => (2 * now - at) as Micros),
      ),
    }),
  ),
  H6: ofRate(
    'Retry-After is at most 1 s, however long the wait is: a client that obeys it is refused again.',
    ({ limiter }) => ({
      limiter: redecided(limiter, (decision, { now }) =>
        told(decision, (at) => Math.min(at, plus(now, SECOND_US)) as Micros),
      ),
    }),
  ),
  H7: ofRate(
    'Retry-After is the time until the bucket is full instead of until it has one token: much earlier requests are admitted.',
    ({ limiter }, limit) => {
      const { max, windowUs } = quotaOf(limit);
      const others = burstOf(limit) - 1;
      return {
        limiter: redecided(limiter, (decision) =>
          told(decision, (at) => plus(at, Math.floor((others * windowUs) / max))),
        ),
      };
    },
    { algorithm: ['token-bucket'] },
  ),
  H11: ofRate('Every reset is reported one second too late, in Retry-After and in t.', ({ limiter }) => ({
    limiter: redecided(limiter, (decision) => {
      if (!decision.admitted) return told(decision, (at) => plus(at, SECOND_US));
      const { resetAtUs } = decision;
      return { ...decision, ...(resetAtUs !== undefined && { resetAtUs: plus(resetAtUs, SECOND_US) }) };
    }),
  })),
};
