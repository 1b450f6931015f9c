import { type LimitName, type LimitScope, limitOfErrorCode, type TargetProfile } from '../api/index.ts';
import { type Micros, microsFromMillis } from '../base/index.ts';
import { samplesNeeded } from '../collect/index.ts';
import {
  type ClockRecord,
  type Exchange,
  type HealthRecord,
  type JournalRecord,
  profileWords,
} from '../history/index.ts';
import type { Plan } from '../plan/index.ts';
import { type LiveState, presentWarnings } from '../report/index.ts';
import { bucketName, FullestBucket, OpenByBucket } from './live-buckets.ts';

/** Counts what the live view shows, with bounded memory and a few operations per record. */
export interface LiveCounter {
  add(record: JournalRecord): void;
  /** @param finishing whether nothing new is started any more */
  state(now: Micros, finishing: boolean): LiveState;
}

const RECENT_ANSWERS = 200;
const RATE_SECONDS = 5;

/** Most open turns that are counted. Turns that nobody follows are never seen to end and would accumulate. */
const MOST_TURNS = 10_000;

/** Requests in each of the last seconds. */
class RecentSeconds {
  readonly #counts = new Array<number>(4 * RATE_SECONDS).fill(0);
  readonly #seconds = new Array<number>(4 * RATE_SECONDS).fill(-1);

  count(second: number): void {
    const slot = Math.max(0, second) % this.#counts.length;
    const isNew = this.#seconds[slot] !== second;
    this.#counts[slot] = isNew ? 1 : (this.#counts[slot] ?? 0) + 1;
    this.#seconds[slot] = second;
  }

  /** Requests in the `RATE_SECONDS` whole seconds before this one. */
  before(second: number): number {
    return this.#counts.reduce((sum, count, slot) => {
      const at = this.#seconds[slot] ?? -1;
      return at >= 0 && at >= second - RATE_SECONDS && at < second ? sum + count : sum;
    }, 0);
  }
}

/** The use of a limit: that of its fullest bucket, with the number of buckets if there are several. */
const useOf = (
  { used, buckets }: { readonly used: number; readonly buckets: number },
  { max, scope }: { readonly max: number; readonly scope: LimitScope },
): LiveState['minute'] => ({ used, max, ...(buckets > 1 && { fullestOf: { buckets, scope } }) });

type Refused = Record<LimitName | 'unattributed', number>;

/** The part of a plan that the live view shows. */
export type PlannedPhases = Pick<Plan, 'phases' | 'durationUs'>;

export function liveCounter(plan: PlannedPhases, profile: TargetProfile): LiveCounter {
  const { limits, turns } = profile;
  const { success } = profileWords(profile);
  const refused: Refused = { rate: 0, concurrency: 0, daily: 0, unattributed: 0 };
  const openTurns = new OpenByBucket(MOST_TURNS);
  const recent = new Float64Array(RECENT_ANSWERS);
  let answers = 0;
  const seconds = new RecentSeconds();
  let clock: ClockRecord | undefined;
  let requests = 0;
  let errors = 0;
  let drops = 0;
  let health: HealthRecord | undefined;
  let healthBefore = 0;
  const window = new FullestBucket();
  const day = new FullestBucket();

  const serviceTime = (at: number) => (clock ? clock.serviceUs + (at - clock.at) * clock.rate : at);
  const windowIndex = (at: number) => Math.floor(serviceTime(at) / (limits.rate.window * 1_000));
  const dayIndex = (at: number) => Math.floor(serviceTime(at) / 86_400_000_000);

  const isSuccess = ({ outcome, operation, status, bodyProblem }: Exchange): boolean =>
    outcome === 'answered' && bodyProblem === undefined && status !== undefined && success[operation].includes(status);

  const isAsNamed = ({ expect }: Exchange): boolean => expect?.namedStatus === true && expect.unmet.length === 0;

  function followTurn(exchange: Exchange, turn: NonNullable<Exchange['turn']>, accepted: boolean): void {
    if (accepted) openTurns.add(turn.id, bucketName(limits.concurrency.scope, exchange));
    else if (turn.status !== undefined && !turns.open.includes(turn.status)) openTurns.delete(turn.id);
  }

  function addExchange(exchange: Exchange): void {
    requests++;
    seconds.count(Math.floor(exchange.sentAt / 1_000_000));
    if (exchange.outcome === 'refused') refused[limitOfErrorCode(profile, exchange.error?.code) ?? 'unattributed']++;
    else if (!isSuccess(exchange) && !isAsNamed(exchange)) errors++;
    if (exchange.outcome === 'failed' || exchange.outcome === 'censored') return;
    recent[answers++ % RECENT_ANSWERS] = exchange.receivedAt - exchange.sentAt;
    if (exchange.outcome === 'refused' || exchange.status === 401) return;
    if (limits.rate.counts.includes(exchange.operation))
      window.count(windowIndex(exchange.sentAt), bucketName(limits.rate.scope, exchange));
    if (exchange.turn) {
      const isNew = exchange.operation === 'sendMessage' && exchange.resend === undefined;
      followTurn(exchange, exchange.turn, isNew);
      if (isNew) day.count(dayIndex(exchange.sentAt), bucketName(limits.daily.scope, exchange));
    }
  }

  const ofRecent = (percent: number): Micros | undefined => {
    const kept = recent.slice(0, answers).sort();
    return kept.length < samplesNeeded(percent)
      ? undefined
      : (kept[Math.ceil((kept.length * percent) / 100) - 1] as Micros);
  };
  const service = (): LiveState['service'] => {
    const [p50Us, p95Us] = [ofRecent(50), ofRecent(95)];
    return { ...(p50Us !== undefined && { p50Us }), ...(p95Us !== undefined && { p95Us }) };
  };
  const untilDone = plan.phases.some((phase) => phase.untilDone);
  const phaseAt = (now: number) =>
    plan.phases.findLast((phase) => now >= phase.startUs)?.name ?? plan.phases[0]?.name ?? 'run';

  return {
    add(record) {
      if (record.kind === 'clock') clock = record;
      else if (record.kind === 'exchange') addExchange(record);
      else if (record.kind === 'drop') drops += record.count ?? 1;
      else if (record.kind === 'health') [healthBefore, health] = [health?.at ?? 0, record];
      else if (record.kind === 'stream' && (record.event === 'completed' || record.event === 'failed'))
        openTurns.delete(record.turn);
    },
    state(now, finishing) {
      const second = Math.floor(now / 1_000_000);
      return {
        phase: finishing || (now > plan.durationUs && !untilDone) ? 'finishing' : phaseAt(now),
        phases: plan.phases,
        elapsedUs: now,
        ...(plan.durationUs > now && !untilDone ? { leftUs: (plan.durationUs - now) as Micros } : {}),
        requests,
        perSecond: seconds.before(second) / Math.max(1, Math.min(RATE_SECONDS, second)),
        windowUs: microsFromMillis(limits.rate.window),
        minute: useOf(window.in(windowIndex(now)), limits.rate),
        openTurns: useOf(openTurns.fullest(), limits.concurrency),
        today: useOf(day.in(dayIndex(now)), limits.daily),
        refused,
        errors,
        drops,
        service: service(),
        warnings: health === undefined ? [] : presentWarnings(health, health.at - healthBefore),
      };
    },
  };
}
