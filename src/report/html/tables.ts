import { operationIds } from '../../api/index.ts';
import { listed } from '../../base/index.ts';
import {
  type Distribution,
  hasOwnSpeed,
  type IntervalRow,
  type PercentileName,
  type Summary,
} from '../../collect/index.ts';
import { formatCount, formatShare, formatShortDuration, openTurnsText, speedText } from '../formatters.ts';
import { boundsText } from '../percentiles.ts';
import { lagOf } from '../terminal/health-warnings.ts';
import { windowText } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { type Column, table } from './parts.ts';

/*
 * The tables below the charts: the same data for readers who cannot see the charts or want the numbers.
 */

export const number = (title: string): Column => ({ title, align: 'right' });
const shown = ['p50', 'p90', 'p95', 'p99'] as const satisfies readonly PercentileName[];

/** Expected errors are not failures; if there are any, they have their own column. */
export function operationTable(summary: Summary): Markup {
  const showsExpected = (summary.total.expectedErrors ?? 0) > 0;
  const rows = operationIds.flatMap((id) => {
    const operation = summary.operations[id];
    if (!operation) return [];
    const { count, byOutcome, expectedErrors: expected = 0 } = operation;
    const { success, refused, error, failed, censored } = byOutcome;
    const counts = [count, success, ...(showsExpected ? [expected] : []), refused, error - expected, failed, censored];
    return [[id, ...counts.map(formatCount)]];
  });
  const expectedTitle = showsExpected ? ['Expected errors'] : [];
  const titles = ['Exchanges', 'Succeeded', ...expectedTitle, 'Refused', 'Other answers', 'No answer', 'Given up'];
  return table('Exchanges by operation and outcome', [{ title: 'Operation' }, ...titles.map(number)], rows);
}

const MOST_MINUTES = 15;

export function minuteTable({ serviceMinutes, limits, fullestWindow }: Summary): Markup {
  const fullest = serviceMinutes
    .toSorted((a, b) => b.admitted - a.admitted || (a.minute < b.minute ? -1 : 1))
    .slice(0, MOST_MINUTES);
  const caption = `${fullest.length < serviceMinutes.length ? `The fullest ${fullest.length} of ${formatCount(serviceMinutes.length)} minutes` : 'Minutes'} of the service's clock${limits ? `, limit ${formatCount(limits.rate.max)} per ${windowText(limits.rate.windowUs)}${(fullestWindow?.among ?? 1) > 1 ? ' for each' : ''}` : ''}`;
  return table(
    caption,
    [{ title: 'Minute (UTC)' }, number('Admitted'), number('Perhaps (5xx)'), number('Refused by the rate limit')],
    fullest.map(({ minute, admitted, perhapsAdmitted, refused }) => [
      minute.slice(0, 16).replace('T', ' '),
      formatCount(admitted),
      formatCount(perhapsAdmitted),
      formatCount(refused),
    ]),
  );
}

export function turnTable({ turns, limits }: Summary): Markup {
  const { fullest } = turns.open;
  const among = fullest && fullest.among > 1 ? `, of all ${formatCount(fullest.among)} together` : '';
  const rows = listed<readonly [string, string]>(
    ['Accepted', formatCount(turns.accepted)],
    ['Completed', formatCount(turns.completed)],
    ['Failed', formatCount(turns.failed)],
    ['Not seen to finish', formatCount(turns.unfinished)],
    turns.brokenStreams !== undefined && ['Streams broken off', formatCount(turns.brokenStreams)],
    ['Seen open again after the end', formatCount(turns.regressed)],
    [`Most in process at once${among}, certain`, formatCount(turns.open.maxCertain)],
    [`Most in process at once${among}, possible`, formatCount(turns.open.maxPossible)],
    fullest && among !== '' && [`Of these, of ${fullest.of}`, openTurnsText(fullest)],
    limits && [`Limit${among === '' ? '' : ', for each'}`, formatCount(limits.concurrency.max)],
  );
  return table('Turns', [{ title: 'Turns' }, number('Count')], rows);
}

export function quotaTable({ run, dailyQuota, fullestDay, limits, refusals }: Summary): Markup {
  const fullest = fullestDay
    ? `; most ${fullestDay.among > 1 ? `of one, ${fullestDay.of}, ` : ''}in a day ${formatCount(fullestDay.used)}${limits ? ` of ${formatCount(limits.daily.max)}` : ''}`
    : '';
  return table(
    `New messages accepted by UTC day of the service's clock${fullest}; ${formatCount(refusals.byLimit.daily)} refused by the quota${run.warmUp.exchanges > 0 ? ' after the warm-up' : ''}`,
    [{ title: 'Day' }, { title: 'Application' }, number('Accepted')],
    dailyQuota.map(({ day, application, used }) => [day, application, formatCount(used)]),
  );
}

