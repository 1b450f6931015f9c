import { formatDuration, listed } from '../../base/index.ts';
import type { Distribution, Summary } from '../../collect/index.ts';
import { formatCount, plural } from '../formatters.ts';
import { percentileOf, percentileText } from '../percentiles.ts';
import { boundsInWords } from './latency-table.ts';
import type { Section } from './section.ts';

function spread(distribution: Distribution): string {
  const percentiles = (['p50', 'p90', 'p99'] as const).map((name) => `${name} ${percentileText(distribution, name)}`);
  return [...percentiles, `max ${formatDuration(distribution.maxUs)}`].join(', ');
}

/** Bounds of p90 or, with too few samples, of p50: `; 95 % bounds of p90 0.60 s to 0.84 s`; otherwise empty. */
function bounds(distribution: Distribution): string {
  for (const name of ['p90', 'p50'] as const) {
    const percentile = percentileOf(distribution, name);
    if (percentile) return `; 95 % bounds of ${name} ${boundsInWords(percentile.bounds)}`;
  }
  return '';
}

/** The range of the median completion time according to polls, and the median that the service reports. */
function polled({
  completionBounds,
  serverLatency,
  unlistedStatuses = [],
}: Summary['turns']): readonly (readonly [string, string])[] {
  const median = (distribution: Distribution | undefined) => percentileOf(distribution, 'p50')?.us;
  const [least, most, reported] = [
    median(completionBounds?.shortest),
    median(completionBounds?.longest),
    median(serverLatency),
  ];
  const own = reported === undefined ? '' : `; the service reports ${formatDuration(reported)} on its clock`;
  if (least === undefined || most === undefined)
    return reported === undefined ? [] : [['by service', `p50 ${formatDuration(reported)}, as the service reports it`]];
  const unlisted = unlistedStatuses.length > 0 ? ' and by polls whose status the profile does not list' : '';
  const between = `p50 between ${formatDuration(least)} and ${formatDuration(most)}`;
  return [['by poll', `${between}, limited by the poll interval${unlisted}${own}`]];
}

/** A journey that goes on after an error tells nothing of it, and an intermediary may have closed every one. */
const brokenOff = ({ brokenStreams = 0 }: Summary['turns']): string =>
  brokenStreams === 0 ? '' : `; ${plural(brokenStreams, 'stream')} broken off`;

/** How turns ended and how long they took. */
export const turns: Section = ({ turns }) => {
  // Not only the accepted ones: of a damaged history, acceptances may be lost.
  const all = turns.completed + turns.failed + turns.unfinished;
  if (all === 0) return [];
  const counts = `${formatCount(turns.completed)} of ${formatCount(all)} completed, ${formatCount(turns.failed)} failed, ${formatCount(turns.unfinished)} not seen to finish; ${plural(turns.polls, 'poll')}${brokenOff(turns)}`;
  const { completion, firstEvent } = turns;
  return listed<readonly [string, string]>(
    ['turns', counts],
    completion && ['completion', `${spread(completion)} (${plural(completion.count, 'turn')})${bounds(completion)}`],
    ...polled(turns),
    firstEvent && ['first event', spread(firstEvent)],
  );
};
