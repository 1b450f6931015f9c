/**
 * base/ has what every room needs: units as distinct types, real and virtual clocks, seeded randomness, keyed digests, errors with
 * stable codes, parsing of durations and rates, text made harmless to print, and reading of YAML and JSON files with the position
 * of every value.
 * It knows nothing about conversations, limits or HTTP exchanges, and must not import any other room. Only base/, client/, the
 * sandbox's shell and run/ may use the wall clock, timers or true randomness; other rooms receive a Clock and a Random.
 */
export { arrivalUuid } from './arrival-uuid.ts';
export { nearestBeside } from './beside.ts';
export type { Clock } from './clock.ts';
export { monotonicNow, type RestartableClock, realClock } from './clock.ts';
export { digestOfNonced, digestWith, isPlainText, shortDigests, withNonce } from './digests.ts';
export {
  loadDocument,
  noSuchFile,
  parseDocument,
  positionOf,
  type SourceDocument,
  STANDARD_INPUT,
} from './documents.ts';
export { endProcess } from './end-process.ts';
export {
  type ConfigProblem,
  ConfigurationError,
  DEEPEST,
  ExitCode,
  formatProblem,
  nearest,
  SpillwayError,
  TOO_DEEP,
  together,
  uniqueOf,
  whyNotRead,
} from './errors.ts';
export { parseHttpDate } from './http-date.ts';
export { freshKey, freshUuid, MADE_UP_TOKEN, uuidFrom } from './identifiers.ts';
export { inertJson, inertText, shellWord } from './inert-text.ts';
export { isRecord } from './is-record.ts';
export { kindName } from './kind-name.ts';
export { groupedBy, listed } from './listed.ts';
export { whyNotWritten } from './not-written.ts';
export { formatCount, formatShare, plural } from './numbers.ts';
export { onAbort, whenAborted } from './on-abort.ts';
export { type Random, randomAt, seededRandom } from './random.ts';
export { withRejections } from './rejections.ts';
export { rememberedOf } from './remembered.ts';
export { STANDSTILL_US } from './standstill.ts';
export { statIfThere } from './stat-if-there.ts';
export { TimeQueue } from './time-queue.ts';
export { isTimezone } from './timezones.ts';
export {
  formatDuration,
  type Micros,
  type Millis,
  microsFromMillis,
  microsFromSeconds,
  type PerSecond,
  parseDuration,
  parseRate,
} from './units.ts';
export { withoutUserinfo } from './userinfo.ts';
export { utf8Of } from './utf8.ts';
export { packageRoot, toolVersion } from './version.ts';
export { VirtualClock } from './virtual-clock.ts';
export { WaitQueue } from './wait-queue.ts';
