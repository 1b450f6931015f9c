import type { LimitScope } from '../../../api/index.ts';
import { formatCount, groupedBy, inertText, listed } from '../../../base/index.ts';
import { type AcceptedMessage, bucketOf, type RunContext } from '../../../collect/index.ts';
import { plural } from '../../formatters.ts';
import type { Thinned } from '../gather/thinned.ts';
import { runTimeOf } from '../gather/windows.ts';
import type { Quota } from '../page-data.ts';

const DAY_MS = 86_400_000;
const MOST_LINES = 8;
/** Maximum points of a step line; if there are more, every 2nd, 4th, … is drawn, at its true height. */
const MOST_STEPS = 2_000;

interface QuotaMade {
  readonly quota: Quota;
  /** Sentences about what was left out; empty if nothing was. */
  readonly leftOut: readonly string[];
}

/** What is drawn beside the accepted messages. */
interface QuotaFacts {
  /** Messages allowed a day. */
  readonly max: number;
  /** Whose messages are counted together. */
  readonly scope: LimitScope;
  /** Instants at which messages were refused by the quota. */
  readonly refused: Thinned<number>;
  readonly context: RunContext;
}

/**
 * Usage of the daily quota as step lines, one per bucket and UTC day of the service's clock.
 * @param messages in order of sending
 */
export function quotaOf(
  messages: readonly AcceptedMessage[],
  { max, scope, refused, context }: QuotaFacts,
): QuotaMade | undefined {
  if (messages.length === 0 && refused.seen === 0) return undefined;
  const lines = [...groupedBy(messages, (message) => `${bucketOf(scope, message)}, ${message.day}`)];
  const drawn = lines.toSorted(([, a], [, b]) => b.length - a.length).slice(0, MOST_LINES);
  const longest = Math.max(0, ...drawn.map(([, steps]) => steps.length));
  const everyStep = strideFor(longest);
  return {
    quota: {
      max,
      lines: drawn.map(([name, steps]) => ({
        name: inertText(name, 60),
        points: pointsOf(steps, everyStep),
        to: runTimeOf(context, (Date.parse(steps[0].day) + DAY_MS) * 1_000),
      })),
      refused: [...refused.items],
      refusedStride: refused.stride,
      midnights: midnightsIn(messages, context),
    },
    leftOut: listed(
      lines.length > MOST_LINES && `the ${MOST_LINES} longest of ${plural(lines.length, 'line')} are drawn`,
      everyStep > 1 && `1 step in ${formatCount(everyStep)} is drawn`,
      refused.stride > 1 && `1 refusal in ${formatCount(refused.stride)} is drawn`,
    ),
  };
}

/** The smallest power of two by which a number of steps must be divided to be drawn. */
function strideFor(steps: number): number {
  let stride = 1;
  while (steps / stride > MOST_STEPS) stride *= 2;
  return stride;
}

/** Instant and height of the first, the last and every n-th step. */
const pointsOf = (steps: readonly AcceptedMessage[], every: number): number[] =>
  steps.flatMap(({ sentAt }, i) => (i % every === 0 || i === steps.length - 1 ? [sentAt, i + 1] : []));

function midnightsIn(messages: readonly AcceptedMessage[], context: RunContext): number[] {
  const days = [...new Set(messages.map(({ day }) => day))].sort().slice(1, 100);
  return days.map((day) => runTimeOf(context, Date.parse(day) * 1_000));
}
