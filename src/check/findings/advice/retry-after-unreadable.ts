import { formatCount } from '../../../base/index.ts';
import { kindOf, observed } from '../kind.ts';

/** Reported once, as a service writes it the same way everywhere. Does not show the text itself, which comes from the service. */
export const retryAfterUnreadable = kindOf<{ unreadable: number; refusals: number; first: string | number }>(
  'Retry-After was neither whole seconds nor a date (RFC 9110 section 10.2.3).',
  function* ({ advice, evidence }) {
    const { refusals: all } = advice;
    if (!all.advised(({ kind }) => kind === 'unreadable')) return;
    let [unreadable, first] = [0, -1];
    for (let i = 0; i < all.size; i++) {
      if (all.retryAfter(i)?.kind !== 'unreadable') continue;
      const row = all.row(i);
      const isEarlier = first < 0 || (evidence.sentAt[row] as number) < (evidence.sentAt[first] as number);
      if (isEarlier) first = row;
      unreadable += 1;
    }
    if (unreadable === 0) return;
    yield observed(evidence, [first], { unreadable, refusals: all.size, first: evidence.refOf(first) });
  },
  ({ unreadable, refusals, first }) =>
    `the Retry-After of ${formatCount(unreadable)} of ${formatCount(refusals)} refusals is neither whole seconds nor a date (first: request ${first})`,
);
