import { parseHttpDate } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import { httpDate } from '../../sandbox/shell/headers.ts';
import { drawOf } from '../draw.ts';
import type { Course } from './course.ts';
import { drawSecondNode, type SecondNode } from './nodes.ts';

/** What the Date headers of a service say. */
export interface Dates {
  /** Of an answer that is written at this run time. @param isSecond whether the service's second server decided */
  readonly textAt: (t: number, isSecond: boolean) => string;
  /** How far the clock of another server is ahead, which writes some of them; 0: there is none. */
  readonly otherByUs: number;
  /** Another server that also decides. */
  readonly secondNode?: SecondNode;
  /** Whether it wrote the Date of this answer, one that tells the time. */
  readonly isOthers: (exchange: Exchange) => boolean;
}

/**
 * Whole seconds of the clock on the wall; some services write each a little longer, and some have a server in front, or a second one
 * that decides, whose clock is another.
 * @param mayDiffer whether there may be such a server
 */
export function datesOf(seed: number, { wallAt }: Course, mayDiffer: boolean): Dates {
  const draw = drawOf(seed, 'dates');
  const lateUs = draw.pick([0, 0, 400_000]);
  const frontByUs = mayDiffer && draw.chance(0.15) ? OTHER_US * draw.pick([-100, -1, 1, 100]) : 0;
  const share = draw.pick([0.1, 0.5]);
  const secondNode = drawSecondNode(seed, mayDiffer && frontByUs === 0);
  const otherByUs = secondNode?.byUs ?? frontByUs;
  const apartUs = Math.min(OTHER_US, Math.abs(otherByUs)) / 2;
  return {
    textAt: (t, isSecond) => {
      const isOthers = isSecond || (frontByUs !== 0 && draw.chance(share));
      return httpDate(wallAt(t) + (isOthers ? otherByUs : -lateUs * draw.random.next()));
    },
    otherByUs,
    ...(secondNode && { secondNode }),
    isOthers: ({ date = '', sentAt }) => Math.abs(parseHttpDate(date) * 1e3 - wallAt(sentAt)) > apartUs,
  };
}

const OTHER_US = 6e6;

/** Answers that took no longer than this tell the second that it was. */
const SHORT_US = 300_000;

/** Whether an answer's Date is heard, and tells the time to within a second and a half. */
export const tellsTime = ({ operation, date, bodyProblem, sentAt, headersAt }: Exchange): boolean =>
  date !== undefined &&
  bodyProblem === undefined &&
  operation !== 'issueToken' &&
  headersAt !== undefined &&
  headersAt - sentAt <= SHORT_US;
