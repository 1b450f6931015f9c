import { operationIds } from '../../api/index.ts';
import type { Distribution, OperationSummary, PercentileName, Summary } from '../../collect/index.ts';
import { formatShortCount, formatShortDuration } from '../formatters.ts';
import type { Colors } from './colors.ts';
import { type LayoutColumn, layOut } from './layout.ts';

const shown = ['p50', 'p90', 'p99'] as const satisfies readonly PercentileName[];
const NOT_TOLD = '–';

/** From this width counts have room for all their digits. */
const WIDE = 100;

/** Per operation: counts, and two lines of percentiles, service time and response time of the successes. */
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
  const head = ['operation', 'count', '2xx', '429', 'err', 'time', ...shown, 'max'].map((title) => colors.bold(title));
  const rows = operationIds.flatMap((id) => {
    const operation = summary.operations[id];
    return operation === undefined ? [] : operationRows(id, operation, count, colors);
  });
  return [
    ...layOut(layout, [head, ...rows]),
    ...layOut([{ width: columns, align: 'left' }], footnotes(summary), { wrap: true }),
  ];
}

function operationRows(
  id: string,
  operation: OperationSummary,
  count: (n: number) => string,
  colors: Colors,
): string[][] {
  const { refused, error, failed, censored } = operation.byOutcome;
  const wrong = error + failed + censored;
  const counts = [
    count(operation.count),
    count(withStatus2xx(operation)),
    refused > 0 ? colors.yellow(count(refused)) : '0',
    wrong > 0 ? colors.red(count(wrong)) : '0',
  ];
  const latency = operation.latency.success;
  return [
    [id, ...counts, 'service', ...times(latency?.service)],
    ['', '', '', '', '', 'response', ...times(latency?.response)],
  ];
}

const withStatus2xx = (operation: OperationSummary): number =>
  Object.entries(operation.statuses).reduce(
    (sum, [status, count]) => (/^2..$|^101$/.test(status) ? sum + count : sum),
    0,
  );

function times(distribution: Distribution | undefined): string[] {
  if (distribution === undefined) return [...shown.map(() => NOT_TOLD), NOT_TOLD];
  return [...shown.map((name) => percentileText(distribution, name)), formatShortDuration(distribution.maxUs)];
}

/** The value, or `–` where the samples cannot carry it. */
export function percentileText(distribution: Distribution, name: PercentileName): string {
  const percentile = distribution.percentiles[name];
  return 'us' in percentile ? formatShortDuration(percentile.us) : NOT_TOLD;
}

/** Why there is a `–`: `– too few samples: p99 (have 12, need 100)`. */
function footnotes(summary: Summary): string[][] {
  const latencies = Object.values(summary.operations).map((operation) => operation.latency.success?.service);
  const reasons = shown.flatMap((name) =>
    tooFew(
      name,
      latencies.flatMap((distribution) => distribution ?? []),
    ),
  );
  const untimed = latencies.includes(undefined) ? ['no times without a success'] : [];
  const all = [...(reasons.length > 0 ? [`too few samples: ${reasons.join(', ')}`] : []), ...untimed];
  return all.length === 0 ? [] : [[`${NOT_TOLD} ${all.join('; ')}`]];
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
