/**
 * base/ knows what every room needs and nothing of conversations, limits or HTTP: units that the compiler tells apart,
 * the clock (real and virtual), seeded randomness, errors with stable codes, durations and rates as people write them,
 * and reading YAML, JSON and TypeScript files with the position of every value.
 * It must not know any other room. It is the only room (with client/, the sandbox's shell and run/) that may touch the
 * wall clock, timers or true randomness; everybody else is handed a Clock and a Random.
 */
export type { Clock } from './clock.ts';
export { realClock } from './clock.ts';
export { type SourceDocument, type Position, loadDocument, parseDocument, positionOf } from './documents.ts';
export {
  type ConfigProblem,
  ConfigurationError,
  ExitCode,
  SpillwayError,
  formatProblem,
  nearest,
} from './errors.ts';
export { digestWith, freshKey, freshUuid, uuidFrom } from './identifiers.ts';
export { type Random, seededRandom } from './random.ts';
export {
  type Micros,
  type Millis,
  type PerSecond,
  formatDuration,
  microsFromMillis,
  microsFromSeconds,
  millisFromMicros,
  parseDuration,
  parseRate,
} from './units.ts';
export { VirtualClock } from './virtual-clock.ts';
