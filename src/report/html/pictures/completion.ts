import { hasOwnSpeed, type NamedHistogram } from '../../../collect/index.ts';
import { formatCount, formatShortDuration, speedText } from '../../formatters.ts';
import { html, Markup } from '../markup.ts';
import { axis, gridLines } from './dots.ts';
import { type LogScale, logScale } from './log-scale.ts';

/** Maximum number of steps of a curve; with fewer samples, one per sample. */
const MOST_STEPS = 200;
const HEIGHT = 220;

/** A distribution and its share of all turns. */
interface Samples {
  readonly count: number;
  /** Samples as a share of all turns, from 0 to 1; the height of the curve. */
  readonly share: number;
  at(percent: number): number;
}

interface Curve extends Samples {
  readonly look: 'stream' | 'poll' | 'server' | 'first';
  readonly label: string;
}

type Find = (metric: string, tags: Readonly<Record<string, string>>) => Samples | undefined;

/**
 * The share of all accepted turns that had completed by a time: one curve per kind of observation, and a band for the uncertainty of
 * polling. Failed and abandoned turns are in the denominator but on no curve; otherwise a service that hangs would look fast
 * (cumulative incidence with competing risks: Kalbfleisch and Prentice, The Statistical Analysis of Failure Time Data, 8.2).
 * @param accepted number of accepted turns, the denominator
 * @param clockRate service seconds per run second, because latencies that the service reports are on its clock
 */
export function completionPicture(
  histograms: readonly NamedHistogram[],
  accepted: number,
  clockRate: number,
): Markup | undefined {
  // There may be times of turns whose acceptance was not recorded.
  const whole = Math.max(accepted, ...histograms.filter(isOfTurns).map(({ distribution }) => distribution.count));
  const find: Find = (metric, tags) => {
    const found = histograms.find(
      (one) => one.metric === metric && Object.entries(tags).every(([name, value]) => one.tags[name] === value),
    );
    const count = found?.distribution.count ?? 0;
    return found && { count, share: count / whole, at: found.at };
  };
  const curves = curvesOf(find, clockRate);
  if (curves.length === 0) return undefined;
  const shortest = find('turn_completion', { by: 'poll', bound: 'shortest' });
  const longest = find('turn_completion', { by: 'poll', bound: 'longest' });
  const band = shortest && longest && ([shortest, longest] as const);
  const scale = logScale([...curves, ...(band ?? [])].flatMap(({ at }) => [at(0.001), at(100)]));
  return html`${legend(curves, band !== undefined)}
<div class="curves"><div class="curves-scale" aria-hidden="true">${[100, 75, 50, 25, 0].map((percent) => html`<span>${percent} %</span>`)}</div>
<svg class="curves-plot" height="${HEIGHT}" role="img" aria-label="${description(curves)}">${gridLines(scale)}${[0, 25, 50, 75, 100].map((y) => html`<line class="grid" x1="0" x2="100%" y1="${y}%" y2="${y}%"/>`)}
<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">${band && html`<path class="band" d="${new Markup(bandPath(...band, scale))}"/>`}${curves.map((curve) => html`<path class="curve ${curve.look}" d="${new Markup(curvePath(curve, scale))}"/>`)}</svg></svg>
${axis(scale)}</div>`;
}

function curvesOf(find: Find, clockRate: number): Curve[] {
  const own = find('turn_server_latency', {});
  const converted = hasOwnSpeed(clockRate);
  const wanted = [
    ['stream', 'seen by stream', find('turn_completion', { by: 'stream', bound: 'observed' })],
    ['poll', 'seen by polling', find('turn_completion', { by: 'poll', bound: 'observed' })],
    [
      'server',
      converted ? `reported by the service, whose clock ran ${speedText(clockRate)}` : 'reported by the service',
      own && { ...own, at: (percent: number) => own.at(percent) / (converted ? clockRate : 1) },
    ],
    ['first', 'first event of the stream', find('turn_first_event', {})],
  ] as const;
  return wanted.flatMap(([look, label, samples]) => (samples ? [{ look, label, ...samples }] : []));
}

const legend = (curves: readonly Curve[], band: boolean): Markup =>
  html`<ul class="legend">${curves.map(
    ({ look, label, count }) =>
      html`<li><svg class="swatch" width="26" height="16" aria-hidden="true"><line class="curve ${look}" x1="1" x2="25" y1="8" y2="8"/></svg>${label} (${formatCount(count)})</li>`,
  )}${band && html`<li><svg class="swatch" width="26" height="16" aria-hidden="true"><rect class="band" width="26" height="16"/></svg>bounds of the turns seen by polling</li>`}</ul>`;

const description = (curves: readonly Curve[]): string =>
  `Share of turns by time. ${curves.map(({ label, count, at }) => `${label}: half of ${formatCount(count)} within ${formatShortDuration(at(50))}`).join('; ')}`;

/** Time of each step, and its share in percent of all turns. */
function stepsOf({ count, share, at }: Samples): readonly (readonly [us: number, percent: number])[] {
  const steps = Math.min(count, MOST_STEPS);
  return Array.from({ length: steps }, (_, i) => {
    const percent = (100 * (i + 1)) / steps;
    return [at(percent), percent * share] as const;
  });
}

/** SVG path of the steps (numbers and letters only, and longer than `html` lets a text be), from the bottom: horizontally to the time of each step, then up to its share. */
function curvePath(samples: Samples, scale: LogScale): string {
  const steps = stepsOf(samples);
  const first = steps[0]?.[0] ?? 1;
  return `M${scale.at(first)} 100${steps.map(([us, percent]) => `H${scale.at(us)}V${round(100 - percent)}`).join('')}`;
}

/** SVG path of the area between the curves of the shortest and the longest possible times. */
function bandPath(shortest: Samples, longest: Samples, scale: LogScale): string {
  const back = stepsOf(longest).toReversed();
  const down = back.map(([us], i) => `H${scale.at(us)}V${round(100 - (back[i + 1]?.[1] ?? 0))}`);
  return `${curvePath(shortest, scale)}${down.join('')}Z`;
}

const isOfTurns = ({ metric }: NamedHistogram): boolean => metric.startsWith('turn_');

const round = (value: number): number => Number(value.toFixed(2));
