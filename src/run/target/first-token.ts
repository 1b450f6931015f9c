import { type Clock, ExitCode, formatDuration, type Micros, SpillwayError } from '../../base/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { unreachable } from './unreachable.ts';

/** Opening sockets and the first token together may take this long, µs: a target that never answers must be reported within 10 s. */
export const FIRST_TOKEN_WITHIN_US = 6_000_000;
/** However long the sockets took, the token request gets at least this long. */
const LEAST_PATIENCE_US = 1_000_000;
const LOOK_EVERY_US = 100_000;

/**
 * Detects a target that cannot be used at all: until the first token is received, refused credentials or a missing answer end the
 * run (exit 12). Afterwards the same is an ordinary outcome.
 */
interface FirstTokenGuard {
  /** @returns what is wrong, if this record shows it */
  see(record: JournalRecord): SpillwayError | undefined;
  /**
   * Resolves when the first token request was answered; with an error if it was not answered in time; or when `signal` is
   * aborted.
   * @param spentUs how much of the time opening the sockets took
   */
  watch(clock: Clock, spentUs: Micros, signal: AbortSignal): Promise<SpillwayError | undefined>;
}

/** @param had one cell, 1 once a token was received; shared with the guards of other threads */
export function firstTokenGuard(baseUrl: string, had: Int32Array = new Int32Array(1)): FirstTokenGuard {
  let askedAt: Micros | undefined;
  let answered = false;
  const wasHad = () => Atomics.load(had, 0) === 1;
  return {
    see(record) {
      if (record.kind !== 'sent' && record.kind !== 'exchange') return undefined;
      if (record.operation !== 'issueToken' || wasHad()) return undefined;
      if (record.kind === 'sent') {
        askedAt ??= record.at;
        return undefined;
      }
      answered = true;
      const { status = 0 } = record;
      if (status >= 200 && status < 300) Atomics.store(had, 0, 1);
      return problemOf(record, baseUrl);
    },
    async watch(clock, spentUs, signal) {
      const patience = Math.max(FIRST_TOKEN_WITHIN_US - spentUs, LEAST_PATIENCE_US);
      // Time in which the generator itself was blocked does not count against the target.
      let waitedUs = 0;
      while (!answered && !wasHad() && !signal.aborted) {
        if (waitedUs >= patience)
          return unreachable(baseUrl, `no answer within ${formatDuration(Math.floor(patience / 1e4) * 1e4)}`);
        const from = clock.now();
        await clock.sleepUntil((from + LOOK_EVERY_US) as Micros, signal);
        if (askedAt !== undefined) waitedUs += Math.min(clock.now() - Math.max(from, askedAt), 2 * LOOK_EVERY_US);
      }
      return undefined;
    },
  };
}

function problemOf({ status, outcome, failure, expect }: Exchange, baseUrl: string): SpillwayError | undefined {
  // A step that tests wrong credentials expects to be refused.
  const isExpected = expect !== undefined && expect.unmet.length === 0;
  if (outcome === 'answered' && (status === 401 || status === 403) && !isExpected)
    return refusedCredentials(baseUrl, status);
  if (status === 407 && !isExpected) return refusedByProxy(baseUrl);
  if (failure === 'stopped') return undefined;
  if (outcome !== 'failed' && outcome !== 'censored') return undefined;
  if (NO_HTTP.has(failure ?? '')) return unintelligible(baseUrl, failure ?? outcome);
  return unreachable(
    baseUrl,
    failure === 'deadline' ? 'no answer within the deadline (client.deadline)' : (failure ?? outcome),
  );
}

/** Failures of targets that answered, but not with readable HTTP. */
const NO_HTTP: ReadonlySet<string> = new Set([
  'protocol',
  'headers-too-large',
  'answer-too-large',
  'closed-mid-answer',
]);

const refusedCredentials = (baseUrl: string, status: number) =>
  new SpillwayError(
    'CREDENTIALS_REFUSED',
    `${baseUrl} refuses the credentials (${status} on the first token); check the client id and secret`,
    ExitCode.targetUnusable,
  );

/** Only a proxy answers with this status (RFC 9110 section 15.5.8). */
const refusedByProxy = (baseUrl: string) =>
  new SpillwayError(
    'PROXY_CREDENTIALS_REFUSED',
    `the proxy before ${baseUrl} refuses the credentials (407 on the first token); check those of client.proxy in the profile`,
    ExitCode.targetUnusable,
  );

const unintelligible = (baseUrl: string, failure: string) =>
  new SpillwayError(
    'TARGET_NOT_HTTP',
    `${baseUrl} gives no answer that can be read as HTTP: ${failure}; check the address, its port, whether it is http or https, and the transport`,
    ExitCode.targetUnusable,
  );
