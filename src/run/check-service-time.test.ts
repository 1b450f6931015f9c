import { expect, it } from 'vitest';
import { ConfigurationError } from '../base/index.ts';
import { loadedFrom } from '../testing/virtual.ts';
import { checkServiceTime } from './check-service-time.ts';
import { planScenario } from './forecast/plan-scenario.ts';

const journeys = { ask: { steps: [{ createConversation: {} }] } };
const fast = (duration: string, clockRate: number, more: object = {}) =>
  loadedFrom({
    ...{ journeys, sandbox: { clockRate }, ...more },
    load: { model: 'constant-rate', rate: '1/min', duration },
  });

function refusedOf(...[loaded, embedded = true]: readonly [ReturnType<typeof fast>, boolean?]) {
  try {
    checkServiceTime(loaded, embedded);
  } catch (error) {
    return error instanceof ConfigurationError && error.problems[0]?.message;
  }
  return undefined;
}

it('a clock that gets further than ten years in the load is refused, because its journal could not be read', async () => {
  expect(refusedOf(fast('3653min', 1_440))).toBe(undefined);
  const message = "1440 takes the service's clock further than ten years in the 60 h 54 min of the load";
  expect(refusedOf(fast('3654min', 1_440))).toBe(message);
  await expect(planScenario(fast('3654min', 1_440), { embedded: true })).rejects.toThrow(ConfigurationError);
  expect(refusedOf(fast('3654min', 1_440, { deadline: '3653min' }))).toBe(undefined);
  expect(refusedOf(fast('3654min', 1_440), false)).toBe(undefined);
});
