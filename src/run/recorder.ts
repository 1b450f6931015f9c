import type { TargetProfile } from '../api/index.ts';
import { type Clock, formatDuration, type Micros, microsFromMillis, type SpillwayError } from '../base/index.ts';
import type { JournalRecord, JournalWriter } from '../history/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { dateHeaderClock } from './date-clock.ts';
import { firstTokenGuard } from './first-token.ts';
import { healthMonitor } from './health.ts';

/** The one door to the journal: everything that a generator records passes here. */
export interface Recorder {
  record(record: JournalRecord): void;
  /** As `JournalWriter.announces`. */
  announces(): boolean;
  /** Of what was recorded. */
  readonly counts: { readonly exchanges: number; readonly streams: number };
  /** What a person who watches should know now. */
  warnings(): readonly string[];
  /** Records the generator's health, and waits for the first token, until `signal` is aborted. */
  watch(signal: AbortSignal): Promise<void>;
}

export interface RecorderOptions {
  readonly journal: JournalWriter;
  readonly baseUrl: string;
  /** Whether the service's time is known from its Date headers only. */
  readonly followsDate: boolean;
  readonly profile: Pick<TargetProfile, 'turns'>;
  readonly clock: Clock;
  /** What opening the target's sockets took. */
  readonly openedUs: Micros;
  /** Told of every record once it is written. */
  readonly onRecord: (record: JournalRecord) => void;
  readonly scenario: Pick<Scenario, 'warmUp' | 'generator'>;
  /** As `ConnectionQueue.takeLongest`. */
  readonly longestQueue: () => number;
  /** As `Transport.takeUnasked`. */
  readonly takeUnasked: () => number;
  /** Told when it turns out that the target cannot be used at all. */
  readonly onUnusable: (error: SpillwayError) => void;
  /** Which of several generators this is; absent: it is the only one. */
  readonly among?: OneOfSeveral;
}

/** A generator beside others, and what they have to agree on. */
export interface OneOfSeveral {
  /** Its number, from 1. */
  readonly worker: number;
  readonly workers: number;
  /** As `firstTokenGuard` takes it. */
  readonly hadToken: Int32Array;
  /** As `dateHeaderClock` takes it. */
  readonly nextDate: Int32Array;
}

export function recorder(options: RecorderOptions): Recorder {
  const { journal, clock, openedUs, scenario, longestQueue, onRecord, onUnusable, among } = options;
  const counts = { exchanges: 0, streams: 0 };
  const health = healthMonitor({
    clock,
    warmUpUs: microsFromMillis(scenario.warmUp),
    medianLagUs: microsFromMillis(scenario.generator.medianLag),
    watched: { backlog: () => journal.backlog(), longestQueue, takeUnasked: options.takeUnasked },
    ...(among && { generators: among.workers }),
  });
  const guard = firstTokenGuard(options.baseUrl, among?.hadToken);
  const followDate = options.followsDate ? dateHeaderClock(options.profile, among?.nextDate) : undefined;

  function record(entry: JournalRecord): void {
    // Whoever made the record keeps no other use of it: copying each only to add its worker costs more than its line.
    if (among && entry.kind !== 'clock') Object.assign(entry, { worker: among.worker });
    journal.write(entry);
    onRecord(entry);
    if (entry.kind === 'stream' && entry.event === 'opened') counts.streams++;
    const unusable = guard.see(entry);
    if (unusable) onUnusable(unusable);
    if (entry.kind !== 'exchange') return;
    counts.exchanges++;
    health.observe(entry);
    const heard = followDate?.(entry);
    if (heard) record(heard);
  }

  return {
    record,
    announces: () => journal.announces(),
    counts,
    warnings() {
      const behindUs = health.behindUs();
      return behindUs === undefined
        ? []
        : [`the generator is behind: half of the last second's requests left ${formatDuration(behindUs)} late or more`];
    },
    async watch(signal) {
      const silent = guard.watch(clock, openedUs, signal).then((error) => error && onUnusable(error));
      await Promise.all([silent, health.run(signal, record)]);
    },
  };
}
