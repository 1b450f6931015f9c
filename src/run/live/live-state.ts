import { type LimitName, type LimitScope, limitOfRefusal, type TargetProfile } from '../../api/index.ts';
import { type Micros, microsFromMillis } from '../../base/index.ts';
import { bucketOf, samplesNeeded, surelyAdmitted } from '../../collect/index.ts';
import { type ClockRecord, type Exchange, type JournalRecord, profileWords } from '../../history/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { LiveState } from '../../report/index.ts';
import { LastIntervals } from './last-intervals.ts';
import { FullestBucket, OpenByBucket } from './live-buckets.ts';

const RECENT_SUCCESSES = 200;
const RATE_SECONDS = 5;

/** Most open turns that are counted. Turns that nobody follows are never seen to end and would accumulate. */
const MOST_TURNS = 10_000;

/** Requests that ended in each of the last seconds. */
class RecentSeconds {
  readonly #counts = new Array<number>(4 * RATE_SECONDS).fill(0);
  readonly #seconds = new Array<number>(4 * RATE_SECONDS).fill(-1);

  count(second: number): void {
    const slot = Math.max(0, second) % this.#counts.length;
    const known = this.#seconds[slot] ?? -1;
    // A worker's record of long ago.
    if (second < known) return;
    const isNew = second > known;
    this.#counts[slot] = isNew ? 1 : (this.#counts[slot] ?? 0) + 1;
    this.#seconds[slot] = second;
  }

  /** Requests in the `RATE_SECONDS` whole seconds before this one. */
  before(second: number): number {
    return this.#counts.reduce((sum, count, slot) => {
      const at = this.#seconds[slot] ?? -1;
      return at >= second - RATE_SECONDS && at < second ? sum + count : sum;
    }, 0);
  }
}

/** How long the last successful requests took. */
class RecentSuccesses {
  readonly #times = new Float64Array(RECENT_SUCCESSES);
  #count = 0;

  add(us: Micros): void {
    this.#times[this.#count++ % RECENT_SUCCESSES] = us;
  }

  /** Each is absent until there are enough for it. */
  percentiles(): LiveState['service'] {
    const [p50Us, p95Us] = [this.#at(50), this.#at(95)];
    return { ...(p50Us !== undefined && { p50Us }), ...(p95Us !== undefined && { p95Us }) };
  }

  #at(percent: number): Micros | undefined {
    const times = this.#times.slice(0, this.#count).sort();
    if (times.length < samplesNeeded(percent)) return undefined;
    return times[Math.ceil((times.length * percent) / 100) - 1] as Micros;
  }
}

/** The use of a limit: that of its fullest bucket, with the number of buckets if there are several. */
const useOf = (
  { used, possible = used, buckets }: { readonly used: number; readonly possible?: number; readonly buckets: number },
  { max, scope }: { readonly max: number; readonly scope: LimitScope },
): LiveState['minute'] => ({
  used,
  max,
  ...(possible > used && { possible }),
  ...(buckets > 1 && { fullestOf: { buckets, scope } }),
});

type Refused = Record<LimitName | 'unattributed', number>;

/** The part of a plan that the live view shows. */
export type PlannedPhases = Pick<Plan, 'phases' | 'durationUs'> & Partial<Pick<Plan, 'arrivalCount' | 'loops'>>;

/** Counts what the live view shows, with bounded memory and a few operations per record. */
export class LiveCounter {
  readonly #plan: PlannedPhases;
  readonly #profile: TargetProfile;
  readonly #success: ReturnType<typeof profileWords>['success'];
  readonly #refused: Refused = { rate: 0, concurrency: 0, daily: 0, unattributed: 0 };
  readonly #openTurns = new OpenByBucket(MOST_TURNS);
  readonly #successes = new RecentSuccesses();
  readonly #seconds = new RecentSeconds();
  readonly #window = new FullestBucket();
  readonly #day = new FullestBucket();
  #clock: ClockRecord | undefined;
  readonly #health = new LastIntervals();
  #stoppedUs: Micros | undefined;
  #requests = 0;
  #errors = 0;
  #drops = 0;
  #journeys = 0;

  constructor(plan: PlannedPhases, profile: TargetProfile) {
    this.#plan = plan;
    this.#profile = profile;
    this.#success = profileWords(profile).success;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'clock') this.#setClock(record);
    else if (record.kind === 'exchange') this.#addExchange(record);
    else if (record.kind === 'drop') this.#drops += record.count ?? 1;
    else if (record.kind === 'journey') this.#journeys++;
    else if (record.kind === 'health') this.#health.add(record);
    else if (record.kind === 'stream' && (record.event === 'completed' || record.event === 'failed'))
      this.#openTurns.delete(record.turn);
  }

