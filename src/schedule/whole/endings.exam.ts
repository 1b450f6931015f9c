import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import type { Micros, VirtualClock } from '../../base/index.ts';
import type { Stopper } from '../../run/interrupts.ts';
import type { StepName } from '../../scenario/index.ts';
import { answering, connectedBy } from '../../testing/senders.ts';
import { type Recorded, runVirtualScenario } from '../../testing/virtual.ts';
import type { Lease, Sender } from '../index.ts';
import { conversation, message } from './small-runs.exam.ts';

/** Small runs of all kinds, and moments at which they are told to stop. */

type Scenario = Parameters<typeof runVirtualScenario>[0];

const follow = { interval: '500ms', deadline: '6s' };
const policy = fc.constantFrom('continue' as const, 'stop' as const, {
  retry: { max: 1, obeyRetryAfter: false, backoff: { first: '400ms', jitter: 0.5 } },
});
/** By name: a step that is missing here does not compile. */
const steps = {
  createConversation: [conversation],
  sendMessage: [message],
  pause: [{ pause: '300ms' }],
  issueToken: [{ issueToken: {} }],
  readHistory: [{ readHistory: { pages: 'all' } }],
  rateAnswer: [{ rateAnswer: { rating: 'up', message: 'm' } }],
  resend: [{ resend: { count: 2 } }],
  followTurn: [
    { followTurn: follow },
    { followTurn: { ...follow, by: 'stream' } },
    { followTurn: { ...follow, by: 'both', turns: 'all' } },
  ],
  burst: [
    { burst: { of: 'createConversation', count: 3 } },
    { burst: { of: 'sendMessage', count: 3, gap: '100ms', follow } },
  ],
  repeat: [{ repeat: { times: 2, steps: [conversation, message] } }],
} as const satisfies { readonly [Name in StepName]: readonly Readonly<Record<Name, unknown>>[] };
const step = fc.constantFrom(...Object.values(steps).flat());
/**
 * With a cap on turns, each turn is followed before the next message: otherwise a journey would wait for itself, and such a
 * scenario is rejected.
 */
const followed = fc
  .array(fc.constantFrom<'poll' | 'stream' | 'both'>('poll', 'stream', 'both'), { minLength: 1, maxLength: 3 })
  .map((ways) => [conversation, ...ways.flatMap((by) => [message, { followTurn: { ...follow, by } }])]);
const optional = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined });
const load = fc.oneof(
  fc.record({
    model: fc.constant('burst' as const),
    count: fc.integer({ min: 1, max: 8 }),
    gap: fc.constantFrom('0', '7ms'),
  }),
  fc.record({
    model: fc.constant('constant-rate' as const),
    rate: fc.constant('40/s'),
    duration: fc.constant('400ms'),
    noCatchUp: fc.boolean(),
  }),
  fc.record({
    model: fc.constant('closed-users' as const),
    users: fc.constant(2),
    duration: fc.constant('3s'),
    think: fc.constant('100ms'),
  }),
);
const capped = (openTurns: number | undefined) =>
  openTurns === undefined ? fc.array(step, { minLength: 1, maxLength: 4 }) : followed;
const scenarioWith = (openTurns: number | undefined) =>
  fc.record({
    users: fc.integer({ min: 2, max: 3 }),
    caps: fc.record({
      inFlight: optional(1, 4),
      openTurns: fc.constant(openTurns),
      requestsPerMinute: optional(5, 40),
      whenFull: fc.constantFrom('queue' as const, 'drop' as const),
    }),
    onRefused: policy,
    onError: policy,
    journeys: fc
      .tuple(capped(openTurns), capped(openTurns))
      .map(([a, b]) => ({ a: { steps: a }, b: { steps: [conversation, ...b] } })),
    load,
  });
export const scenario = fc.oneof(scenarioWith(undefined), scenarioWith(1), scenarioWith(3));

/**
 * How a run is told to stop: at an instant, or during the turn in which an answer or a connection arrives; gently, at once, or
 * one after the other.
 */
