import { type Random, seededRandom } from '../../base/index.ts';
import type { World } from './worlds.exam.ts';

/** The time of a simulated world, and what chance decides in it. What is planned for one instant happens in the order of planning. */
export class SimulatedTime {
  readonly random: Random;
  now = 0;
  readonly #world: World;
  readonly #queue: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  #order = 0;

  constructor(world: World) {
    this.#world = world;
    this.random = seededRandom(world.seed, 'service');
  }

  later(at: number, run: () => void): void {
    this.#queue.push({ at: Math.round(at), order: this.#order++, run });
  }

  /** Lets everything happen that is planned, and what is planned meanwhile. */
  run(): void {
    while (this.#queue.length > 0) {
      let next = 0;
      this.#queue.forEach(({ at, order }, i) => {
        const best = this.#queue[next];
        if (best && (at < best.at || (at === best.at && order < best.order))) next = i;
      });
      const [event] = this.#queue.splice(next, 1);
      if (!event) break;
      this.now = event.at;
      event.run();
    }
  }

  chance(share: number): boolean {
    return this.random.next() < share;
  }

  /** Of one way over the network. */
  delay(): number {
    return Math.round(this.random.next() ** 3 * this.#world.delayUs);
  }

  onServiceClock(at = this.now): number {
    const { originUs, driftPpm, drifting } = this.#world;
    return originUs + at * (1 + (driftPpm / 1e6) * drifting);
  }
}
