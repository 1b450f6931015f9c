import { type Micros, seededRandom } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import { exchange, header, us } from '../../testing/history/sample-records.ts';
import { RunContext } from '../context.ts';
import { fellBehind } from './fell-behind.ts';
import { StageBacklogs } from './stage-backlog.ts';

/** The length of a stage. */
export const STAGE_US = 10_000_000;

type Random = () => number;
export type Draw = (random: Random) => number;

/** Always the mean; or from an exponential distribution of this mean. */
export const always =
  (mean: number): Draw =>
  () =>
    mean;
export const exponential =
  (mean: number): Draw =>
  (random) =>
    -mean * Math.log(1 - random());

/** Of each request: when it is due, and when it is answered. Objects, because taking millions of pairs apart takes longer. */
export type Served = readonly { readonly due: number; readonly answered: number }[];

/** Requests over three stages, of which each is `gap` after the one before it. */
export function arrivals(gap: Draw, random: Random): number[] {
  const at: number[] = [];
  for (let next = gap(random) * random(); next < 3 * STAGE_US; next += gap(random)) at.push(next);
  return at;
}

/** A service that handles one request after the other. */
export function oneByOne(due: readonly number[], takes: Draw, random: Random): Served {
  let free = 0;
  return due.map((at) => {
    free = Math.max(free, at) + takes(random);
    return { due: at, answered: free };
  });
}

/** A service that handles any number at once. */
export const allAtOnce = (due: readonly number[], takes: Draw, random: Random): Served =>
  due.map((at) => ({ due: at, answered: at + takes(random) }));

/** Three stages of the same length. */
export const threeStages = [0, 1, 2].map((index) => ({
  name: `stair-${index + 1}`,
  fromUs: us(index * STAGE_US),
  toUs: us((index + 1) * STAGE_US),
  arrivalsPerMinute: { from: 60, to: 60 },
}));

const first = exchange({ seq: 0 });

/** The exchanges of these requests. */
export const exchangesOf = (served: Served): Exchange[] =>
  served.map(({ due, answered }, seq) => {
    const at = Math.round(due) as Micros;
    const headersAt = (at + 900) as Micros;
    return { ...first, seq, intendedAt: at, sentAt: at, headersAt, receivedAt: Math.round(answered) as Micros };
  });

/** In how many of `count` runs the service fell behind in each of the three stages. Only backlogs are counted: that takes less time. */
export function timesBehind(count: number, name: string, played: (random: Random) => Served): readonly number[] {
  const times = [0, 0, 0];
  const beginning = header({ stages: threeStages });
  for (let run = 0; run < count; run++) {
    const random = seededRandom(run, name);
    const context = new RunContext();
    context.add(beginning);
    const backlogs = new StageBacklogs(context);
    for (const one of exchangesOf(played(() => random.next()))) backlogs.add(one);
    for (const [index, backlog] of backlogs.all().entries())
      if (fellBehind(backlog)) times[index] = (times[index] ?? 0) + 1;
  }
  return times;
}
