import { kindOf } from '../kind.ts';

/** Does not show the text itself, which comes from the service. */
export const retryAfterUnreadable = kindOf<{ request: string | number }>(
  'Retry-After was neither whole seconds nor a date (RFC 9110 section 10.2.3).',
  function* ({ advice, evidence }) {
    const { refusals } = advice;
    if (!refusals.advised(({ kind }) => kind === 'unreadable')) return;
    for (let i = 0; i < refusals.size; i++) {
      const row = refusals.row(i);
      if (refusals.retryAfter(i)?.kind !== 'unreadable') continue;
      const request = evidence.refOf(row);
      yield { basis: 'observation', at: evidence.sentAt[row] as number, exchanges: [request], data: { request } };
    }
  },
  ({ request }) => `the Retry-After in the answer to request ${request} is neither whole seconds nor a date`,
);
