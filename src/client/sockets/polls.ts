/** Waits for a look at the sockets. */
export interface Rested {
  rested(): void;
}

/**
 * Knows whether the event loop has looked at its sockets since a given moment: what a socket held at that moment has been read by
 * then. Turns the loop twice after a mark, and costs nothing while there are no marks.
 * A waiter that could go on now waits one turn more, once, for others that can go on then, so that both go on together. Otherwise
 * a fast run's connections would go on in two halves, turn by turn, and each half would wake a server that has run out of work;
 * waking it costs as much as a few requests.
 */
export class Polls {
  #ticks = 0;
  #ticksUntil = 0;
  #isTicking = false;
  /** To be called at the next tick, and at the one after it. */
  #soon: Rested[] = [];
  #later: Rested[] = [];
  /** Whether the last tick called nobody, because others were to follow. */
  #isHeldBack = false;

  /** The current moment, for `isOver`. */
  mark(): number {
    this.#tickUntil(this.#ticks + LOOKED_AFTER_TICKS);
    return this.#ticks;
  }

  /** Whether the loop has looked at its sockets since the mark was taken. */
  isOver(mark: number): boolean {
    return this.#ticks >= mark + LOOKED_AFTER_TICKS;
  }

  /** Calls as soon as the mark is over, in the order of the callers; never synchronously. */
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

/** Between two ticks the loop looks once; but the first tick after a mark may come before that. */
const LOOKED_AFTER_TICKS = 2;
