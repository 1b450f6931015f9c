/**
 * base/ has what every room needs: units as distinct types, real and virtual clocks, seeded randomness, keyed digests, errors with
 * stable codes, parsing of durations and rates, text made harmless to print, and reading of YAML and JSON files with the position
 * of every value.
 * It knows nothing about conversations, limits or HTTP exchanges, and must not import any other room. Only base/, client/, the
 * sandbox's shell and run/ may use the wall clock, timers or true randomness; other rooms receive a Clock and a Random.
 * time/, identity/ (identifiers, digests, randomness), text/, files/, process/ (waiting, aborting, ending).
 */

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
export { nearestBeside } from './files/beside.ts';
export {
  loadDocument,
  noSuchFile,
  parseDocument,
  positionOf,
  type SourceDocument,
  STANDARD_INPUT,
} from './files/documents.ts';
export { whyNotWritten } from './files/not-written.ts';
export { statIfThere } from './files/stat-if-there.ts';
export { packageRoot, toolVersion } from './files/version.ts';
export { arrivalUuid } from './identity/arrival-uuid.ts';
export { digestOfNonced, digestWith, isPlainText, shortDigests, withNonce } from './identity/digests.ts';
export { freshKey, freshUuid, MADE_UP_TOKEN, uuidFrom } from './identity/identifiers.ts';
export { type Random, randomAt, seededRandom } from './identity/random.ts';
export { isRecord } from './is-record.ts';
export { PARSED_ONCE } from './parse-once.ts';
export { endProcess } from './process/end-process.ts';
export { onAbort, whenAborted } from './process/on-abort.ts';
export { withRejections } from './process/rejections.ts';
export { WaitQueue } from './process/wait-queue.ts';
export { rememberedOf } from './remembered.ts';
export { inertJson, inertText, shellWord } from './text/inert-text.ts';
export { kindName } from './text/kind-name.ts';
export { groupedBy, listed } from './text/listed.ts';
export { formatCount, formatShare, plural } from './text/numbers.ts';
export { withoutUserinfo } from './text/userinfo.ts';
export { utf8Of } from './text/utf8.ts';
export type { Clock } from './time/clock.ts';
export { monotonicNow, type RestartableClock, realClock } from './time/clock.ts';
export { parseHttpDate } from './time/http-date.ts';
export { STANDSTILL_US } from './time/standstill.ts';
export { TimeQueue } from './time/time-queue.ts';
export { isTimezone } from './time/timezones.ts';
export {
  formatDuration,
  type Micros,
  type Millis,
  microsFromMillis,
  microsFromSeconds,
  type PerSecond,
  parseDuration,
  parseRate,
} from './time/units.ts';
export { VirtualClock } from './time/virtual-clock.ts';