/** The value with its bounds, or how many samples it needs. */
export function percentileCell({ percentiles }: Distribution, name: PercentileName): string | Markup {
  const percentile = percentiles[name];
  if ('tooFew' in percentile) return html`<span class="few">needs ${formatCount(percentile.tooFew.need)}</span>`;
  const between = boundsText(percentile.bounds);
  return html`${formatShortDuration(percentile.us)}${between !== undefined && html` <small>${between}</small>`}`;
}

const timeColumns = [number('Samples'), ...shown.map(number), number('Max')];

const timeCells = (distribution: Distribution): (string | Markup)[] => [
  formatCount(distribution.count),
  ...shown.map((name) => percentileCell(distribution, name)),
  formatShortDuration(distribution.maxUs),
];

export function latencyTable(summary: Summary): Markup {
  const rows = operationIds.flatMap((id) => {
    const latency = summary.operations[id]?.latency.success;
    if (!latency) return [];
    return [
      [`${id}, service`, ...timeCells(latency.service)],
      [`${id}, response`, ...timeCells(latency.response)],
    ];
  });
  return table(
    'Latency of successful requests; beside each percentile its 95 % bounds (one-sided at each end)',
    [{ title: 'Operation and time' }, ...timeColumns],
    rows,
  );
}

/** @param clockRate service seconds per run second */
export function completionTable({ turns }: Summary, clockRate: number): Markup {
  const named: readonly (readonly [string, Distribution | undefined])[] = [
    ['Completion, first seen', turns.completion],
    ['… seen by stream', turns.completionByStream],
    ['… seen by polling', turns.completionByPoll],
    ['… seen in the answer to the message', turns.completionByMessage],
    ['… lower bound', turns.completionBounds?.shortest],
    ['… upper bound', turns.completionBounds?.longest],
    [
      `As reported by the service${hasOwnSpeed(clockRate) ? `, on its clock, ${speedText(clockRate)}` : ''}`,
      turns.serverLatency,
    ],
    ['First event of the stream', turns.firstEvent],
    ['First part of the answer', turns.firstDelta],
    ['Delay of polling behind the stream', turns.pollAfterStream],
  ];
  const rows = named.flatMap(([name, distribution]) => (distribution ? [[name, ...timeCells(distribution)]] : []));
  return table('Turn completion, from the acceptance of the message', [{ title: 'Time' }, ...timeColumns], rows);
}

const MOST_ROWS = 12;

/** The run in at most twelve parts. @param intervals one row per second */
export function intervalTable(intervals: readonly IntervalRow[]): Markup {
  const seconds = Math.max(1, Math.ceil(intervals.length / MOST_ROWS));
  const parts = Array.from({ length: Math.ceil(intervals.length / seconds) }, (_, i) =>
    intervals.slice(i * seconds, (i + 1) * seconds),
  );
  const sum = (rows: readonly IntervalRow[], count: (row: IntervalRow) => number) =>
    formatCount(rows.reduce((total, row) => total + count(row), 0));
  const longest = (rows: readonly IntervalRow[], time: (row: IntervalRow) => number | undefined) => {
    const times = rows.flatMap((row) => time(row) ?? []);
    return times.length === 0 ? undefined : formatShortDuration(Math.max(...times));
  };
  return table(
    'The run in intervals',
    [{ title: 'From second' }, ...['Sent', 'Succeeded', 'Refused', 'Slowest service', 'Slowest response'].map(number)],
    parts.map((rows) => [
      formatCount(rows[0]?.second ?? 0),
      sum(rows, (row) => row.sent),
      sum(rows, (row) => row.success),
      sum(rows, (row) => row.refused),
      longest(rows, (row) => row.serviceMaxUs),
      longest(rows, (row) => row.responseMaxUs),
    ]),
  );
}

export function generatorTable({ health }: Summary): Markup {
  const lag = lagOf(health.scheduleLag);
  const rows = listed<readonly [string, string]>(
    health.eventLoopP99MaxUs !== undefined && [
      'Event loop delay, worst p99 of a second',
      formatShortDuration(health.eventLoopP99MaxUs),
    ],
    health.eventLoopMaxUs !== undefined && ['Longest standstill', formatShortDuration(health.eventLoopMaxUs)],
    health.lateReads !== undefined && [
      `Answers read late, by up to ${formatShortDuration(health.lateReads.maxUs)}`,
      `${formatCount(health.lateReads.count)} of ${formatCount(health.lateReads.of)}`,
    ],
    lag !== undefined && [`Schedule lag, ${lag.name}`, formatShortDuration(lag.us)],
    health.cpuShareMean !== undefined && [
      `CPU of one core, mean${health.workers === undefined ? '' : ` for each of ${health.workers} workers`}`,
      formatShare(health.cpuShareMean, 1),
    ],
    health.cpuShareMax !== undefined && ['CPU of one core, worst second', formatShare(health.cpuShareMax, 1)],
    health.gcUs !== undefined && ['Garbage collection, total', formatShortDuration(health.gcUs)],
    health.backlogMax !== undefined && ['Records waiting for the disk, max', formatCount(health.backlogMax)],
  );
  return table('The generator', [{ title: 'Measure' }, number('Value')], rows);
}
