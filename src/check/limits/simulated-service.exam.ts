import { type Random, seededRandom } from '../../base/index.ts';
import type { Exchange, Header, JournalRecord, StreamRecord } from '../../history/index.ts';
import { exchange, header, us } from '../../testing/history/sample-records.ts';

/**
 * A service with slots and a day quota, its network and its clients, written for these tests alone: an honest service must never
 * be accused, whatever the delays; a defective one must be.
 */

const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

export type DayKind = 'utc' | 'token-timezone' | 'first-use' | 'rolling';
export type ScopeKind = 'application' | 'user' | 'token';

/** What is wrong with the service; an honest one has no member set. */
export interface Faults {
  /** Slots beyond the declared number. */
  readonly extraSlots?: number;
  /** A failed turn keeps its slot. */
  readonly failedLeaks?: boolean;
  /** An invalid message keeps a slot. */
  readonly invalidLeaks?: boolean;
  /** µs for which a slot stays taken beyond the declared grace. */
  readonly lateUs?: number;
  readonly extraQuota?: number;
  readonly replayCharged?: boolean;
  readonly invalidCharged?: boolean;
  readonly neverResets?: boolean;
}

export interface World {
  readonly seed: number;
  readonly slots: number;
  readonly slot: 'accepted-to-finished' | 'processing-only';
  readonly graceUs: number;
  readonly quota: number;
  readonly day: DayKind;
  readonly scope: ScopeKind;
  /** Minutes ahead of UTC, given to the tokens in turn; or a zone's name. */
  readonly zones: readonly (number | string)[];
  /** Service time of run time 0, µs since 1970. */
  readonly originUs: number;
  readonly driftPpm: number;
  /** The real drift as a fraction of the declared one, −1 to 1. */
  readonly drifting: number;
  readonly clockKnownUs: number | undefined;
  /** Times of sending, µs. */
  readonly sends: readonly number[];
  readonly tokens: number;
  readonly conversations: number;
  readonly turnUs: number;
  readonly delayUs: number;
  readonly pollUs: number;
  /** The declared maximum age of a status in a poll, µs. */
  readonly staleUs: number;
  /** Probabilities, 0 to 1. */
  readonly lost: number;
  readonly resent: number;
  /**
   * Probability that a message's identifier is used for another content and then for the first again: the service keeps the last
   * content only.
   */
  readonly rewritten: number;
  /** Probability that a further attempt at a message uses another token of its user. */
  readonly renewed: number;
  readonly invalid: number;
  readonly failing: number;
  readonly followed: number;
  readonly streamed: number;
  readonly faults: Faults;
  /** Whether the code of a 429 says which limit refused. */
  readonly codes: boolean;
  readonly sameTurn: boolean;
  readonly declared: { readonly slots: boolean; readonly day: boolean };
}

interface ServiceTurn {
  readonly id: string;
  readonly bucket: string;
  status: Status;
  holding: boolean;
  /** The status history: each status with its begin. */
  readonly since: { readonly at: number; readonly status: Status }[];
}

type Status = 'queued' | 'processing' | 'completed' | 'failed';

interface Message {
  readonly id: string;
  readonly token: number;
  readonly conversation: number;
  readonly invalid: boolean;
  readonly content: 'first' | 'other';
}

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly turn?: { readonly id: string; readonly status: string };
}

/** Simulates a world. @returns the journal including header and end */
export function simulate(world: World): JournalRecord[] {
  return new Simulation(world).run();
}

class Simulation {
  readonly #world: World;
  readonly #random: Random;
  readonly #rewrites: Random;
  readonly #renewals: Random;
  readonly #queue: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  readonly #records: JournalRecord[] = [];
  readonly #turns = new Map<string, ServiceTurn>();
  readonly #replies = new Map<string, { readonly content: Message['content']; readonly turn: string }>();
  readonly #charges = new Map<string, number[]>();
  readonly #anchors = new Map<string, { at: number; count: number }>();
  readonly #leaked = new Map<string, number>();
  #now = 0;
  #order = 0;
  #seq = 0;
  #exchanges = 0;

  constructor(world: World) {
    this.#world = world;
    this.#random = seededRandom(world.seed, 'service');
    this.#rewrites = seededRandom(world.seed, 'rewrites');
    this.#renewals = seededRandom(world.seed, 'renewals');
  }

