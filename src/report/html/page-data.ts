/*
 * What the pictures of the report and of the live page are drawn from: plain data, made by `PictureFold` in Node and read by
 * page/ in the browser, which is compiled apart. So nothing may be imported here.
 *
 * Times are whole microseconds of run time unless a member says otherwise. All texts are harmless (`inertText`).
 */

/** What came of an exchange, a 429 by the limit that its error code names; an answer that is no success may be what its step expects. */
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

/** What many exchanges have in common: named once, referred to by index. */
export interface MarkKind {
  readonly operation: string;
  readonly class: MarkClass;
  /** Status and error code, or the failure: `429 rate_limited`, `ECONNRESET`. */
  readonly answer: string;
  readonly journey: string;
  readonly application: string;
  readonly attempt: number;
  readonly retryAfter?: string;
  /** Whether it was admitted by, and counts towards, the limit of requests per window. */
  readonly counted: boolean;
}

/** Exchanges, one column per member; all columns are of one length. `sentAt` and `seq` are differences to the one before. */
export interface MarkColumns {
  readonly sentAt: readonly number[];
  /** Service time. */
  readonly service: readonly number[];
  /** Response time less service time: what it waited before it was sent. */
  readonly waited: readonly number[];
  /** Index into `kinds`. */
  readonly kind: readonly number[];
  /** Index into `users`. */
  readonly user: readonly number[];
  readonly seq: readonly number[];
  /** Absent where no exchange names a worker; −1 for one that names none. */
  readonly worker?: readonly number[];
}

export interface Marks {
  readonly columns: MarkColumns;
  readonly kinds: readonly MarkKind[];
  readonly users: readonly string[];
  /** Indices of exchanges that a certificate rests on. */
  readonly named: readonly number[];
  /** Exchanges by class, drawn or not. */
  readonly counts: Readonly<Record<MarkClass, number>>;
  /** False: some were left out of the picture, and counting what is drawn would mislead. */
  readonly whole: boolean;
}

/** Windows of the limit of requests, aligned to the service's clock. */
export interface Windows {
  readonly max: number;
  /** On the service's clock. */
  readonly windowUs: number;
  /** Whether a count may be held against `max`: one bucket, as the limit's scope says. */
  readonly comparable: boolean;
  /** Whether more than one is counted in some window: then its numbers are those of one of them. */
  readonly several: boolean;
  /** Beginning, end, admitted and refused of the one who had the most: four numbers a window. */
  readonly list: readonly number[];
}

/** A certificate as it is drawn: from its first exchange to its last. */
export interface Bracket {
  readonly limit: 'rate' | 'concurrency' | 'daily';
  readonly fromUs: number;
  readonly toUs: number;
  /** `21 admitted, at most 20 possible` */
  readonly label: string;
}

/** Turns, one column per member. */
export interface Lanes {
  /** Slots that the limit has. */
  readonly max: number;
  /** Of each row of lanes: whose turns they are, and how many lanes it has. */
  readonly groups: readonly { readonly name: string; readonly lanes: number }[];
  /** Differences to the one before: earliest instant at which it can have been accepted. */
  readonly from: readonly number[];
  /** Relative to `from`: surely in process from here to there; equal where nothing is certain. */
  readonly certainFrom: readonly number[];
  readonly certainTo: readonly number[];
  /** Relative to `from`: latest instant at which it can have been in process; −1 without end. */
  readonly to: readonly number[];
  readonly group: readonly number[];
  /** From 0, within the group. */
  readonly lane: readonly number[];
  /** 0 completed, 1 failed, 2 not seen to finish. */
  readonly state: readonly number[];
  /** seq of the exchange that opened it. */
  readonly seq: readonly number[];
  /** Indices of turns that a certificate rests on. */
  readonly named: readonly number[];
}

export interface Quota {
  readonly max: number;
  readonly lines: readonly {
    /** `a1, 2026-01-15` */
    readonly name: string;
    /** Instants and how many were accepted by then: two numbers a point. */
    readonly points: readonly number[];
    /** The end of its day: from then on nothing is used. */
    readonly to: number;
  }[];
  /** Messages refused by the daily quota. */
  readonly refused: readonly number[];
  /** Of how many refusals one is among these. */
  readonly refusedStride: number;
  /** Instants at which the service's UTC day turned. */
  readonly midnights: readonly number[];
}

/** Counts of successful answers by time and by duration. */
export interface HeatMap {
  /** Width of a column. */
  readonly columnUs: number;
  readonly columns: number;
  /** Duration d lies in row floor(log10(d in µs) × rowsPerDecade). */
  readonly rowsPerDecade: number;
  /** Column, row, count: three numbers a cell. */
  readonly service: readonly number[];
  readonly response: readonly number[];
}

/** The generator's own condition: one value a column and instant, −1 where unknown. */
export interface GeneratorSeries {
  readonly at: readonly number[];
  readonly eventLoopUs: readonly number[];
  readonly lagUs: readonly number[];
  /** Thousandths of a core. */
  readonly cpu: readonly number[];
}

export interface PageData {
  /** µs since 1970 at run time 0, on the generator's wall clock. */
  readonly startedAtUs: number;
  readonly durationUs: number;
  readonly warmUpUs: number;
  /** Beginnings and names of the plan's stages; absent where there is but one. */
  readonly stages?: readonly { readonly fromUs: number; readonly name: string }[];
  readonly marks: Marks;
  readonly brackets: readonly Bracket[];
  readonly windows?: Windows;
  readonly lanes?: Lanes;
  readonly quota?: Quota;
  readonly heat: HeatMap;
  readonly generator: GeneratorSeries;
}

/** Pictures but the marks, which the live page is sent once each. */
export type LivePictures = Omit<PageData, 'marks'>;

/** Exchanges for a page that has some already. */
export interface NewMarks {
  /** How many it has; 0: it must forget them. */
  readonly from: number;
  /** `kinds` and `users` are those beyond `kindsFrom` and `usersFrom`. */
  readonly added: Marks;
  readonly kindsFrom: number;
  readonly usersFrom: number;
}

/** One message of the live page's event stream. */
export interface LiveMessage {
  /** Contents of elements by their id, as markup; only those that changed. */
  readonly fragments: Readonly<Record<string, string>>;
  readonly pictures: LivePictures;
  readonly marks: NewMarks;
}
