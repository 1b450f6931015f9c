import { kindOf } from '../kind.ts';

/** The text itself is not shown: it is the service's. */
export const retryAfterUnreadable = kindOf<{ request: string | number }>(
  'Retry-After was neither whole seconds nor a date (RFC 9110 section 10.2.3).',
  function* ({ advice, evidence }) {
    for (const { row, retryAfter } of advice.refusals) {
      if (retryAfter?.kind !== 'unreadable') continue;
      const request = evidence.refOf(row);
      yield { basis: 'observation', at: evidence.sentAt[row] as number, exchanges: [request], data: { request } };
    }
  },
  ({ request }) => `the Retry-After in the answer to request ${request} is neither whole seconds nor a date`,
);