  run(): JournalRecord[] {
    const { sends } = this.#world;
    for (const [i, at] of sends.entries()) this.#later(at, () => this.#sendNew(i));
    while (this.#queue.length > 0) {
      let next = 0;
      this.#queue.forEach(({ at, order }, i) => {
        const best = this.#queue[next];
        if (best && (at < best.at || (at === best.at && order < best.order))) next = i;
      });
      const [event] = this.#queue.splice(next, 1);
      if (!event) break;
      this.#now = event.at;
      event.run();
    }
    return this.#journal();
  }

  #journal(): JournalRecord[] {
    const { clockKnownUs, seed } = this.#world;
    // Earlier answers may not have told the time.
    const at = Math.round(pick(seededRandom(seed, 'clock'), [0, 0, 0.3, 1]) * this.#now);
    const clock: JournalRecord[] =
      clockKnownUs === undefined
        ? []
        : [
            {
              kind: 'clock',
              at: us(at),
              serviceUs: us(Math.round(this.#serviceTime(at) + (this.#random.next() * 2 - 1) * clockKnownUs)),
              plusMinusUs: us(clockKnownUs),
              rate: 1,
            },
          ];
    const end: JournalRecord = {
      kind: 'end',
      at: us(this.#now),
      arrivals: this.#world.sends.length,
      exchanges: this.#exchanges,
      streams: 0,
      drops: 0,
      complete: true,
    };
    return [headerOf(this.#world), ...clock, ...this.#records, end];
  }

  #later(at: number, run: () => void): void {
    this.#queue.push({ at: Math.round(at), order: this.#order++, run });
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #delay(): number {
    const { delayUs } = this.#world;
    return Math.round(this.#random.next() ** 3 * delayUs);
  }

  #serviceTime(at = this.#now): number {
    const { originUs, driftPpm, drifting } = this.#world;
    return originUs + at * (1 + (driftPpm / 1e6) * drifting);
  }

  #sendNew(i: number): void {
    const { tokens, conversations, invalid } = this.#world;
    const message = {
      id: `m${i}`,
      token: this.#random.integer(tokens),
      conversation: this.#random.integer(conversations),
      invalid: this.#chance(invalid),
      content: 'first' as const,
    };
    this.#send(message, 1, false);
    if (this.#chance(this.#world.resent)) {
      const pause = this.#chance(0.5) ? this.#world.delayUs : this.#world.turnUs * 2;
      this.#later(this.#now + this.#random.next() * pause, () => this.#send(this.#again(message), 1, true));
    }
    if (this.#rewrites.next() < this.#world.rewritten) this.#rewrite(message);
  }

  #rewrite(message: Message): void {
    const { delayUs, turnUs } = this.#world;
    let at = this.#now;
    for (const content of ['other', 'first', 'first'] as const) {
      at += this.#rewrites.next() * (delayUs + turnUs);
      this.#later(at, () => this.#send({ ...this.#again(message), content }, 1, true));
    }
  }

  /** A further attempt at the message: with another token of its user, if tokens are renewed. */
  #again(message: Message): Message {
    return this.#renewals.next() < this.#world.renewed ? { ...message, token: message.token ^ 1 } : message;
  }

  #send(message: Message, attempt: number, resend: boolean): void {
    const labels = {
      ...this.#labels(message.token),
      conversation: `c${message.conversation}`,
      attempt,
      message: { id: message.id, digest: digestOf(`${message.id}${message.content === 'first' ? '' : '*'}`) },
      ...(resend && { resend: message.content === 'first' ? ('same' as const) : ('other' as const) }),
    };
    this.#request(
      'sendMessage',
      labels,
      () => this.#accept(message),
      (answer) => {
        if (answer === undefined && attempt < 3)
          this.#later(this.#now + this.#delay() + 1, () => this.#send(this.#again(message), attempt + 1, false));
        const turn = answer?.status === 202 ? answer.turn : undefined;
        if (turn && !resend) this.#follow(turn.id, message);
      },
    );
  }

  #labels(token: number) {
    // Two tokens per user, two users per application.
    return { application: `a${token >> 2}`, user: `u${token >> 1}`, token: `t${token}` };
  }

  #follow(turn: string, message: Message): void {
    const { followed, streamed } = this.#world;
    if (this.#chance(followed)) this.#later(this.#now + this.#delay(), () => this.#poll(turn, message, 0));
    if (this.#chance(streamed)) this.#listeners.add(turn);
  }

  readonly #listeners = new Set<string>();

  #poll(turn: string, message: Message, count: number): void {
    if (count > 12) return;
    const look = (): Answer => {
      const known = this.#turns.get(turn);
      return known ? { status: 200, turn: { id: turn, status: this.#shown(known) } } : { status: 404 };
    };
    this.#request('readTurn', this.#labels(message.token), look, (answer) => {
      const status = answer?.turn?.status;
      if (status === 'completed' || status === 'failed') return;
      this.#later(this.#now + this.#world.pollUs * (0.5 + this.#random.next()), () =>
        this.#poll(turn, message, count + 1),
      );
    });
  }

  /** What a replica shows: the status of some time ago. */
  #shown({ status, since }: ServiceTurn): Status {
    const { staleUs } = this.#world;
    if (staleUs === 0) return status;
    const at = this.#now - this.#random.integer(staleUs);
    return since.findLast((one) => one.at <= at)?.status ?? 'queued';
  }

  #enter(turn: ServiceTurn, status: Status): void {
    turn.status = status;
    turn.since.push({ at: this.#now, status });
  }

  #request(
    operation: 'sendMessage' | 'readTurn',
    labels: Partial<Exchange>,
    serve: () => Answer,
    done: (answer: Answer | undefined) => void,
  ): void {
    const seq = this.#seq++;
    this.#exchanges += 1;
    const sentAt = this.#now;
    const deadline = 6 * this.#world.delayUs + 1_000;
    const fate = this.#random.next();
    const finish = (answer: Answer | undefined) => {
      this.#records.push(recordOf(operation, labels, seq, sentAt, this.#now, answer, this.#world.codes));
      done(answer);
    };
    const arrive = () => {
      const answer = serve();
      if (fate < this.#world.lost) return;
      this.#later(this.#now + this.#delay(), () => finish(answer));
    };
    const gone = fate < this.#world.lost;
    if (!gone || fate < this.#world.lost / 2)
      this.#later(sentAt + this.#delay() + (gone ? this.#random.integer(3) * this.#world.delayUs : 0), arrive);
    if (gone) this.#later(sentAt + deadline, () => finish(undefined));
  }

  /** The service's decision on a message. */
  #accept(message: Message): Answer {
    const { faults } = this.#world;
    const key = `${message.conversation} ${message.id}`;
    const bucket = this.#bucketOf(message.token);
    const known = this.#replies.get(key);
    if (message.invalid) {
      if (faults.invalidCharged) this.#charge(bucket, message.token);
      if (faults.invalidLeaks) this.#leaked.set(bucket, (this.#leaked.get(bucket) ?? 0) + 1);
      return { status: 422 };
    }
    if (known?.content === message.content) {
      if (faults.replayCharged) this.#charge(bucket, message.token);
      return { status: 202, turn: { id: known.turn, status: 'queued' } };
    }
    if (!this.#hasQuota(bucket, message.token)) return { status: 429, code: 'daily_quota_exceeded' };
    if (this.#held(bucket) >= this.#world.slots + (faults.extraSlots ?? 0))
      return { status: 429, code: 'concurrency_limited' };
    this.#charge(bucket, message.token);
    const turn: ServiceTurn = {
      id: `turn-${key}${known ? ` ${this.#turns.size}` : ''}`,
      bucket,
      status: 'queued',
      holding: this.#world.slot === 'accepted-to-finished',
      since: [],
    };
    this.#turns.set(turn.id, turn);
    this.#replies.set(key, { content: message.content, turn: turn.id });
    this.#later(this.#now + this.#random.next() * this.#world.turnUs * 0.4, () => this.#begin(turn));
    return { status: 202, turn: { id: turn.id, status: 'queued' } };
  }

  #bucketOf(token: number): string {
    return this.#labels(token)[this.#world.scope];
  }

  #held(bucket: string): number {
    const held = [...this.#turns.values()].filter((turn) => turn.bucket === bucket && turn.holding).length;
    return held + (this.#leaked.get(bucket) ?? 0);
  }

  #begin(turn: ServiceTurn): void {
    const { slot, slots, faults } = this.#world;
    if (slot === 'processing-only') {
      if (this.#held(turn.bucket) >= slots + (faults.extraSlots ?? 0)) {
        this.#later(this.#now + 1 + this.#random.integer(50_000), () => this.#begin(turn));
        return;
      }
      turn.holding = true;
    }
    this.#enter(turn, 'processing');
    this.#tell(turn, 'status', 'processing');
    this.#later(this.#now + 1 + this.#random.next() * this.#world.turnUs, () => this.#finish(turn));
  }

  #finish(turn: ServiceTurn): void {
    const { graceUs, failing, faults } = this.#world;
    this.#enter(turn, this.#chance(failing) ? 'failed' : 'completed');
    this.#tell(turn, turn.status === 'failed' ? 'failed' : 'completed');
    if (turn.status === 'failed' && faults.failedLeaks) return;
    const late = faults.lateUs === undefined ? this.#random.next() * graceUs : graceUs + faults.lateUs;
    this.#later(this.#now + Math.floor(late), () => {
      turn.holding = false;
    });
    if (late < 1) turn.holding = false;
  }

  #tell(turn: ServiceTurn, event: StreamRecord['event'], status?: string): void {
    if (!this.#listeners.has(turn.id)) return;
    this.#later(this.#now + this.#delay(), () =>
      this.#records.push({
        kind: 'stream',
        turn: turn.id,
        event,
        at: us(this.#now),
        ...(status !== undefined && { status }),
      }),
    );
  }

  #hasQuota(bucket: string, token: number): boolean {
    const { quota, faults } = this.#world;
    return this.#used(bucket, token) < quota + (faults.extraQuota ?? 0);
  }

  #used(bucket: string, token: number): number {
    const now = this.#serviceTime();
    const { day, faults } = this.#world;
    if (faults.neverResets) return (this.#charges.get(`${bucket} all`) ?? []).length;
    if (day === 'rolling') return (this.#charges.get(bucket) ?? []).filter((at) => at > now - DAY).length;
    if (day === 'first-use') {
      const anchor = this.#anchors.get(bucket);
      return anchor && now < anchor.at + DAY ? anchor.count : 0;
    }
    return (this.#charges.get(this.#dayKey(bucket, token)) ?? []).length;
  }

  #charge(bucket: string, token: number): void {
    const now = this.#serviceTime();
    for (const key of [bucket, `${bucket} all`, this.#dayKey(bucket, token)])
      this.#charges.set(key, [...(this.#charges.get(key) ?? []), now]);
    const anchor = this.#anchors.get(bucket);
    if (anchor && now < anchor.at + DAY) anchor.count += 1;
    else this.#anchors.set(bucket, { at: now, count: 1 });
  }

  #dayKey(bucket: string, token: number): string {
    const { day, zones } = this.#world;
    const zone = day === 'utc' ? 0 : (zones[token % zones.length] ?? 0);
    const now = this.#serviceTime();
    if (typeof zone === 'number') return `${bucket} ${Math.floor((now + zone * 60 * SECOND) / DAY)}`;
    return `${bucket} ${new Date(Math.floor(now / 1_000)).toLocaleDateString('sv-SE', { timeZone: zone })}`;
  }
}

const digestOf = (id: string) => Buffer.from(id.padEnd(16, '.')).toString('hex').slice(0, 32);

function recordOf(
  operation: Exchange['operation'],
  labels: Partial<Exchange>,
  seq: number,
  sentAt: number,
  receivedAt: number,
  answer: Answer | undefined,
  codes: boolean,
): Exchange {
  const { headersAt: _, status: __, ...plain } = exchange({ seq, operation, ...labels });
  const times = { sentAt: us(sentAt), intendedAt: us(sentAt), receivedAt: us(receivedAt) };
  if (!answer) return { ...plain, ...times, outcome: 'failed', failure: 'ECONNRESET' };
  return {
    ...plain,
    ...times,
    headersAt: us(receivedAt),
    outcome: answer.status === 429 ? 'refused' : 'answered',
    status: answer.status,
    ...(answer.turn && { turn: answer.turn }),
    ...(answer.code && codes && { error: { code: answer.code, retryable: true, requestId: 'r' } }),
  };
}

/** A number stands for a zone that was not requested: the service's own, if all tokens have the same. */
function timezonesOf({ zones }: World): Header['timezones'] {
  const names = zones.filter((zone) => typeof zone === 'string');
  return zones.length > 1 && names.length < zones.length ? undefined : names;
}

function headerOf(world: World): Header {
  const timezones = timezonesOf(world);
  const { slots, quota, day, scope, slot, graceUs, driftPpm, declared, sameTurn, delayUs, staleUs } = world;
  return header({
    limits: {
      rate: { max: 1_000_000, windowUs: us(60 * SECOND), reading: 'unknown' },
      concurrency: { max: slots },
      daily: { max: quota },
    },
    clock: { driftPpm, granularityUs: us(1_000), maxServerDelayUs: us(6 * delayUs + SECOND) },
    ...(timezones && { timezones }),
    profile: {
      errorCodes: { known: true },
      idempotency: { scope: 'conversation', sameTurn },
      ...(staleUs > 0 && { turns: { staleFor: staleUs / 1_000 } }),

      limits: {
        concurrency: { scope, slot, releaseGrace: graceUs / 1_000, reading: declared.slots ? slot : 'unknown' },
        daily: { scope, day: declared.day ? day : 'unknown', reading: 'unknown' },
      },
    },
  });
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(list.length)] as T;

/** Traffic that contends for slots: lasts seconds, with a quota out of reach. */
export function slotWorld(seed: number, members: Partial<World> = {}): World {
  const random = seededRandom(seed, 'slots');
  const slot = pick(random, ['accepted-to-finished', 'processing-only'] as const);
  const spread = pick(random, [2, 6, 20]) * SECOND;
  return {
    ...common(seed, random),
    slots: 1 + random.integer(3),
    slot,
    graceUs: pick(random, [0, 0, 300_000]),
    quota: 1_000,
    day: 'utc',
    sends: Array.from({ length: 3 + random.integer(16) }, () => random.integer(spread)),
    turnUs: pick(random, [200_000, SECOND, 3 * SECOND]),
    delayUs: pick(random, [1_000, 30_000, 400_000]),
    pollUs: pick(random, [100_000, 400_000]),
    staleUs: pick(seededRandom(seed, 'copies'), [0, 0, 500_000, 3 * SECOND]),
    failing: 0.2,
    ...members,
  };
}

/** Traffic over days, dense around the hours at which days may begin. */
export function dayWorld(seed: number, members: Partial<World> = {}): World {
  const random = seededRandom(seed, 'days');
  const days = 1 + random.integer(3);
  const centres = Array.from({ length: 1 + random.integer(4) }, () => random.integer(days * 24) * HOUR);
  const width = pick(random, [SECOND, 60 * SECOND, 2 * HOUR, 12 * HOUR]);
  return {
    ...common(seed, random),
    slots: 1_000,
    slot: 'accepted-to-finished',
    graceUs: 0,
    quota: 2 + random.integer(4),
    day: pick(random, ['utc', 'token-timezone', 'first-use', 'rolling'] as const),
    sends: Array.from({ length: 4 + random.integer(26) }, () => pick(random, centres) + random.integer(width)),
    turnUs: SECOND,
    delayUs: pick(random, [1_000, SECOND]),
    pollUs: 10 * SECOND,
    staleUs: 0,
    followed: 0,
    failing: 0,
    ...members,
  };
}

function common(seed: number, random: Random) {
  // Around clock changes in Europe and elsewhere.
  const dates = ['2026-11-21T00:00:00Z', '2026-03-28T00:00:00Z', '2026-10-24T00:00:00Z', '2026-04-23T00:00:00Z'];
  const driftPpm = pick(random, [0, 0, 500]);
  return {
    seed,
    scope: pick(random, ['application', 'user', 'token'] as const),
    zones: pick(random, [[0], [60], [-300, 330], ['Europe/Paris'], ['Africa/Cairo', 'America/Havana']]),
    originUs: Date.parse(pick(random, dates)) * 1_000 + random.integer(24) * HOUR - random.integer(3) * SECOND,
    driftPpm,
    drifting: random.next() * 2 - 1,
    clockKnownUs: pick(random, [0, 1_500_000, undefined]),
    tokens: pick(random, [1, 1, 2, 4]),
    conversations: pick(random, [1, 4]),
    lost: pick(random, [0, 0, 0.15]),
    resent: pick(random, [0, 0.2]),
    rewritten: pick(seededRandom(seed, 'rewritten'), [0, 0, 0.3]),
    renewed: pick(seededRandom(seed, 'renewed'), [0, 0, 0.5]),
    invalid: pick(random, [0, 0.1]),
    followed: pick(random, [0.6, 1]),
    streamed: pick(random, [0, 0.5]),
    faults: {},
    codes: random.next() < 0.8,
    sameTurn: random.next() < 0.7,
    declared: { slots: random.next() < 0.6, day: random.next() < 0.6 },
  };
}
