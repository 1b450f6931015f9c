import type { RepeatStep } from '../../scenario/index.ts';
import { type JourneyState, next, type StepEnd } from '../journey-state.ts';
import { startStep } from '../run-journey.ts';

/** Runs its steps `times` times; `${iteration}` counts from 0. */
export async function repeat(journey: JourneyState, step: RepeatStep): Promise<StepEnd> {
  const outer = journey.iteration;
  for (let iteration = 0; iteration < step.repeat.times; iteration++) {
    journey.iteration = iteration;
    for (const inner of step.repeat.steps) {
      const end = await startStep(journey, inner);
      if (end.kind !== 'next') return end;
    }
  }
  journey.iteration = outer;
  return next;
}
