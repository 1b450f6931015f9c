/** Who waits for a look at the sockets. */
export interface Rested {
  rested(): void;
}

/**
 * Knows whether the event loop has looked at its sockets since a moment: what a socket held at that moment has been read by
 * then. Turns the loop twice after a mark, and costs nothing while nobody marks.
 *
 * Who could be told now waits for those who can be told a turn later, once, so that both go on together. A fast run's connections
 * would else go on in two halves, turn by turn, and each half wakes a server that has run out of work; waking it costs as much as
 * a few requests.
 */
export class Polls {
  #ticks = 0;
  #ticksUntil = 0;
  #isTicking = false;
  /** Told at the next tick, and at the one after it. */
  #soon: Rested[] = [];
  #later: Rested[] = [];
  /** Whether the last tick told nobody, as others were to come. */
  #isHeldBack = false;

  /** This moment, for `isOver`. */
  mark(): number {
    this.#tickUntil(this.#ticks + LOOKED_AFTER_TICKS);
    return this.#ticks;
  }

  /** Whether the loop has looked at its sockets since the mark was taken. */
  isOver(mark: number): boolean {
    return this.#ticks >= mark + LOOKED_AFTER_TICKS;
  }

  /** Tells as soon as the mark is over, in the order of the callers; never at once. */
  once(mark: number, waiting: Rested): void {
    const isSoon = this.#ticks + 1 >= mark + LOOKED_AFTER_TICKS;
    (isSoon ? this.#soon : this.#later).push(waiting);
    this.#tickUntil(this.#ticks + (isSoon ? 1 : LOOKED_AFTER_TICKS));
  }

  #tickUntil(tick: number): void {
    this.#ticksUntil = Math.max(this.#ticksUntil, tick);
    if (this.#isTicking) return;
    this.#isTicking = true;
    setImmediate(this.#tick);
  }

  readonly #tick = (): void => {
    this.#ticks += 1;
    const due = this.#due();
    this.#isTicking = this.#ticks < this.#ticksUntil;
    if (this.#isTicking) setImmediate(this.#tick);
    for (const waiting of due) waiting.rested();
  };

  #due(): readonly Rested[] {
    this.#isHeldBack = !this.#isHeldBack && this.#soon.length > 0 && this.#later.length > 0;
    const due = this.#isHeldBack ? NOBODY : this.#soon;
    this.#soon = this.#isHeldBack ? [...this.#soon, ...this.#later] : this.#later;
    this.#later = [];
    return due;
  }
}

const NOBODY: readonly Rested[] = [];

/** Between two ticks the loop looks once; but the first one after a mark may come before that. */
const LOOKED_AFTER_TICKS = 2;
