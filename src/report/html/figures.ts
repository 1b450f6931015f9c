import type { Micros } from '../../base/index.ts';
import { failuresIn, type Summary } from '../../collect/index.ts';
import { formatCount, formatShare, formatShortDuration, openTurnsText, plural } from '../formatters.ts';
import { percentileText } from '../terminal/latency-table.ts';
import { clockWindow } from '../terminal/summary-sections.ts';
import { html, type Markup } from './markup.ts';

/** Whose it is matters only where there were several; `html` makes the label inert. */
const whose = ({ of, among }: { readonly of: string; readonly among: number }): string => (among > 1 ? ` (${of})` : '');

/**
 * What one wants to know before anything else, in figures.
 * @param isRateBroken then no window by the clock says how many were too many
 */
export function figures(summary: Summary, isRateBroken: boolean): Markup {
  const { total, refusals, turns, limits, fullestWindow, fullestDay, drops } = summary;
  const wrong = failuresIn(total);
  const atOnce = turns.open.fullest ?? turns.open;
  const success = total.latency.success;
  const measuredFor = formatShortDuration(Math.max(0, summary.run.durationUs - summary.run.warmUpUs) as Micros);
  const allowed = (max: number | undefined) => (max === undefined ? '' : `; ${formatCount(max)} allowed`);
  const all: (readonly [name: string, value: string, more: string])[] = [
    ['Exchanges', formatCount(total.count), `in ${measuredFor}${summary.run.warmUpUs > 0 ? ' after the warm-up' : ''}`],
    ['Refused (429)', formatCount(refusals.total), formatShare(refusals.total, total.count)],
    ['Errors', formatCount(wrong), drops.total > 0 ? plural(drops.total, 'drop') : 'no drops'],
    ...(success
      ? [
          [
            'Service time p95',
            percentileText(success.service, 'p95'),
            `response time ${percentileText(success.response, 'p95')}`,
          ] as const,
        ]
      : []),
    ...(turns.completion
      ? [
          [
            'Turn completion p90',
            percentileText(turns.completion, 'p90'),
            `of ${plural(turns.completed, 'turn')}${turns.accepted > turns.completed ? `; ${formatCount(turns.accepted - turns.completed)} did not complete` : ''}`,
          ] as const,
        ]
      : []),
    ...(fullestWindow
      ? [
          [
            `Busiest ${clockWindow(fullestWindow.windowUs)}`,
            formatCount(fullestWindow.admitted),
            !isRateBroken && fullestWindow.admitted <= (limits?.rate.max ?? 0)
              ? `requests admitted${allowed(limits?.rate.max)}${whose(fullestWindow)}`
              : `requests admitted${whose(fullestWindow)}; the service's own windows may begin elsewhere`,
          ] as const,
        ]
      : []),
    ...(turns.accepted > 0
      ? [
          [
            'Turns at once',
            openTurnsText(atOnce),
            `${atOnce.maxCertain === atOnce.maxPossible ? 'certain' : 'lower to upper bound'}${allowed(limits?.concurrency.max)}${turns.open.fullest ? whose(turns.open.fullest) : ''}`,
          ] as const,
        ]
      : []),
    ...(fullestDay
      ? [
          [
            'Busiest day',
            formatCount(fullestDay.used),
            `new messages accepted${allowed(limits?.daily.max)}${whose(fullestDay)}`,
          ] as const,
        ]
      : []),
  ];
  return html`<dl class="figures columns-${all.length <= 6 ? all.length : Math.ceil(all.length / 2)}">${all.map(([name, value, more]) => html`<div><dt>${name}</dt><dd><b>${value}</b> <small>${more}</small></dd></div>`)}</dl>`;
}