export const ending = fc.record({
  at: fc.oneof(fc.integer({ min: 0, max: 400_000 }), fc.integer({ min: 0, max: 5_000_000 })),
  on: fc.option(fc.tuple(fc.constantFrom('answer' as const, 'connection' as const), fc.integer({ min: 1, max: 40 })), {
    nil: undefined,
  }),
  gently: fc.boolean(),
  againAfter: fc.option(fc.integer({ min: 0, max: 2_000_000 }), { nil: undefined }),
});
export const world = fc.record({
  delays: fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 7 }),
  /** Index (modulo seven) of the answers that fail. */
  failing: fc.constantFrom(-1, -1, 0, 3),
  connections: fc.constantFrom(1, 2, 50),
  tokenLifetime: fc.constantFrom('1s', '1h'),
});

export interface Played extends Recorded {
  /** Instants at which the run was told to stop. */
  readonly told: { gently?: Micros; atOnce?: Micros };
  /** What was sent over connections obtained after a gentle stop; after a stop at once nothing may be sent. */
  readonly sentAfter: readonly string[];
  readonly leases: { readonly held: number; readonly listeners: readonly number[] };
}

export type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** Counts connections and answers, tells what was sent over connections that were had after a gentle stop, and stops as drawn. */
class Stops {
  readonly told: { gently?: Micros; atOnce?: Micros } = {};
  readonly sentAfter: string[] = [];
  held = 0;
  readonly #end: Drawn<typeof ending> | undefined;
  readonly #happened = { answer: 0, connection: 0 };
  #stopping: Stopper | undefined;

  constructor(end: Drawn<typeof ending> | undefined) {
    this.#end = end;
  }

  get signals(): Stopper['signals'] {
    return (this.#stopping as Stopper).signals;
  }

  /** Begins with the run. */
  begin(stopping: Stopper, clock: VirtualClock): void {
    this.#stopping = stopping;
    if (!this.#end) return;
    const { at, gently, againAfter } = this.#end;
    void clock.sleepUntil(at as Micros).then(() => this.#stop(clock, gently));
    if (againAfter !== undefined)
      void clock.sleepUntil((at + againAfter) as Micros).then(() => this.#stop(clock, false));
  }

  counting(sender: Sender, clock: VirtualClock): Sender {
    return {
      ...sender,
      tryAcquire: () => undefined,
      acquire: async (signal) => {
        const lease = await sender.acquire(signal);
        if (lease) this.held += 1;
        this.#happens('connection', clock);
        return lease && this.#counted(lease, clock, this.told.gently !== undefined);
      },
    };
  }

  #counted(lease: Lease, clock: VirtualClock, isAfter: boolean): Lease {
    return {
      release: () => {
        this.held -= 1;
        lease.release();
      },
      send: (call, stopped, onReply) => {
        if (isAfter && this.told.atOnce === undefined) this.sentAfter.push(call.operation);
        lease.send(call, stopped, (reply) => {
          this.held -= 1;
          this.#happens('answer', clock);
          onReply(reply);
        });
      },
    };
  }

  #happens(what: 'answer' | 'connection', clock: VirtualClock): void {
    const end = this.#end;
    if (++this.#happened[what] === end?.on?.[1] && end.on[0] === what) this.#stop(clock, end.gently);
  }

  #stop(clock: VirtualClock, gently: boolean): void {
    this.told[gently ? 'gently' : 'atOnce'] ??= clock.now();
    this.#stopping?.stop('interrupted', gently);
  }
}

export async function play(
  input: Drawn<typeof scenario>,
  { delays, failing, connections, tokenLifetime }: Drawn<typeof world>,
  end: Drawn<typeof ending> | undefined,
): Promise<Played> {
  let turn = 0;
  const stops = new Stops(end);
  const delayUs = () => [delays[turn++ % delays.length], delays[turn++ % delays.length]] as [Micros, Micros];
  const faulty = answering(() => (turn % 7 === failing ? { status: 503, headers: {}, body: {} } : {}));
  const run = await runVirtualScenario({ ...input, sandbox: { tokenLifetime } } as Scenario, {
    delayUs,
    wrap: (sender, clock) => stops.counting(connectedBy(connections)(faulty(sender, clock), clock), clock),
    interrupt: (stopping, clock) => stops.begin(stopping, clock),
  });
  const { finish, abort } = stops.signals;
  const listeners = [finish, abort].map((signal) => getEventListeners(signal, 'abort').length);
  return { ...run, told: stops.told, sentAfter: stops.sentAfter, leases: { held: stops.held, listeners } };
}
