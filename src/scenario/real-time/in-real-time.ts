import { LONGEST_DURATION } from '../../api/index.ts';
import { type ConfigProblem, ConfigurationError, type Millis } from '../../base/index.ts';
import type { Gate } from '../../metrics/index.ts';
import type { LoadedScenario } from '../loaded.ts';
import { type Scenario, ScenarioSchema } from '../schema/schema.ts';
import { pathText } from '../validation/faults.ts';
import { changeTimes } from './stretch.ts';

/**
 * Members of a scenario whose times stay. Those of the profile and the sandbox are about the service, on its own clock, and about the
 * network; those of the generator about this machine.
 */
export const untouched = ['profile', 'sandbox', 'generator'] as const satisfies readonly (keyof Scenario)[];
const isUntouched = (member: unknown): boolean => untouched.some((one) => one === member);

/** A time that is not 0 stays longer than 0 in whole microseconds, in which runs count. */
const SHORTEST_MS = 0.001;
/** Digits that hold microseconds of ten years: multiplying adds no others, and the digest of a plan tells 400 from 400.00000000000006. */
const DIGITS = 15;

/**
 * The scenario for a service whose clock runs in real time: at each instant of the service's clock the same happens as at the embedded
 * sandbox, whose clock `sandbox.clockRate` sets. Thresholds of gates stay as they are, because latencies are the network's, too; their
 * windows become longer, so that each judges as many requests.
 * @throws ConfigurationError with every time that would be longer than a scenario can say
 */
export function inRealTime(loaded: LoadedScenario): LoadedScenario {
  const { scenario, file } = loaded;
  const factor = scenario.sandbox.clockRate;
  if (factor === 1) return loaded;
  const problems: ConfigProblem[] = [];
  const stretched = changeTimes(ScenarioSchema, scenario, (value, change, path) => {
    if (isUntouched(path[0])) return value;
    if (change === 'divide') return value / factor;
    const ms = longer(value, factor);
    const message = `is longer than ten years if it is multiplied by ${factor} (sandbox.clockRate)`;
    if (ms > LONGEST_DURATION) problems.push({ file, path: pathText(path), message, hint: 'leave out --real-time' });
    return ms;
  }) as Scenario;
  if (problems.length > 0) throw new ConfigurationError(problems);
  const gates = new Map(
    [...loaded.gatePlaces].map(([gate, place]) => [gate, { gate: longerGate(gate, factor), place }]),
  );
  return {
    ...loaded,
    scenario: { ...stretched, sandbox: { ...scenario.sandbox, clockRate: 1 } },
    gates: loaded.gates.map((gate) => gates.get(gate)?.gate ?? gate),
    gatePlaces: new Map([...gates.values()].map(({ gate, place }) => [gate, place])),
  };
}

const longer = (ms: number, factor: number): Millis =>
  (ms === 0 ? 0 : Math.max(SHORTEST_MS, Number((ms * factor).toPrecision(DIGITS)))) as Millis;

/** Windows of gates are whole seconds. */
const longerWindow = (ms: number, factor: number): Millis => (Math.ceil(longer(ms, factor) / 1_000) * 1_000) as Millis;

function longerGate(gate: Gate, factor: number): Gate {
  const { window, delayAbortEval } = gate.options;
  const options = {
    ...gate.options,
    ...(window !== undefined && { window: longerWindow(window, factor) }),
    ...(delayAbortEval !== undefined && { delayAbortEval: longer(delayAbortEval, factor) }),
  };
  return { ...gate, options };
}