  /** @param finishing whether the run was stopped, and nothing new is started any more */
  state(now: Micros, finishing: boolean): LiveState {
    const { phases, durationUs } = this.#plan;
    const { rate, concurrency, daily } = this.#profile.limits;
    const second = Math.floor(now / 1_000_000);
    const untilDone = phases.some((phase) => phase.untilDone);
    if (finishing && now < durationUs) this.#stoppedUs ??= now;
    const isOver = now > durationUs && !untilDone;
    return {
      phase: finishing || isOver ? 'finishing' : this.#phaseAt(now),
      ...(isOver && !finishing && { goingOn: this.#goingOn() }),
      phases,
      elapsedUs: now,
      ...(durationUs > now && !untilDone && !finishing ? { leftUs: (durationUs - now) as Micros } : {}),
      ...(this.#stoppedUs !== undefined && { stoppedUs: this.#stoppedUs }),
      requests: this.#requests,
      ...(second >= 1 && { perSecond: this.#seconds.before(second) / Math.min(RATE_SECONDS, second) }),
      windowUs: microsFromMillis(rate.window),
      minute: useOf(this.#window.in(this.#windowIndex(now)), rate),
      openTurns: useOf(this.#openTurns.fullest(), concurrency),
      today: useOf(this.#day.in(this.#dayIndex(now)), daily),
      refused: this.#refused,
      errors: this.#errors,
      drops: this.#drops,
      ...this.#health.connectionQueue(),
      service: this.#successes.percentiles(),
      warnings: this.#health.warnings(),
    };
  }

  #goingOn(): NonNullable<LiveState['goingOn']> {
    const { arrivalCount, loops } = this.#plan;
    if (arrivalCount === undefined || loops === undefined || loops.length > 0) return {};
    return { journeys: Math.max(0, arrivalCount - this.#journeys - this.#drops) };
  }

  #setClock(clock: ClockRecord): void {
    const set = this.#clock === undefined ? 'name' : 'setBack';
    this.#clock = clock;
    this.#window[set](this.#windowIndex(clock.at));
    this.#day[set](this.#dayIndex(clock.at));
  }

  #addExchange(exchange: Exchange): void {
    const { outcome, operation, sentAt, receivedAt } = exchange;
    const { rate, daily } = this.#profile.limits;
    this.#requests++;
    // By their ends: of those sent lately, the ones in flight are not known yet.
    this.#seconds.count(Math.floor(receivedAt / 1_000_000));
    if (outcome === 'refused') this.#refused[limitOfRefusal(this.#profile, exchange) ?? 'unattributed']++;
    else if (this.#isSuccess(exchange)) this.#successes.add((receivedAt - sentAt) as Micros);
    else if (!isAsNamed(exchange)) this.#errors++;
    if (outcome !== 'answered' || exchange.status === 401) return;
    if (rate.counts.includes(operation))
      this.#window.count(this.#windowIndex(sentAt), bucketOf(rate.scope, exchange), surelyAdmitted(exchange));
    if (exchange.turn === undefined) return;
    const isNew = operation === 'sendMessage' && exchange.resend === undefined;
    this.#followTurn(exchange, exchange.turn, isNew);
    if (isNew) this.#day.count(this.#dayIndex(sentAt), bucketOf(daily.scope, exchange));
  }

  #followTurn(exchange: Exchange, turn: NonNullable<Exchange['turn']>, accepted: boolean): void {
    const { limits, turns } = this.#profile;
    const { status = '' } = turn;
    if (accepted) this.#openTurns.add(turn.id, bucketOf(limits.concurrency.scope, exchange));
    else if (turns.completed.includes(status) || turns.failed.includes(status)) this.#openTurns.delete(turn.id);
  }

  #isSuccess({ outcome, operation, status, bodyProblem }: Exchange): boolean {
    if (outcome !== 'answered' || bodyProblem !== undefined || status === undefined) return false;
    return this.#success[operation].includes(status);
  }

  #phaseAt(now: number): string {
    const { phases } = this.#plan;
    return phases.findLast((phase) => now >= phase.startUs)?.name ?? phases[0]?.name ?? 'run';
  }

  /** The service's time, µs; the run's own while it is unknown. */
  #serviceTime(at: number): number {
    return this.#clock ? this.#clock.serviceUs + (at - this.#clock.at) * this.#clock.rate : at;
  }

  #windowIndex(at: number): number {
    return Math.floor(this.#serviceTime(at) / (this.#profile.limits.rate.window * 1_000));
  }

  #dayIndex(at: number): number {
    return Math.floor(this.#serviceTime(at) / 86_400_000_000);
  }
}

const isAsNamed = ({ expect }: Exchange): boolean => expect?.namedStatus === true && expect.unmet.length === 0;
