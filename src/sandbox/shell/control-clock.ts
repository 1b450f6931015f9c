import { z } from 'zod';
import { DurationText, LAST_INSTANT_MS, serviceTimeOf } from '../../api/index.ts';
import { freshUuid, type Micros, microsFromMillis } from '../../base/index.ts';
import { dateTime, type JsonAnswer, refusal, success } from '../replies.ts';
import { wallNow } from './clock.ts';
import type { Shell } from './http.ts';

const Move = z.union([
  z.strictObject({ advance: DurationText }),
  z.strictObject({ set: z.iso.datetime({ offset: true }) }),
]);
const wrongMove =
  'body: must be {"advance": duration}, such as "1h30m" or "1us", or {"set": date-time}, such as "2026-11-22T00:00:00Z"';

/** The time of the service's clock: as a date-time and in microseconds. `rate` is 0 for a manual clock. */
export function showClock({ clock }: Shell): JsonAnswer {
  const now = clock.now();
  return success(200, { now: dateTime(now), service_us: now, rate: clock.mapping.rate });
}

/** Moves a manual clock forward. Everything that waits for an instant on the way happens before the answer. */
export function moveClock(shell: Shell, body: unknown): JsonAnswer {
  const { clock, store } = shell;
  const refused = (problem: string) => refusal('invalid_request', problem, freshUuid());
  if (!clock.moveTo) return refused('the clock runs by itself; a sandbox started with --clock manual can be moved');
  const move = Move.safeParse(body);
  if (!move.success) return refused(wrongMove);
  const at = destinationOf(move.data, clock.now());
  if (at < clock.now()) return refused(`set: the clock shows ${inMicros(clock.now())} and never goes back`);
  if (at > LAST_INSTANT_MS * 1_000) return refused('the clock ends with the year 2199');
  // Saved first: once a stream has sent an event, a later process must not start before the instant of that event.
  store?.saveClock({ wallUs: wallNow(), serviceUs: at, rate: 0, latestUs: at });
  store?.commit();
  clock.moveTo(at);
  return showClock(shell);
}

/** As a date-time, with as many digits of a second as it needs. */
function inMicros(at: Micros): string {
  const below = at % 1_000;
  return below === 0 ? dateTime(at) : dateTime(at).replace('Z', `${String(below).padStart(3, '0')}Z`);
}

function destinationOf(move: z.infer<typeof Move>, now: Micros): Micros {
  return 'advance' in move ? ((now + microsFromMillis(move.advance)) as Micros) : serviceTimeOf(move.set);
}
