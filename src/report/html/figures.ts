import { listed, type Micros } from '../../base/index.ts';
import { type Distribution, failuresIn, type PercentileName, type Summary } from '../../collect/index.ts';
import { admittedText, formatCount, formatShare, formatShortDuration, openTurnsText, plural } from '../formatters.ts';
import { boundsText, percentileOf, percentileText } from '../percentiles.ts';
import { clockWindow } from '../terminal/summary-sections.ts';
import type { Markup } from './markup.ts';
import { type Figure, figureList } from './parts.ts';

/** The bucket, if there were several. `html` escapes the label. */
const whose = ({ of, among }: { readonly of: string; readonly among: number }): string => (among > 1 ? ` (${of})` : '');

/** `4.1 ms to 9.8 ms`; empty without bounds. */
function boundsOf(distribution: Distribution, name: PercentileName): string {
  const percentile = percentileOf(distribution, name);
  return (percentile && boundsText(percentile.bounds)) ?? '';
}

/** `95 % bounds 4.1 ms to 9.8 ms; `; empty without bounds. */
function boundsFirst(distribution: Distribution, name: PercentileName): string {
  const between = boundsOf(distribution, name);
  return between && `95 % bounds ${between}; `;
}

/**
 * The key figures at the top of the report: traffic, then usage of the limits.
 * @param isRateBroken whether a violation of the rate limit is proven; then counts of clock windows are not compared with the limit
 */
export function figures(summary: Summary, isRateBroken: boolean): Markup {
  const all = [...trafficFigures(summary), ...limitFigures(summary, isRateBroken)];
  return figureList(all, all.length <= 6 ? all.length : Math.ceil(all.length / 2));
}

function* trafficFigures({ run, total, refusals, drops, turns }: Summary): Generator<Figure> {
  const measuredFor = formatShortDuration(Math.max(0, run.durationUs - run.warmUpUs) as Micros);
  yield ['Exchanges', formatCount(total.count), `in ${measuredFor}${run.warmUpUs > 0 ? ' after the warm-up' : ''}`];
  yield ['Refused', formatCount(refusals.total), formatShare(refusals.total, total.count)];
  yield ['Errors', formatCount(failuresIn(total)), drops.total > 0 ? plural(drops.total, 'drop') : 'no drops'];
  const { success } = total.latency;
  if (success) {
    const between = boundsOf(success.response, 'p95');
    const response = `response time ${percentileText(success.response, 'p95')}${between && ` (${between})`}`;
    const more = `${boundsFirst(success.service, 'p95')}${response}`;
    yield ['Service time p95', percentileText(success.service, 'p95'), more];
  }
  if (turns.completion) {
    const { count } = turns.completion;
    const left = turns.failed + turns.unfinished;
    const untimed = turns.completed - count;
    const others = listed(
      untimed > 0 && `; ${formatCount(untimed)} with unknown time of acceptance`,
      left > 0 && `; ${formatCount(left)} did not complete`,
    );
    const of = `${boundsFirst(turns.completion, 'p90')}of ${plural(count, 'turn')}${others.join('')}`;
    yield ['Turn completion p90', percentileText(turns.completion, 'p90'), of];
  }
}

function* limitFigures(
  { turns, limits, fullestWindow, fullestDay }: Summary,
  isRateBroken: boolean,
): Generator<Figure> {
  const allowed = (max: number | undefined) => (max === undefined ? '' : `; ${formatCount(max)} allowed`);
  if (fullestWindow) {
    const isWithin = !isRateBroken && fullestWindow.admitted <= (limits?.rate.max ?? 0);
    const unsure = fullestWindow.perhapsAdmitted > 0 ? '; whether those with 5xx were is unknown' : '';
    const more = isWithin
      ? `requests admitted${unsure}${allowed(limits?.rate.max)}${whose(fullestWindow)}`
      : `requests admitted${unsure}${whose(fullestWindow)}; the service's own windows may begin elsewhere`;
    yield [`Busiest ${clockWindow(fullestWindow.windowUs)}`, admittedText(fullestWindow), more];
  }
  if (turns.accepted > 0) {
    const { fullest } = turns.open;
    const atOnce = fullest ?? turns.open;
    const sureness = atOnce.maxCertain === atOnce.maxPossible ? 'certain' : 'lower to upper bound';
    const more = `${sureness}${allowed(limits?.concurrency.max)}${fullest ? whose(fullest) : ''}`;
    yield ['Turns at once', openTurnsText(atOnce), more];
  }
  if (fullestDay) {
    const isMore = limits !== undefined && fullestDay.used > limits.daily.max;
    const elsewhere = isMore ? "; the service's own days may begin elsewhere" : '';
    const more = `new messages accepted${allowed(limits?.daily.max)}${whose(fullestDay)}${elsewhere}`;
    yield ['Busiest UTC day', formatCount(fullestDay.used), more];
  }
}
