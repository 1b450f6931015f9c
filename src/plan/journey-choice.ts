import { randomAt } from '../base/index.ts';
import type { LoadModel, Scenario } from '../scenario/index.ts';

export interface WeightedJourney {
  readonly name: string;
  readonly weight: number;
}

/** The journeys that a load model starts, with their weights. */
export function journeysOf(scenario: Scenario, model: LoadModel): readonly WeightedJourney[] {
  const names = model.journeys ?? Object.keys(scenario.journeys);
  return names.map((name) => ({ name, weight: scenario.journeys[name]?.weight ?? 1 }));
}

/**
 * Chooses the journey of an arrival at random by weight. A pure function of the seed and the arrival's index, so that all workers
 * get the same result in any order of calls.
 */
export function choiceAmong(choice: readonly WeightedJourney[], seed: number): (index: number) => string {
  const [only] = choice;
  if (only && choice.length === 1) return () => only.name;
  const total = choice.reduce((sum, journey) => sum + journey.weight, 0);
  const draw = randomAt(seed, 'journey');
  return (index) => {
    let left = draw(index) * total;
    for (const journey of choice) {
      left -= journey.weight;
      if (left < 0) return journey.name;
    }
    return choice.at(-1)?.name ?? '';
  };
}
