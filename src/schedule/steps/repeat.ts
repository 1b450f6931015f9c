import type { RepeatStep, Step } from '../../scenario/index.ts';
import type { JourneyState, StepListener } from '../journeys/journey-state.ts';

/** Runs steps in order, as often as `rounds` says. */
export type RunSteps = (journey: JourneyState, steps: readonly Step[], listener: StepListener, rounds: number) => void;

/** Runs its steps `times` times; `${iteration}` counts from 0. */
export const repeat =
  (runSteps: RunSteps) =>
  (journey: JourneyState, step: RepeatStep, listener: StepListener): undefined => {
    const outer = journey.iteration;
    const { times, steps } = step.repeat;
    const inner: StepListener = {
      ended(end) {
        journey.iteration = outer;
        listener.ended(end);
      },
      failed: (defect) => listener.failed(defect),
    };
    runSteps(journey, steps, inner, times);
  };
