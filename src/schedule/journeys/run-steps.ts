import type { Step } from '../../scenario/index.ts';
import { stepStarter } from '../steps/index.ts';
import {
  interrupted,
  type JourneyState,
  next,
  type StepEnd,
  type StepListener,
  type StepStart,
} from './journey-state.ts';

/**
 * Runs steps in order until one of them ends the journey, and reports to the listener how that ended. A finish signal ends the
 * journey between two steps, or within one that waits; but an accepted turn is still followed to its end if that is the next
 * step, so that its completion is in the history.
 * @param rounds how often all steps run, with the round's number as the journey's iteration; absent: once, and the iteration is
 * unchanged
 */
export function runSteps(journey: JourneyState, steps: readonly Step[], listener: StepListener, rounds?: number): void {
  new StepLoop(journey, steps, listener, rounds).run();
}

const runStep = stepStarter(runSteps);

/** Listens to the end of each step itself: at a hundred thousand steps a second, a promise for each is noticeable. */
class StepLoop implements StepListener {
  readonly #journey: JourneyState;
  readonly #steps: readonly Step[];
  readonly #listener: StepListener;
  readonly #rounds: number | undefined;
  #round = 0;
  #at = 0;
  #isStarting = false;
  #endedEarly: StepEnd | undefined;
  /** The finish signal left a step undone: even if a turn is still followed, the journey is not completed. */
  #isCut = false;

  constructor(journey: JourneyState, steps: readonly Step[], listener: StepListener, rounds: number | undefined) {
    this.#journey = journey;
    this.#steps = steps;
    this.#listener = listener;
    this.#rounds = rounds;
  }

  run(): void {
    for (;;) {
      if (this.#at === this.#steps.length) {
        this.#at = 0;
        this.#round += 1;
        if (this.#round >= (this.#rounds ?? 1)) return this.#listener.ended(this.#isCut ? interrupted : next);
      }
      const end = this.#start();
      if (end === undefined) return;
      if (end instanceof Promise) {
        end.then((later) => this.ended(later)).catch((defect: unknown) => this.failed(defect));
        return;
      }
      if (!this.#goesOn(end)) return this.#listener.ended(end);
    }
  }

  /** After a step that was cut short (a burst of which some requests were sent), the next one may still follow its turns. */
  #goesOn(end: StepEnd): boolean {
    if (end.kind !== 'interrupted') return end.kind === 'next';
    const { finish, abort } = this.#journey.stop;
    const following = (this.#steps[this.#at] ?? this.#steps[0]) as Step;
    if (!finish.aborted || abort.aborted || !followsOpenTurn(this.#journey, following)) return false;
    this.#isCut = true;
    return true;
  }

  /**
   * Starts the next step. If it calls the listener before it returns, that is noted and handled afterwards; otherwise a long
   * journey would overflow the stack.
   */
  #start(): StepStart {
    if (this.#rounds !== undefined && this.#at === 0) this.#journey.iteration = this.#round;
    this.#endedEarly = undefined;
    this.#isStarting = true;
    const started = startStep(this.#journey, this.#steps[this.#at++] as Step, this);
    this.#isStarting = false;
    return started ?? this.#endedEarly;
  }

  ended(end: StepEnd): void {
    if (this.#isStarting) this.#endedEarly = end;
    else if (this.#goesOn(end)) this.run();
    else this.#listener.ended(end);
  }

  failed(defect: unknown): void {
    this.#listener.failed(defect);
  }
}

function startStep(journey: JourneyState, step: Step, listener: StepListener): StepStart {
  if (journey.stop.finish.aborted && !followsOpenTurn(journey, step)) return interrupted;
  if (!('repeat' in step)) journey.step++;
  return runStep(journey, step, listener);
}

const followsOpenTurn = ({ turns }: JourneyState, step: Step): boolean =>
  'followTurn' in step && turns.some(({ followed }) => !followed);
