import type { LimitScope } from '../../../api/index.ts';
import { type AcceptedMessage, bucketOf, type RunContext } from '../../../collect/index.ts';
import { plural } from '../../formatters.ts';
import { inertText } from '../../inert-text.ts';
import type { Thinned } from '../gather/thinned.ts';
import { runTimeOf } from '../gather/windows.ts';
import type { Quota } from '../page-data.ts';

const DAY_MS = 86_400_000;
const MOST_LINES = 8;
/** Steps of one staircase: beyond, every 2nd, 4th, … is drawn, each at its true height. */
const MOST_STEPS = 2_000;

export interface QuotaMade {
  readonly quota: Quota;
  /** What was left out of the picture; empty when nothing was. */
  readonly leftOut: readonly string[];
}

/**
 * The day's quota as staircases: one per bucket and UTC day of the service's clock.
 * @param messages in order of sending
 * @param refused instants at which messages were refused by the quota
 */
export function quotaOf(
  messages: readonly AcceptedMessage[],
  refused: Thinned<number>,
  max: number,
  scope: LimitScope,
  context: RunContext,
): QuotaMade | undefined {
  if (messages.length === 0 && refused.seen === 0) return undefined;
  const staircases = [...stairsOf(messages, scope)];
  const drawn = [...staircases].sort(([, a], [, b]) => b.steps.length - a.steps.length).slice(0, MOST_LINES);
  const longest = Math.max(0, ...drawn.map(([, { steps }]) => steps.length));
  const everyStep = strideFor(longest, MOST_STEPS);
  return {
    quota: {
      max,
      lines: drawn.map(([name, { day, steps }]) => ({
        name: inertText(name, 60),
        points: pointsOf(steps, everyStep),
        to: runTimeOf(context, (Date.parse(day) + DAY_MS) * 1_000),
      })),
      refused: [...refused.items],
      refusedStride: refused.stride,
      midnights: midnightsIn(messages, context),
    },
    leftOut: [
      ...(staircases.length > MOST_LINES
        ? [`the ${MOST_LINES} longest of ${plural(staircases.length, 'staircase')} are drawn`]
        : []),
      ...(everyStep > 1 ? [`1 step in ${everyStep} is drawn`] : []),
      ...(refused.stride > 1 ? [`1 refusal in ${refused.stride} is drawn`] : []),
    ],
  };
}

/** The least power of two by which so many become few enough. */
function strideFor(count: number, most: number): number {
  let stride = 1;
  while (count / stride > most) stride *= 2;
  return stride;
}

interface Staircase {
  readonly day: string;
  /** Instants. */
  readonly steps: number[];
}

function stairsOf(messages: readonly AcceptedMessage[], scope: LimitScope): Map<string, Staircase> {
  const stairs = new Map<string, Staircase>();
  for (const message of messages) {
    const name = `${bucketOf(scope, message)}, ${message.day}`;
    const known = stairs.get(name);
    if (known) known.steps.push(message.sentAt);
    else stairs.set(name, { day: message.day, steps: [message.sentAt] });
  }
  return stairs;
}

/** Instant and height, of the first, the last, and every n-th step. */
const pointsOf = (steps: readonly number[], every: number): number[] =>
  steps.flatMap((at, i) => (i % every === 0 || i === steps.length - 1 ? [at, i + 1] : []));

function midnightsIn(messages: readonly AcceptedMessage[], context: RunContext): number[] {
  const days = [...new Set(messages.map(({ day }) => day))].sort().slice(1, 100);
  return days.map((day) => runTimeOf(context, Date.parse(day) * 1_000));
}
