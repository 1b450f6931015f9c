import { randomAt } from '../base/index.ts';
import type { LoadModel, Scenario } from '../scenario/index.ts';

export interface WeightedJourney {
  readonly name: string;
  readonly weight: number;
}

/** The journeys that a load model chooses from. */
export function journeysOf(scenario: Scenario, model: LoadModel): readonly WeightedJourney[] {
  const names = model.journeys ?? Object.keys(scenario.journeys);
  return names.map((name) => ({ name, weight: scenario.journeys[name]?.weight ?? 1 }));
}

/**
 * Weighted choice for each arrival: a pure function of seed and index, so that no arrival's journey depends on how many came
 * before it, nor on who asks.
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
