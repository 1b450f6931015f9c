import { type Random, seededRandom } from '../../base/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { type Answer, digestOf, headerOf, recordOf } from './simulated-records.exam.ts';
import { SimulatedTime } from './simulated-time.exam.ts';
import { type Listener, labelsOf, type Message, SlotService } from './slot-service.exam.ts';
import { pick, type World } from './worlds.exam.ts';

/**
 * A service with slots and a day quota, its network and its clients, written for these tests alone: an honest service must never
 * be accused, whatever the delays; a defective one must be.
 */

/** Simulates a world. @returns the journal including header and end */
export function simulate(world: World): JournalRecord[] {
  return new Simulation(world).run();
}

/** The clients, the network between them and the service, and the journal of what they saw. */
class Simulation {
  readonly #world: World;
  readonly #time: SimulatedTime;
  readonly #rewrites: Random;
  readonly #renewals: Random;
  readonly #service: SlotService;
  readonly #records: JournalRecord[] = [];
  /** Turns with a stream. */
  readonly #streamed = new Set<string>();
  #seq = 0;

  constructor(world: World) {
    this.#world = world;
    this.#time = new SimulatedTime(world);
    this.#rewrites = seededRandom(world.seed, 'rewrites');
    this.#renewals = seededRandom(world.seed, 'renewals');
    this.#service = new SlotService(world, this.#time, this.#tell);
  }

  run(): JournalRecord[] {
    for (const [i, at] of this.#world.sends.entries()) this.#time.later(at, () => this.#sendNew(i));
    this.#time.run();
    return this.#journal();
  }

  #journal(): JournalRecord[] {
    const { clockKnownUs, seed } = this.#world;
    const { now, random } = this.#time;
    // Earlier answers may not have told the time.
    const at = Math.round(pick(seededRandom(seed, 'clock'), [0, 0, 0.3, 1]) * now);
    const clock: JournalRecord[] =
      clockKnownUs === undefined
        ? []
        : [
            {
              kind: 'clock',
              at: us(at),
              serviceUs: us(Math.round(this.#time.onServiceClock(at) + (random.next() * 2 - 1) * clockKnownUs)),
              plusMinusUs: us(clockKnownUs),
              rate: 1,
            },
          ];
    const end: JournalRecord = {
      kind: 'end',
      at: us(now),
      arrivals: this.#world.sends.length,
      exchanges: this.#seq,
      streams: 0,
      drops: 0,
      complete: true,
    };
    return [headerOf(this.#world), ...clock, ...this.#records, end];
  }

  #later(us: number, run: () => void): void {
    this.#time.later(this.#time.now + us, run);
  }

  #sendNew(i: number): void {
    const { tokens, conversations, invalid, resent, rewritten, delayUs, turnUs } = this.#world;
    const { random } = this.#time;
    const message = {
      id: `m${i}`,
      token: random.integer(tokens),
      conversation: random.integer(conversations),
      invalid: this.#time.chance(invalid),
      content: 'first' as const,
    };
    this.#send(message, 1, false);
    if (this.#time.chance(resent)) {
      const pause = this.#time.chance(0.5) ? delayUs : turnUs * 2;
      this.#later(random.next() * pause, () => this.#send(this.#again(message), 1, true));
    }
    if (this.#rewrites.next() < rewritten) this.#rewrite(message);
  }

  #rewrite(message: Message): void {
    const { delayUs, turnUs } = this.#world;
    let at = this.#time.now;
    for (const content of ['other', 'first', 'first'] as const) {
      at += this.#rewrites.next() * (delayUs + turnUs);
      this.#time.later(at, () => this.#send({ ...this.#again(message), content }, 1, true));
    }
  }

  /** A further attempt at the message: with another token of its user, if tokens are renewed. */
  #again(message: Message): Message {
    return this.#renewals.next() < this.#world.renewed ? { ...message, token: message.token ^ 1 } : message;
  }

  #send(message: Message, attempt: number, resend: boolean): void {
    const labels = {
      ...labelsOf(message.token),
      conversation: `c${message.conversation}`,
      attempt,
      message: { id: message.id, digest: digestOf(`${message.id}${message.content === 'first' ? '' : '*'}`) },
      ...(resend && { resend: message.content === 'first' ? ('same' as const) : ('other' as const) }),
    };
    this.#request(
      'sendMessage',
      labels,
      () => this.#service.accept(message),
      (answer) => {
        if (answer === undefined && attempt < 3)
          this.#later(this.#time.delay() + 1, () => this.#send(this.#again(message), attempt + 1, false));
        const turn = answer?.status === 202 ? answer.turn : undefined;
        if (turn && !resend) this.#follow(turn.id, message);
      },
    );
  }

  #follow(turn: string, message: Message): void {
    const { followed, streamed } = this.#world;
    if (this.#time.chance(followed)) this.#later(this.#time.delay(), () => this.#poll(turn, message, 0));
    if (this.#time.chance(streamed)) this.#streamed.add(turn);
  }

  #poll(turn: string, message: Message, count: number): void {
    if (count > 12) return;
    const look = () => this.#service.look(turn);
    this.#request('readTurn', labelsOf(message.token), look, (answer) => {
      const status = answer?.turn?.status;
      if (status === 'completed' || status === 'failed') return;
      const pause = this.#world.pollUs * (0.5 + this.#time.random.next());
      this.#later(pause, () => this.#poll(turn, message, count + 1));
    });
  }

  #request(
    operation: 'sendMessage' | 'readTurn',
    labels: Partial<Exchange>,
    serve: () => Answer,
    done: (answer: Answer | undefined) => void,
  ): void {
    const { lost, delayUs, codes } = this.#world;
    const seq = this.#seq++;
    const sentAt = this.#time.now;
    const deadline = 6 * delayUs + 1_000;
    const fate = this.#time.random.next();
    const finish = (answer: Answer | undefined) => {
      this.#records.push(recordOf(operation, labels, seq, sentAt, this.#time.now, answer, codes));
      done(answer);
    };
    const arrive = () => {
      const answer = serve();
      if (fate < lost) return;
      this.#later(this.#time.delay(), () => finish(answer));
    };
    const gone = fate < lost;
    if (!gone || fate < lost / 2)
      this.#later(this.#time.delay() + (gone ? this.#time.random.integer(3) * delayUs : 0), arrive);
    if (gone) this.#later(deadline, () => finish(undefined));
  }

  readonly #tell: Listener = (turn, event, status) => {
    if (!this.#streamed.has(turn)) return;
    this.#later(this.#time.delay(), () => {
      const at = us(this.#time.now);
      this.#records.push({ kind: 'stream', turn, event, at, ...(status !== undefined && { status }) });
    });
  };
}
