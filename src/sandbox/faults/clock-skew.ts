import { type Micros, microsFromMillis, parseDuration } from '../../base/index.ts';
import { dateTime, type Outcome } from '../replies.ts';
import { type Fault, withDelivery } from './fault.ts';

/** Members whose value is an instant. */
const INSTANTS: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'at']);
const MOST_MS = 366 * 86_400_000;

/**
 * The clock that stamps answers is wrong; the clock that decides is correct. Limits, days and tokens are not affected, and relative
 * times (`Retry-After`, `t=` of RateLimit) stay correct.
 */
export const clockSkew: Fault = {
  says: 'The request is processed; Date, created_at, updated_at and at are shifted by this much.',
  parameters: ':+DURATION|-DURATION',
  target: 'request',
  read(words) {
    const [sign, ms] = [words[0]?.charAt(0), parseDuration(words[0]?.slice(1) ?? '')];
    if (words.length !== 1 || (sign !== '+' && sign !== '-') || ms === undefined || ms === 0 || ms > MOST_MS) {
      return { problem: `"${words.join(':')}" is not a signed duration up to a year, such as +5s or -2min` };
    }
    const offset = microsFromMillis(sign === '-' ? -ms : ms);
    return ({ next }) => skewed(next(), offset);
  },
};

function skewed(outcome: Outcome, offset: Micros): Outcome {
  const dateOffsetUs = ((outcome.delivery?.dateOffsetUs ?? 0) + offset) as Micros;
  if (outcome.kind === 'json')
    return withDelivery({ ...outcome, body: shifted(outcome.body, offset) }, { dateOffsetUs });
  if (outcome.kind === 'silence') return outcome;
  const events = outcome.events.map((told) => ({ ...told, event: shifted(told.event, offset) as typeof told.event }));
  return withDelivery({ ...outcome, events }, { dateOffsetUs });
}

/** A copy with every instant shifted. */
function shifted(value: unknown, offset: Micros): unknown {
  if (Array.isArray(value)) return value.map((item) => shifted(item, offset));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      INSTANTS.has(key) && typeof part === 'string'
        ? dateTime((Date.parse(part) * 1_000 + offset) as Micros)
        : shifted(part, offset),
    ]),
  );
}
