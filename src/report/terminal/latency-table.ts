import { operationIds } from '../../api/index.ts';
import {
  type Distribution,
  failuresIn,
  type OperationSummary,
  type PercentileName,
  type Summary,
} from '../../collect/index.ts';
import { formatShortCount, formatShortDuration } from '../formatters.ts';
import type { Colors } from './colors.ts';
import { type LayoutColumn, layOut } from './layout.ts';

const shown = ['p50', 'p90', 'p99'] as const satisfies readonly PercentileName[];
const NOT_TOLD = '–';

/** From this width counts have room for all their digits. */
const WIDE = 100;

/** Per operation: counts, of which each exchange is in one (a 200 that could not be read is an error), and two lines of percentiles, service time and response time of the successes. */
export function latencyTable(summary: Summary, columns: number, colors: Colors): string[] {
  const wide = columns >= WIDE;
  const numbers: LayoutColumn = { width: wide ? 10 : 5, align: 'right' };
  const time: LayoutColumn = { width: 8, align: 'right' };
  const layout: LayoutColumn[] = [
    { width: 18, align: 'left' },
    ...Array.from({ length: 4 }, () => numbers),
    { width: 9, align: 'right' },
    ...Array.from({ length: shown.length + 1 }, () => time),
  ];
  const count = wide ? String : formatShortCount;
  const head = ['operation', 'count', 'ok', '429', 'err', 'time', ...shown, 'max'].map((title) => colors.bold(title));
  const rows = operationIds.flatMap((id) => {
    const operation = summary.operations[id];
    return operation === undefined ? [] : operationRows(id, operation, count, colors);
  });
  return [
    ...layOut(layout, [head, ...rows]),
    ...layOut([{ width: columns, align: 'left' }], footnotes(summary, wide ? 3 : 1), { wrap: true }),
  ];
}

function operationRows(
  id: string,
  operation: OperationSummary,
  count: (n: number) => string,
  colors: Colors,
): string[][] {
  const { refused } = operation.byOutcome;
  const wrong = failuresIn(operation);
  const counts = [
    count(operation.count),
    count(operation.count - refused - wrong),
    refused > 0 ? colors.yellow(count(refused)) : '0',
    wrong > 0 ? colors.red(count(wrong)) : '0',
  ];
  const latency = operation.latency.success;
  return [
    [id, ...counts, 'service', ...times(latency?.service)],
    ['', '', '', '', '', 'response', ...times(latency?.response)],
  ];
}

function times(distribution: Distribution | undefined): string[] {
  if (distribution === undefined) return [...shown.map(() => NOT_TOLD), NOT_TOLD];
  return [...shown.map((name) => percentileText(distribution, name)), formatShortDuration(distribution.maxUs)];
}

/** The value, or `–` where the samples cannot carry it. */
export function percentileText(distribution: Distribution, name: PercentileName): string {
  const percentile = distribution.percentiles[name];
  return 'us' in percentile ? formatShortDuration(percentile.us) : NOT_TOLD;
}

/**
 * How far up the 90th percentile may really lie, of the operations with most samples: `95 % bounds of p90: sendMessage
 * 4.1 ms to 9.8 ms`. Short, because the files have all of them.
 * @param most operations that are named
 */
function boundsLine(summary: Summary, most: number): string | undefined {
  const bounded = operationIds.flatMap((id) => {
    const service = summary.operations[id]?.latency.success?.service;
    const p90 = service?.percentiles.p90;
    if (service === undefined || p90 === undefined || !('us' in p90)) return [];
    return [{ id, count: service.count, ...p90.bounds }];
  });
  const shown = [...bounded].sort((a, b) => b.count - a.count).slice(0, most);
  if (shown.length === 0) return undefined;
  const method = shown.some((one) => one.method === 'batch-means')
    ? 'stretches of time differ'
    : 'if samples are independent';
  const texts = shown.map(({ id, lowUs, highUs }) => `${id} ${boundsText({ lowUs, highUs })}`);
  return `95 % bounds of p90: ${texts.join(', ')} (${method})`;
}

/** `4.1 ms to 9.8 ms`, `4.1 ms or more`, `too few for any`. */
export function boundsText({
  lowUs,
  highUs,
}: {
  readonly lowUs?: number | undefined;
  readonly highUs?: number | undefined;
}): string {
  if (highUs === undefined) return lowUs === undefined ? 'too few for any' : `${formatShortDuration(lowUs)} or more`;
  return `${lowUs === undefined ? '0' : formatShortDuration(lowUs)} to ${formatShortDuration(highUs)}`;
}

/** Why there is a `–`: `– too few samples: p99 (have 12, need 100)`. */
function footnotes(summary: Summary, most: number): string[][] {
  const latencies = Object.values(summary.operations).map((operation) => operation.latency.success?.service);
  const reasons = shown.flatMap((name) =>
    tooFew(
      name,
      latencies.flatMap((distribution) => distribution ?? []),
    ),
  );
  const untimed = latencies.includes(undefined) ? ['no times without a success'] : [];
  const all = [...(reasons.length > 0 ? [`too few samples: ${reasons.join(', ')}`] : []), ...untimed];
  const bounds = boundsLine(summary, most);
  return [
    ...(all.length === 0 ? [] : [[`${NOT_TOLD} ${all.join('; ')}`]]),
    ...(bounds === undefined ? [] : [[bounds]]),
  ];
}

function tooFew(name: PercentileName, distributions: readonly Distribution[]): string[] {
  const untold = distributions.flatMap(({ percentiles }) =>
    'tooFew' in percentiles[name] ? [percentiles[name].tooFew] : [],
  );
  const [first] = untold;
  if (first === undefined) return [];
  const have = untold.map((percentile) => percentile.have);
  const [least, most] = [Math.min(...have), Math.max(...have)];
  return [`${name} (have ${least === most ? least : `${least} to ${most}`}, need ${first.need})`];
}
