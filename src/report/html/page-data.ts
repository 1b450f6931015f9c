/*
 * Data of the charts of the report and the live page. `PictureFold` creates it in Node, page/ reads it in the browser. As page/ is
 * compiled separately, this file must not import anything.
 *
 * Times are integer microseconds of run time unless a member says otherwise. All texts are inert (`inertText`).
 */

/**
 * Classes of exchanges. A 429 is classified by the limit that its error code names; `expected` is an error status that the step
 * expects.
 */
export const markClasses = [
  'success',
  'rate',
  'concurrency',
  'daily',
  'unattributed',
  'expected',
  'error',
  'failed',
  'censored',
] as const;
export type MarkClass = (typeof markClasses)[number];

/** Properties that many exchanges share; stored once and referred to by index. */
export interface MarkKind {
  readonly operation: string;
  readonly class: MarkClass;
  /** Status and error code, or the failure: `429 rate_limited`, `ECONNRESET`. */
  readonly answer: string;
  readonly journey: string;
  readonly application: string;
  readonly attempt: number;
  readonly retryAfter?: string;
  /** Whether it was admitted and counts towards the rate limit. */
  readonly counted: boolean;
}

/** Exchanges in columns of equal length. `sentAt` and `seq` are differences to the previous value. */
export interface MarkColumns {
  readonly sentAt: readonly number[];
  /** Service time. */
  readonly service: readonly number[];
  /** Response time minus service time: the wait before sending. */
  readonly waited: readonly number[];
  /** Index into `kinds`. */
  readonly kind: readonly number[];
  /** Index into `users`. */
  readonly user: readonly number[];
  readonly seq: readonly number[];
  /** −1 for an exchange without a worker; absent if none has one. */
  readonly worker?: readonly number[];
}

export interface Marks {
  readonly columns: MarkColumns;
  readonly kinds: readonly MarkKind[];
  readonly users: readonly string[];
  /** Indices of exchanges in certificates. */
  readonly named: readonly number[];
  /** Number of exchanges by class, including those not drawn. */
  readonly counts: Readonly<Record<MarkClass, number>>;
  /** Whether all exchanges are included. If not, counting the marks would be misleading. */
  readonly whole: boolean;
}

/** Windows of the rate limit, aligned to the service's clock. */
export interface Windows {
  readonly max: number;
  /** Length of a window on the service's clock. */
  readonly windowUs: number;
  /** Whether counts can be compared with `max`, because the limit's scope has only one bucket. */
  readonly comparable: boolean;
  /** Whether some window has several buckets; its counts are then those of the fullest one. */
  readonly several: boolean;
  /** Four numbers per window: start, end, and the admitted and refused requests of the fullest bucket. */
  readonly list: readonly number[];
}

/** A certificate, drawn as a bracket from its first exchange to its last. */
export interface Bracket {
  readonly limit: 'rate' | 'concurrency' | 'daily';
  readonly fromUs: number;
  readonly toUs: number;
  /** `21 admitted, at most 20 possible` */
  readonly label: string;
}

/** Turns, one column per member. */
export interface Lanes {
  /** Number of slots of the limit. */
  readonly max: number;
  /** Groups of lanes, one per bucket. */
  readonly groups: readonly { readonly name: string; readonly lanes: number }[];
  /** Earliest possible acceptance; differences to the previous value. */
  readonly from: readonly number[];
  /** Certainly in process from `certainFrom` to `certainTo`, relative to `from`; equal if never certain. */
  readonly certainFrom: readonly number[];
  readonly certainTo: readonly number[];
  /** Latest instant at which it may have been in process, relative to `from`; −1 without an end. */
  readonly to: readonly number[];
  readonly group: readonly number[];
  /** From 0, within the group. */
  readonly lane: readonly number[];
  /** 0 completed, 1 failed, 2 unfinished. */
  readonly state: readonly number[];
  /** The exchange that opened the turn, as proofs name it: its `seq`, or `worker:seq`. */
  readonly exchange: readonly (number | string)[];
  /** Indices of turns in certificates. */
  readonly named: readonly number[];
}

export interface Quota {
  readonly max: number;
  readonly lines: readonly {
    /** `a1, 2026-01-15` */
    readonly name: string;
    /** Two numbers per point: an instant, and the number of messages accepted by then. */
    readonly points: readonly number[];
    /** End of the day, when the quota is reset. */
    readonly to: number;
  }[];
  /** Instants of messages refused by the daily quota. */
  readonly refused: readonly number[];
  /** One in this many refusals is included. */
  readonly refusedStride: number;
  /** Starts of UTC days on the service's clock. */
  readonly midnights: readonly number[];
}

/** Counts of successful answers by time and by duration. */
export interface HeatMap {
  /** Width of a column. */
  readonly columnUs: number;
  /** A duration d is in row floor(log10(d in µs) × rowsPerDecade). */
  readonly rowsPerDecade: number;
  /** Three numbers per cell: column, row, count. */
  readonly service: readonly number[];
  readonly response: readonly number[];
}

/** Health of the generator over time, in columns; −1 if unknown. */
export interface GeneratorSeries {
  readonly at: readonly number[];
  readonly eventLoopUs: readonly number[];
  readonly lagUs: readonly number[];
  /** Thousandths of a core. */
  readonly cpu: readonly number[];
}

export interface PageData {
  readonly durationUs: number;
  readonly warmUpUs: number;
  /** Starts and names of the plan's stages; absent if there is only one. */
  readonly stages?: readonly { readonly fromUs: number; readonly name: string }[];
  readonly marks: Marks;
  readonly brackets: readonly Bracket[];
  readonly windows?: Windows;
  readonly lanes?: Lanes;
  readonly quota?: Quota;
  readonly heat: HeatMap;
  readonly generator: GeneratorSeries;
}

/** The page data without the marks, of which the live page receives only new ones. */
export type LivePictures = Omit<PageData, 'marks'>;

/** New exchanges for a page that has some already. */
export interface NewMarks {
  /** Number of exchanges that the page has; 0: it must discard them. */
  readonly from: number;
  /** `kinds` and `users` contain only the entries from `kindsFrom` and `usersFrom` on. */
  readonly added: Marks;
  readonly kindsFrom: number;
  readonly usersFrom: number;
}

/** One message of the live page's event stream. */
export interface LiveMessage {
  /** Changed contents of elements as markup, by element id. */
  readonly fragments: Readonly<Record<string, string>>;
  readonly pictures: LivePictures;
  readonly marks: NewMarks;
}
