import type { TargetProfile } from '../../api/index.ts';
import {
  type Clock,
  formatDuration,
  listed,
  type Micros,
  microsFromMillis,
  type SpillwayError,
} from '../../base/index.ts';
import type { Exchange, JournalRecord, JournalWriter } from '../../history/index.ts';
import type { Scenario } from '../../scenario/index.ts';
import { firstTokenGuard } from '../target/first-token.ts';
import { dateHeaderClock } from './date-clock.ts';
import { healthMonitor } from './health.ts';

/** Writes everything that a generator records to the journal, and derives health and clock records from it. */
export interface Recorder {
  record(record: JournalRecord): void;
  /** See `JournalWriter.announces`. */
  announces(): boolean;
  /** Records written so far. */
  readonly counts: { readonly exchanges: number; readonly streams: number };
  /** Current warnings for the live view. */
  warnings(): readonly string[];
  /** Records the generator's health and watches for the first token, until `signal` is aborted. */
  watch(signal: AbortSignal): Promise<void>;
}

interface RecorderOptions {
  readonly journal: JournalWriter;
  readonly baseUrl: string;
  /** Whether the service's clock is known only from its Date headers. */
  readonly followsDate: boolean;
  readonly profile: Pick<TargetProfile, 'turns'>;
  readonly clock: Clock;
  /** How long it took to open the target's sockets. */
  readonly openedUs: Micros;
  /** Called with every record after it was written. */
  readonly onRecord: (record: JournalRecord) => void;
  readonly scenario: Pick<Scenario, 'warmUp' | 'generator'>;
  /** See `ConnectionQueue.takeLongest`. */
  readonly longestQueue: () => number;
  /** See `Transport.takeUnasked`. */
  readonly takeUnasked: () => readonly number[];
  /** Called if the target turns out to be unusable. */
  readonly onUnusable: (error: SpillwayError) => void;
  /** `undefined` if this generator is the only one. */
  readonly among: OneOfSeveral | undefined;
}

/** A worker, and the memory that it shares with the other workers. */
export interface OneOfSeveral {
  /** Its number, from 1. */
  readonly worker: number;
  readonly workers: number;
  /** See `firstTokenGuard`. */
  readonly hadToken: Int32Array;
  /** See `dateHeaderClock`. */
  readonly nextDate: Int32Array;
  /** See `TokenNumbers`. */
  readonly tokenMemory: SharedArrayBuffer;
}

export function recorder(options: RecorderOptions): Recorder {
  const { journal, clock, openedUs, scenario, longestQueue, onRecord, onUnusable, among } = options;
  const counts = { exchanges: 0, streams: 0 };
  const health = healthMonitor({
    clock,
    warmUpUs: microsFromMillis(scenario.warmUp),
    medianLagUs: microsFromMillis(scenario.generator.medianLag),
    watched: { backlog: () => journal.backlog(), longestQueue, takeUnasked: options.takeUnasked },
    generators: among?.workers,
  });
  const guard = firstTokenGuard(options.baseUrl, among?.hadToken);
  const followDate = options.followsDate ? dateHeaderClock(options.profile, among?.nextDate) : undefined;

  function noteLateRead(entry: JournalRecord): void {
    if (entry.kind === 'exchange') note(entry, entry);
    // The service sends events by itself: the stream was open when the generator stood still.
    else if (entry.kind === 'stream' && entry.event !== 'opened' && entry.event !== 'closed')
      note(entry, { sentAt: 0 as Micros, receivedAt: entry.at });
  }

  function note(entry: JournalRecord, times: Pick<Exchange, 'sentAt' | 'receivedAt'>): void {
    const readLateUs = health.readLateUs(times);
    if (readLateUs !== undefined) Object.assign(entry, { readLateUs });
  }

  function record(entry: JournalRecord): void {
    // Changes the record in place, since nobody else uses it: a copy would cost more than writing its line.
    if (among && entry.kind !== 'clock') Object.assign(entry, { worker: among.worker });
    noteLateRead(entry);
    journal.write(entry);
    onRecord(entry);
    if (entry.kind === 'stream' && entry.event === 'opened') counts.streams++;
    const unusable = guard.see(entry);
    if (unusable) onUnusable(unusable);
    if (entry.kind !== 'exchange') return;
    counts.exchanges++;
    health.observe(entry);
    const clockRecord = followDate?.(entry);
    if (clockRecord) record(clockRecord);
  }

  return {
    record,
    announces: () => journal.announces(),
    counts,
    warnings: () => warningsOf(health.behindUs()),
    async watch(signal) {
      const firstToken = guard.watch(clock, openedUs, signal).then((error) => error && onUnusable(error));
      await Promise.all([firstToken, health.run(signal, record)]);
    },
  };
}

const warningsOf = (behindUs: Micros | undefined): readonly string[] =>
  listed(
    behindUs !== undefined &&
      `the generator is behind: half of the last second's requests left ${formatDuration(behindUs)} late or more`,
  );
