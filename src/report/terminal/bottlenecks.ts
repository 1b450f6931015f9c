import { formatDuration, inertText } from '../../base/index.ts';
import type { Bottleneck } from '../../collect/index.ts';
import { formatCount, formatShare } from '../formatters.ts';

/**
 * Describes a bottleneck of the generator as a clause: `half of the requests left 52 ms or more after they were due (allowed: 20
 * ms)`.
 */
export function describeBottleneck(bottleneck: Bottleneck): string {
  switch (bottleneck.what) {
    case 'lag': {
      const [who, they] =
        bottleneck.percentile === 'p50'
          ? ['half of the requests', 'they were']
          : ['one request in a hundred', 'it was'];
      return `${who} left ${formatDuration(bottleneck.us)} or more after ${they} due (allowed: ${formatDuration(bottleneck.allowedUs)})`;
    }
    case 'event-loop':
      return `its event loop was typically ${formatDuration(bottleneck.us)} late (allowed: ${formatDuration(bottleneck.allowedUs)})`;
    case 'standstill':
      return `its event loop stood still: answers waited ${formatDuration(bottleneck.us)} on average to be read (allowed: ${formatDuration(bottleneck.allowedUs)})`;
    case 'late-reads':
      return `${formatCount(bottleneck.count)} of ${formatCount(bottleneck.of)} answers may have waited longer for it than for the service (allowed: ${formatShare(bottleneck.allowedShare, 1)})`;
    case 'late-drops':
      return `it dropped ${formatCount(bottleneck.count)} of ${formatCount(bottleneck.of)} arrivals that it was late for (allowed: ${formatShare(bottleneck.allowedShare, 1)})`;
    case 'local-failure':
      return `${formatCount(bottleneck.count)} requests failed on its own machine (${inertText(bottleneck.failure, 20)})`;
  }
}
