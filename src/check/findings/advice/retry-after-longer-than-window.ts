import { limitsIn } from '../../evidence/attribution.ts';
import { kindOf, type Look, observed } from '../kind.ts';
import { tolerancesOf } from './obeying.ts';

type Data = { seconds: number; windowS: number; looksLike: string; request: string | number };

/** A day may have 25 hours; and if callers in time zones ahead have used up tomorrow, the service means the day after. */
const LONGEST_DAY_S = 90_000;

/** Retry-After longer than the longest window of the possible limits; nothing is reported for a limit without a window. */
export const retryAfterLongerThanWindow = kindOf<Data>(
  'Retry-After was longer than the window of the limit; often it is in another unit.',
  function* (look) {
    const { header } = look;
    const { drift, slackUs } = tolerancesOf(look);
    const { refusals } = look.advice;
    if (!refusals.advised((advice) => advice.kind === 'seconds' && advice.seconds * 1e6 > header.limits.rate.windowUs))
      return;
    for (let i = 0; i < refusals.size; i++) {
      const [row, retryAfter] = [refusals.row(i), refusals.retryAfter(i)];
      if (retryAfter?.kind !== 'seconds') continue;
      const windowS = windowOf(look, row);
      if (windowS === undefined) continue;
      const { seconds } = retryAfter;
      const longestS = windowS * (windowS === LONGEST_DAY_S ? 2 : windowsAhead(rateReading(look)));
      if (seconds <= longestS * (1 + drift) + slackUs / 1e6 + 1) continue;
      const data = { seconds, windowS, looksLike: unitOf(seconds, windowS), request: look.evidence.refOf(row) };
      yield observed(look.evidence, [row], data);
    }
  },
  ({ seconds, windowS, looksLike, request }) => {
    const guess = looksLike === 'seconds' ? '' : `; it looks like ${looksLike}`;
    return `the answer to request ${request} advises to wait ${seconds} s, longer than the whole window of ${windowS} s${guess}`;
  },
);

const rateReading = ({ declared, header }: Look): string => declared.rate ?? header.limits.rate.reading;

function windowOf(look: Look, row: number): number | undefined {
  const { evidence, header } = look;
  const limits = limitsIn(evidence.refusedBy[row] as number);
  if (limits.includes('daily')) return LONGEST_DAY_S;
  const { windowUs } = header.limits.rate;
  // A penalty may be longer than the window whose overrun it punishes.
  if (limits.length !== 1 || limits[0] !== 'rate' || /block|penalty/.test(rateReading(look))) return undefined;
  return windowUs / 1e6;
}

/** A sliding counter remembers the previous window: a client that filled it at its end waits for nearly two. */
const windowsAhead = (reading: string): number => (/^unknown$|counter|approximated/.test(reading) ? 2 : 1);

function unitOf(seconds: number, windowS: number): string {
  if (seconds > 1e11) return 'milliseconds since 1970';
  if (seconds > 1e9) return 'seconds since 1970';
  return seconds > 4 * windowS && seconds / 1_000 <= windowS + 1 ? 'milliseconds' : 'seconds';
}
