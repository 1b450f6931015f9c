import { type Clock, formatDuration, type Micros, microsFromMillis, type SpillwayError } from '../base/index.ts';
import type { JournalRecord, JournalWriter } from '../history/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { RunCounts } from '../schedule/index.ts';
import { firstTokenGuard } from './first-token.ts';
import { healthMonitor } from './health.ts';
import type { StopReason } from './interrupts.ts';
import type { LiveCounter } from './live-state.ts';
import { dateHeaderClock, type Target } from './target.ts';

/** The one door to the journal: everything that is recorded passes here. */
export interface Recorder {
  record(record: JournalRecord): void;
  /** What a person who watches should know now. */
  warnings(): readonly string[];
  /** Records the generator's health, and waits for the first token, until `signal` is aborted. */
  watch(signal: AbortSignal): Promise<void>;
  /** Writes the last line. @param gate the gate that ended the run, when one did */
  end(counts: RunCounts, stopped: StopReason | undefined, gate?: string): void;
}

export interface RecorderOptions {
  readonly journal: JournalWriter;
  readonly target: Target;
  readonly clock: Clock;
  readonly live: LiveCounter;
  /** What opening the target's sockets took. */
  readonly openedUs: Micros;
  /** Told of every record once it is written. */
  readonly onRecord?: (record: JournalRecord) => void;
  readonly scenario: Pick<Scenario, 'warmUp' | 'generator'>;
  /** As `ConnectionQueue.takeLongest`. */
  readonly longestQueue: () => number;
  /** Told when it turns out that the target cannot be used at all. */
  readonly onUnusable: (error: SpillwayError) => void;
}

export function recorder(options: RecorderOptions): Recorder {
  const { journal, target, clock, live, openedUs, scenario, longestQueue, onRecord, onUnusable } = options;
  const counts = { exchanges: 0, streams: 0 };
  const health = healthMonitor({
    clock,
    warmUpUs: microsFromMillis(scenario.warmUp),
    medianLagUs: microsFromMillis(scenario.generator.medianLag),
    watched: { backlog: () => journal.backlog(), longestQueue },
  });
  const guard = firstTokenGuard(target.baseUrl);
  const followDate = target.clockRecord ? undefined : dateHeaderClock();

  function record(entry: JournalRecord): void {
    journal.write(entry);
    live.add(entry);
    onRecord?.(entry);
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
    end({ arrivals, drops }, stopped, gate) {
      // A deadline is the scenario's own end, but what it cut off is missing: the history says so.
      const complete = stopped === undefined;
      record({
        kind: 'end',
        at: clock.now(),
        arrivals,
        ...counts,
        drops,
        complete,
        ...(complete ? {} : { reason: stopped }),
        ...(gate === undefined ? {} : { gate }),
      });
    },
  };
}
