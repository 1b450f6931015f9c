/** Equal parts of the second half of a stage, whose growths are compared with one another. */
export const PARTS = 16;
/** 99 % quantile of Student's t distribution with PARTS − 1 degrees of freedom. */
const QUANTILE = 2.602;
/** What is no more than this share of the requests of the half is no backlog, however significant: a latency that drifts a little. */
const LEAST_SHARE = 0.05;

/** Requests of a stage that should have been sent and were not answered, whichever stage they were intended in. */
export interface Backlog {
  /** At its half. */
  readonly half: number;
  /** Requests that were due, and those that ended, in each part of its second half. */
  readonly due: readonly number[];
  readonly ended: readonly number[];
  /** Requests that were due in its first eighth, and those of them that took longer than half of the stage. */
  readonly early: number;
  readonly slow: number;
  /** Whether a request that was due after its end has ended. */
  readonly isPassed: boolean;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** With fewer requests than parts in the second half, chance explains everything. */
const hasFew = ({ due }: Backlog): boolean => sum(due) < PARTS;

/**
 * Whether most of the early requests took longer than half of the stage: then the second half shows nothing of what the first one asked.
 * Be they few: their answers came when the stage was nearly over, or later, whatever the others did.
 */
export const isTooShort = (backlog: Backlog): boolean => backlog.slow * 2 > backlog.early;

/** @returns how many were unanswered at its half and at its end, if the service fell behind; otherwise `undefined` */
export function fellBehind(backlog: Backlog): { readonly half: number; readonly end: number } | undefined {
  if (hasFew(backlog)) return undefined;
  const { half, due, ended } = backlog;
  return isBehind(backlog) ? { half, end: half + sum(due) - sum(ended) } : undefined;
}

/**
 * With a constant latency, the number of unanswered requests is the rate × that latency (Little's law), so it is flat if the rate is; at
 * a service slower than the plan, it grows in all parts of the half alike. So its mean growth per part must be more than the parts'
 * own differences explain: a t test, which knows by itself whether arrivals are even, random or come in bursts, and which is too
 * strict rather than too lenient for a stable queue, whose growths compensate each other. (A constant × √requests would have to be that
 * of the most random arrivals, and would miss even ones.) Not counted as growth: what a rising rate explains, and as large a share of the
 * requests as took longer than half of the stage from its beginning on, since their number grows throughout it.
 */
function isBehind({ half, due, ended, early, slow }: Backlog): boolean {
  const requests = sum(due);
  const rise = riseOf(due);
  let unanswered = half;
  let before = half;
  const growths = due.map((came, part) => {
    unanswered += came - (ended[part] ?? 0);
    const atSameRate = unanswered / (1 + (rise * (part + 1)) / PARTS);
    const growth = atSameRate - before;
    before = atSameRate;
    return growth;
  });
  const mean = sum(growths) / PARTS;
  const deviation = Math.sqrt(sum(growths.map((growth) => (growth - mean) ** 2)) / (PARTS - 1));
  const growth = sum(growths);
  // As if one more early request had been slow: of few, none may have been by chance.
  const isMuch = growth - (requests * (slow + 1)) / (early + 1) > LEAST_SHARE * requests;
  return isMuch && growth - (requests * slow) / early > QUANTILE * deviation * Math.sqrt(PARTS);
}

/** By how much the rate of requests rises within the half, of the rate at its beginning: the line of least squares; 0 if it falls. */
function riseOf(due: readonly number[]): number {
  const mean = sum(due) / PARTS;
  const slope = sum(due.map((came, part) => came * (part - (PARTS - 1) / 2))) / ((PARTS * (PARTS ** 2 - 1)) / 12);
  const rise = slope * PARTS;
  return Math.max(0, rise / Math.max(mean - rise / 2, mean / 2));
}
