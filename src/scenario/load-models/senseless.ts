import { LONGEST_DURATION } from '../../api/index.ts';
import type { WrittenLoadModel } from './written.ts';

/** Beyond this, a mistyped unit is more likely than intent. */
const MOST_ARRIVALS = 1_000_000_000;
/** Random models draw every arrival in advance to count them. At this maximum it takes up to a minute. */
const MOST_DRAWN = 100_000_000;

/** An integral of the rate below this is rounded to 0. */
const FEWEST_ARRIVALS = 1e-9;

/** Why a load model of valid shape makes no sense: `what is wrong; what to write`. Undefined if it does. */
export function senseless(load: WrittenLoadModel): string | undefined {
  if (load.model === 'closed-users' && load.duration === undefined && load.iterations === undefined)
    return 'closed-users needs duration or iterations; write for example iterations: 10';
  if (load.model === 'ramping-users' && !hasUsers(load))
    return 'ramping-users has no users at any time; raise a "to", or the duration of a stage';
  const most = mostArrivals(load);
  if (load.model === 'ramping-rate' && most === 0)
    return 'ramping-rate plans no arrivals; raise a "to", or the duration of a stage';
  if (most !== undefined && most > 0 && most < FEWEST_ARRIVALS)
    return `${load.model} plans no arrivals; check the units of its rate and its times`;
  if (load.model === 'burst' && load.count * load.gap > LONGEST_DURATION)
    return 'burst lasts more than ten years; lower its count or its gap';
  const limit = load.model === 'poisson' || load.model === 'gamma' ? MOST_DRAWN : MOST_ARRIVALS;
  if (most !== undefined && most > limit)
    return `${load.model} plans more than ${limit.toLocaleString('en')} arrivals; check the units of its rate and its times`;
  return undefined;
}

function hasUsers({ from, stages }: Extract<WrittenLoadModel, { model: 'ramping-users' }>): boolean {
  return stages.some(({ to, duration }, s) => duration > 0 && Math.max(to, stages[s - 1]?.to ?? from) > 0);
}

/** The integral of the rate, in arrivals; undefined for models without a rate. */
function mostArrivals(load: WrittenLoadModel): number | undefined {
  switch (load.model) {
    case 'constant-rate':
    case 'poisson':
    case 'gamma':
      return (load.rate * load.duration) / 1_000;
    case 'ramping-rate':
      return load.stages.reduce(
        (sum, { to, duration }, s) => sum + (((load.stages[s - 1]?.to ?? load.from) + to) / 2) * (duration / 1_000),
        0,
      );
    case 'steps':
      return (load.from + (load.by * (load.steps - 1)) / 2) * load.steps * (load.each / 1_000);
    case 'spike':
      return (
        (load.base * (load.before + load.after) + (load.base + load.peak) * load.ramp + load.peak * load.hold) / 1_000
      );
    default:
      return undefined;
  }
}
