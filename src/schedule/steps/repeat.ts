import type { RepeatStep, Step } from '../../scenario/index.ts';
import { type JourneyState, next, type StepEnd } from '../journey-state.ts';
import { startStep } from '../run-journey.ts';

/** Runs its steps `times` times; `${iteration}` counts from 0. */
export async function repeat(journey: JourneyState, step: RepeatStep): Promise<StepEnd> {
  const outer = journey.iteration;
  const { times, steps } = step.repeat;
  for (let iteration = 0; iteration < times; iteration++) {
    journey.iteration = iteration;
    // By index: an iterator that is awaited within costs an object and three calls a step.
    for (let inner = 0; inner < steps.length; inner++) {
      const end = await startStep(journey, steps[inner] as Step);
      if (end.kind !== 'next') return end;
    }
  }
  journey.iteration = outer;
  return next;
}
