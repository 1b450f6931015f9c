import type { JournalRecord } from '../history/index.ts';
import type { MetricName } from '../metrics/index.ts';
import type { MicrosHistogram } from './histograms/histogram.ts';

/** A histogram and the metric that it holds. */
export interface MetricHistogram {
  readonly metric: MetricName;
  /** In the order of the metric's row in the table. */
  readonly tags: Readonly<Record<string, string>>;
  readonly histogram: MicrosHistogram;
}

/**
 * A pure fold over records. Keeps counts and histograms, never a list of all exchanges; `part` may be called at any time and
 * changes nothing.
 */
export interface Collector<Part> {
  add(record: JournalRecord): void;
  /** Adds what another collector of the same kind measured in another part of the same run. */
  merge(other: Collector<Part>): void;
  /** Its members of the summary. */
  part(): Part;
  /** Its histograms, some of which may be empty; absent if it has none. */
  histograms?(): readonly MetricHistogram[];
}

/** Properties of a collector, which `collector.exam.ts` checks. */
export interface CollectorClaims {
  /**
   * `any`: after the header and the clock records, order does not matter and parts may be cut anywhere. `journal`: records come
   * in the order of the journal, and a part has whole users.
   */
  readonly order: 'any' | 'journal';
  /** Whether exchanges of the warm-up change its part of the summary. */
  readonly warmUp: 'excluded' | 'included';
}
