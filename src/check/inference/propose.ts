import type { LimitName } from '../../api/index.ts';
import { formatCount, plural } from '../../base/index.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { experimentFor } from './experiment.ts';
import type { Possible, ProposedExperiment } from './inference.ts';
import { anyOf, nameOf } from './words.ts';

/** What to send to distinguish possible readings of a limit; `undefined` if there is nothing to distinguish, or no way. */
export function propose(
  limit: LimitName,
  possible: readonly Possible[],
  bounds: Bounds,
): ProposedExperiment | undefined {
  const readings = [...new Set(possible.map(({ reading }) => reading))];
  if (readings.length < 2) return undefined;
  if (limit === 'rate') return bursts(readings, bounds);
  const sentence = limit === 'concurrency' ? slots(bounds) : days(readings, bounds);
  return sentence === undefined ? undefined : { sentence };
}

function bursts(readings: readonly string[], bounds: Bounds): ProposedExperiment | undefined {
  const experiment = experimentFor(readings, bounds);
  if (!experiment) return undefined;
  const [first, ...others] = experiment.bursts;
  const sent = [
    `${formatCount(first?.requests ?? 0)} at once`,
    ...others.map(({ atUs, requests }) => `${formatCount(requests)} at ${seconds(atUs)} after the first`),
  ];
  const shows = experiment.expected.map(
    ({ reading, admitted }) => `${nameOf(reading)} admits ${admitted.map(formatCount).join(', ')}`,
  );
  return {
    sentence: `leave the limit alone for ${seconds(bounds.windowUs)}, then send cheap reads with one token: ${sent.join(', ')} (${plural(experiment.requests, 'request')}); usually, ${shows.join('; ')}`,
    bursts: experiment.bursts,
    expected: experiment.expected.map(({ reading, admitted }) => ({ reading, admitted })),
  };
}

/** To four digits: a burst just after a window, by 0.2 % of it, must not be told as one at its end. */
const seconds = (us: number) => `${Number((us / 1e6).toPrecision(4))} s`;

const slots = ({ max }: Bounds) =>
  `keep ${plural(max, 'turn')} open that still ${max === 1 ? 'waits' : 'wait'} (queued) and send one more message: ${nameOf('accepted-to-finished')} refuses it, ${nameOf('processing-only')} accepts it`;

function days(readings: readonly string[], { max }: Bounds): string | undefined {
  const [calendars, spans] = [
    readings.filter((one) => one === 'utc' || one === 'token-timezone'),
    readings.filter((one) => one === 'first-use' || one === 'rolling'),
  ];
  const half = max >> 1;
  if (calendars.length === 2)
    return `use a token whose time zone has its midnight within the hour, send ${plural(max, 'message')} before it and one just after it: ${nameOf('token-timezone')} accepts that, ${anyOf(readings.filter((one) => one !== 'token-timezone').map(nameOf))} refuses it`;
  if (calendars.length === 1)
    return `send ${plural(max, 'message')} in the hour before that midnight and one just after it: ${anyOf(calendars.map(nameOf))} accepts it, ${anyOf(spans.map(nameOf))} refuses it`;
  // Of one message, a day from the first and any 24 hours are the same.
  if (half === 0) return undefined;
  return `send ${plural(half, 'message')}, ${formatCount(max - half)} more 12 hours later, and ${formatCount(half + 1)} at 24 hours after the first: ${nameOf('first-use')} accepts all, ${nameOf('rolling')} accepts ${formatCount(half)}`;
}
