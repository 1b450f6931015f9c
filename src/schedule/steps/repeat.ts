import type { RepeatStep } from '../../scenario/index.ts';
import type { JourneyState, StepListener } from '../journey-state.ts';
import { runSteps } from '../run-steps.ts';

/** Runs its steps `times` times; `${iteration}` counts from 0. */
export function repeat(journey: JourneyState, step: RepeatStep, listener: StepListener): undefined {
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
}
