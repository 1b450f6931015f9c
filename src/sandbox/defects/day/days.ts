import { type Micros, microsFromSeconds } from '../../../base/index.ts';
import { DAY_US } from '../../limiters/days.ts';
import { dayOfTokenTimezone, fixedWindow, rollingDay, utcDay } from '../../limiters/index.ts';
import { plus, startOfWindow } from '../../limiters/windows.ts';
import { asked } from '../altered.ts';
import { everlasting } from '../everlasting.ts';
import { ofDay } from '../of-limit.ts';

const NOON_US = microsFromSeconds(12 * 3_600);
/** Time zone of the server. Its clocks change on the first Sunday of November and the second of March. */
const SERVER_ZONE = 'America/New_York';

const midnight = (now: Micros) => plus(startOfWindow(now, { max: 1, windowUs: DAY_US }), DAY_US);

export const days = {
  D2: ofDay(
    'The counter is created once and never reset: once the quota is used up, messages are refused on all later days, too.',
    (_rule, { max }) => ({ limiter: everlasting(max, ({ now }) => midnight(now)) }),
  ),
  D3: ofDay(
    "The day is declared to end at midnight of the token's time zone but ends at midnight UTC (or the other way round).",
    (_rule, { max, day }) => ({ limiter: day === 'utc' ? dayOfTokenTimezone({ max }) : utcDay({ max }) }),
    { day: ['token-timezone', 'utc'] },
  ),
  D4: ofDay(
    `The day ends at midnight of the server's time zone, ${SERVER_ZONE}, hours after the declared midnight, and has 23 or 25 hours when its clocks change.`,
    (_rule, { max }) => ({
      limiter: asked(dayOfTokenTimezone({ max }), (ask) => ({ ...ask, timezone: SERVER_ZONE })),
    }),
    { day: ['utc', 'token-timezone'] },
  ),
  D5: ofDay(
    'A calendar day is declared but 24 rolling hours are enforced: after midnight, messages are refused until those of the day before are 24 hours old.',
    (_rule, { max }) => ({ limiter: rollingDay({ max }) }),
    { day: ['utc', 'token-timezone'] },
  ),
  D6: ofDay(
    'The day ends at noon UTC: the quota is reset at noon instead of midnight.',
    (_rule, { max }) => ({ limiter: fixedWindow({ max, windowUs: DAY_US, phaseUs: NOON_US }) }),
    { day: ['utc'] },
  ),
};
