import { operationIds } from '../../api/index.ts';
import { listed } from '../../base/index.ts';
import {
  type Distribution,
  failuresIn,
  type OperationSummary,
  type PercentileBounds,
  type PercentileName,
  type Summary,
} from '../../collect/index.ts';
import { formatCount, formatShortCount, formatShortDuration } from '../formatters.ts';
import { percentileOf, percentileText } from '../percentiles.ts';
import { refusalTitle } from '../refusal-titles.ts';
import { type Colors, type LayoutColumn, type Look, layOut, wrapped } from './layout.ts';

/** Where there is room for all, and where there is none for the 95th. */
const [ALL, FEWER] = [
  ['p50', 'p90', 'p95', 'p99'],
  ['p50', 'p90', 'p99'],
] as const satisfies (readonly PercentileName[])[];
const UNKNOWN = '–';

/** From this width on, counts are printed in full, and all percentiles. */
const WIDE = 100;
/** Below this width, times are printed below the counts. */
const SIDE_BY_SIDE = 80;

/**
 * Per operation: counts by outcome (each exchange is in exactly one; an unreadable 200 is an error), and two lines of percentiles, for
 * service time and response time of successes. On a narrow terminal the percentiles are below the counts.
 */
export function latencyTable(summary: Summary, { columns, colors }: Look): string[] {
  const wide = columns >= WIDE;
  const shown = wide ? ALL : FEWER;
  const count = wide ? formatWideCount : formatShortCount;
  const bold = (titles: readonly string[]) => titles.map((title) => colors.bold(title));
  const rows: OperationRows[] = [
    {
      counts: bold(['operation', 'count', 'ok', refusalTitle(summary), 'err']),
      times: [bold(['time', ...shown, 'max'])],
    },
    ...operationIds.flatMap((id) => {
      const operation = summary.operations[id];
      return operation === undefined ? [] : operationRows(id, operation, { shown, count, colors });
    }),
  ];
  return [
    ...(columns < SIDE_BY_SIDE ? belowOneAnother(rows) : sideBySide(rows, wide ? 8 : 5)),
    ...wrapped(footnotes(summary, shown, wide ? 3 : 1), columns),
  ];
}

/** A count of at most 7 characters, which is what the wide table has room for. */
const formatWideCount = (count: number): string => (count < 1_000_000 ? formatCount : formatShortCount)(count);

/** Cells of an operation: one line of counts and two of times. */
interface OperationRows {
  readonly counts: readonly string[];
  readonly times: readonly (readonly string[])[];
}

const NAME: LayoutColumn = { width: 18, align: 'left' };
const countColumns = (width: number): LayoutColumn[] => Array.from({ length: 4 }, () => ({ width, align: 'right' }));
const timeColumns = (rows: readonly OperationRows[]): LayoutColumn[] =>
  (rows[0]?.times[0]?.slice(1) ?? []).map(() => ({ width: 8, align: 'right' }));

function sideBySide(rows: readonly OperationRows[], countWidth: number): string[] {
  const layout = [NAME, ...countColumns(countWidth), { width: 9, align: 'right' } as const, ...timeColumns(rows)];
  const none = ['', '', '', '', ''];
  return layOut(
    layout,
    rows.flatMap(({ counts, times }) => times.map((line, i) => [...(i === 0 ? counts : none), ...line])),
  );
}

function belowOneAnother(rows: readonly OperationRows[]): string[] {
  return rows.flatMap(({ counts, times }) => [
    ...layOut([NAME, ...countColumns(5)], [counts]),
    ...layOut([{ width: 8, align: 'right' }, ...timeColumns(rows)], times),
  ]);
}

interface Cells {
  readonly shown: readonly PercentileName[];
  readonly count: (n: number) => string;
  readonly colors: Colors;
}

function operationRows(id: string, operation: OperationSummary, { shown, count, colors }: Cells): OperationRows {
  const { refused } = operation.byOutcome;
  const wrong = failuresIn(operation);
  const counts = [
    id,
    count(operation.count),
    count(operation.count - refused - wrong),
    refused > 0 ? colors.yellow(count(refused)) : '0',
    wrong > 0 ? colors.red(count(wrong)) : '0',
  ];
  const latency = operation.latency.success;
  return {
    counts,
    times: [
      ['service', ...times(latency?.service, shown)],
      ['response', ...times(latency?.response, shown)],
    ],
  };
}

function times(distribution: Distribution | undefined, shown: readonly PercentileName[]): string[] {
  const longest = distribution === undefined ? UNKNOWN : formatShortDuration(distribution.maxUs);
  return [...shown.map((name) => percentileText(distribution, name)), longest];
}

/**
 * Bounds of the 90th percentile of the operations with the most samples: `95 % bounds of p90: sendMessage 4.1 ms to 9.8 ms`. The files
 * have the bounds of all.
 * @param most maximum number of operations
 */
function boundsLine(summary: Summary, most: number): string | undefined {
  const bounded = operationIds.flatMap((id) => {
    const service = summary.operations[id]?.latency.success?.service;
    const p90 = percentileOf(service, 'p90');
    return service && p90 ? [{ id, count: service.count, bounds: p90.bounds }] : [];
  });
  const shown = bounded.toSorted((a, b) => b.count - a.count).slice(0, most);
  if (shown.length === 0) return undefined;
  const method = shown.some(({ bounds }) => bounds.method === 'batch-means')
    ? 'wider, as latency varies over time'
    : 'assuming independent samples';
  const texts = shown.map(({ id, bounds }) => `${id} ${boundsInWords(bounds)}`);
  return `95 % bounds of p90: ${texts.join(', ')} (${method})`;
}

/** `4.1 ms to 9.8 ms`, `4.1 ms or more`, or why there are none. */
export function boundsInWords({ lowUs, highUs, method }: PercentileBounds): string {
  if (lowUs === undefined && highUs === undefined) return method === 'batch-means' ? 'unknown' : 'too few samples';
  const low = lowUs === undefined ? '0' : formatShortDuration(lowUs);
  return highUs === undefined ? `${low} or more` : `${low} to ${formatShortDuration(highUs)}`;
}

/** Explains `–`: `– too few samples: p99 (have 12, need 100)`; and gives bounds. @param most as of `boundsLine` */
function footnotes(summary: Summary, shown: readonly PercentileName[], most: number): string[] {
  const latencies = Object.values(summary.operations).map((operation) => operation.latency.success?.service);
  const reasons = shown.flatMap((name) =>
    tooFew(
      name,
      latencies.flatMap((distribution) => distribution ?? []),
    ),
  );
  const untimed = latencies.includes(undefined) ? ['no request succeeded'] : [];
  const all = [...(reasons.length > 0 ? [`too few samples: ${reasons.join(', ')}`] : []), ...untimed];
  const bounds = boundsLine(summary, most);
  return listed(all.length !== 0 && `${UNKNOWN} ${all.join('; ')}`, bounds !== undefined && bounds);
}

function tooFew(name: PercentileName, distributions: readonly Distribution[]): string[] {
  const insufficient = distributions.flatMap(({ percentiles }) =>
    'tooFew' in percentiles[name] ? [percentiles[name].tooFew] : [],
  );
  const [first] = insufficient;
  if (first === undefined) return [];
  const have = insufficient.map((percentile) => percentile.have);
  const [least, most] = [Math.min(...have), Math.max(...have)];
  const had = least === most ? formatCount(least) : `${formatCount(least)} to ${formatCount(most)}`;
  return [`${name} (have ${had}, need ${formatCount(first.need)})`];
}
