import { type LimitName, limitOfErrorCode, type TargetProfile } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { ClockRecord, Exchange, JournalRecord } from '../history/index.ts';
import type { Plan } from '../plan/index.ts';
import type { LiveState } from '../report/index.ts';

/** Counts what the live view shows; constant memory and a few operations a record, so that watching costs nothing. */
export interface LiveCounter {
  add(record: JournalRecord): void;
  state(now: Micros, warnings: readonly string[], finishing: boolean): LiveState;
}

const RECENT_ANSWERS = 200;
const RATE_SECONDS = 5;

/** Turns that nobody follows are never seen to end: of more than these, the view shows so many. */
const MOST_TURNS = 10_000;

/** Requests per second, for the last few seconds. */
class RecentSeconds {
  readonly #counts = new Array<number>(4 * RATE_SECONDS).fill(0);
  readonly #seconds = new Array<number>(4 * RATE_SECONDS).fill(-1);

  count(second: number): void {
    const slot = Math.max(0, second) % this.#counts.length;
    const isNew = this.#seconds[slot] !== second;
    this.#counts[slot] = isNew ? 1 : (this.#counts[slot] ?? 0) + 1;
    this.#seconds[slot] = second;
  }

  /** In the whole seconds before this one. */
  before(second: number): number {
    return this.#counts.reduce((sum, count, slot) => {
      const at = this.#seconds[slot] ?? -1;
      return at >= 0 && at >= second - RATE_SECONDS && at < second ? sum + count : sum;
    }, 0);
  }
}

type Refused = Record<LimitName | 'unattributed', number>;

export function liveCounter(plan: Plan, profile: TargetProfile): LiveCounter {
  const { limits, turns } = profile;
  const refused: Refused = { rate: 0, concurrency: 0, daily: 0, unattributed: 0 };
  const openTurns = new Set<string>();
  const recent = new Float64Array(RECENT_ANSWERS);
  let answers = 0;
  const seconds = new RecentSeconds();
  let clock: ClockRecord | undefined;
  let requests = 0;
  let errors = 0;
  let drops = 0;
  const window = { index: -1, used: 0 };
  const day = { index: -1, used: 0 };

  const serviceTime = (at: number) => (clock ? clock.serviceUs + (at - clock.at) * clock.rate : at);
  const bump = (counter: { index: number; used: number }, index: number) => {
    counter.used = counter.index === index ? counter.used + 1 : 1;
    counter.index = index;
  };
  const windowIndex = (at: number) => Math.floor(serviceTime(at) / (limits.rate.window * 1_000));
  const dayIndex = (at: number) => Math.floor(serviceTime(at) / 86_400_000_000);

  function followTurn(turn: NonNullable<Exchange['turn']>, accepted: boolean): void {
    if (accepted && openTurns.size < MOST_TURNS) openTurns.add(turn.id);
    else if (turn.status !== undefined && !turns.open.includes(turn.status)) openTurns.delete(turn.id);
  }

  function addExchange(exchange: Exchange): void {
    requests++;
    seconds.count(Math.floor(exchange.sentAt / 1_000_000));
    if (exchange.outcome === 'refused') refused[limitOfErrorCode(profile, exchange.error?.code) ?? 'unattributed']++;
    else if (exchange.outcome !== 'answered' || (exchange.status ?? 0) >= 400) errors++;
    if (exchange.outcome === 'failed' || exchange.outcome === 'censored') return;
    recent[answers++ % RECENT_ANSWERS] = exchange.receivedAt - exchange.sentAt;
    if (exchange.outcome === 'refused' || exchange.status === 401) return;
    if (limits.rate.counts.includes(exchange.operation)) bump(window, windowIndex(exchange.sentAt));
    if (exchange.turn) {
      const isNew = exchange.operation === 'sendMessage' && exchange.resend === undefined;
      followTurn(exchange.turn, isNew);
      if (isNew) bump(day, dayIndex(exchange.sentAt));
    }
  }

  const ofRecent = (share: number): Micros => {
    const kept = recent.slice(0, answers).sort();
    return (kept[Math.ceil(kept.length * share) - 1] ?? 0) as Micros;
  };
  const phaseAt = (now: number) =>
    plan.phases.findLast((phase) => now >= phase.startUs)?.name ?? plan.phases[0]?.name ?? 'run';

  return {
    add(record) {
      if (record.kind === 'clock') clock = record;
      else if (record.kind === 'exchange') addExchange(record);
      else if (record.kind === 'drop') drops += record.count ?? 1;
      else if (record.kind === 'stream' && (record.event === 'completed' || record.event === 'failed'))
        openTurns.delete(record.turn);
    },
    state(now, warnings, finishing) {
      const second = Math.floor(now / 1_000_000);
      return {
        phase: finishing || now > plan.durationUs ? 'finishing' : phaseAt(now),
        elapsedUs: now,
        ...(plan.durationUs > now ? { leftUs: (plan.durationUs - now) as Micros } : {}),
        requests,
        perSecond: seconds.before(second) / Math.max(1, Math.min(RATE_SECONDS, second)),
        minute: { used: window.index === windowIndex(now) ? window.used : 0, max: limits.rate.max },
        openTurns: { used: openTurns.size, max: limits.concurrency.max },
        today: { used: day.index === dayIndex(now) ? day.used : 0, max: limits.daily.max },
        refused,
        errors,
        drops,
        ...(answers === 0 ? {} : { service: { p50Us: ofRecent(0.5), p95Us: ofRecent(0.95) } }),
        warnings,
      };
    },
  };
}
