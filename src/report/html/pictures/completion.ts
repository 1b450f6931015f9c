import { hasOwnSpeed, type NamedHistogram } from '../../../collect/index.ts';
import { formatShortDuration, speedText } from '../../formatters.ts';
import { html, type Markup } from '../markup.ts';
import { axis, gridLines } from './dots.ts';
import { type LogScale, logScale } from './log-scale.ts';

/** A curve has a step for each sample, up to so many. */
const MOST_STEPS = 200;
const HEIGHT = 220;

/** Samples in rising order, by percentile of their own number. */
interface Samples {
  readonly count: number;
  /** Share of all turns that they are: how far up their curve goes. From 0 to 1. */
  readonly share: number;
  at(percent: number): number;
}

interface Curve extends Samples {
  readonly look: 'stream' | 'poll' | 'server' | 'first';
  readonly label: string;
}

type Find = (metric: string, tags: Readonly<Record<string, string>>) => Samples | undefined;

/**
 * The share of all accepted turns that had completed by a time: one curve per way of learning it, and a band where a poll leaves it
 * open. What failed, or was given up, is in the whole and on no curve, else a service that hangs would look quick (cumulative
 * incidence, as of competing risks: Kalbfleisch and Prentice, The Statistical Analysis of Failure Time Data, 8.2).
 * @param accepted turns, the whole
 * @param clockRate service seconds per run second: the service's own word is on its own clock
 */
export function completionPicture(
  histograms: readonly NamedHistogram[],
  accepted: number,
  clockRate: number,
): Markup | undefined {
  // Times may be known of turns whose acceptance was not recorded.
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
<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">${band && html`<path class="band" d="${bandPath(...band, scale)}"/>`}${curves.map((curve) => html`<path class="curve ${curve.look}" d="${curvePath(curve, scale)}"/>`)}</svg></svg>
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
      html`<li><svg class="swatch" width="26" height="16" aria-hidden="true"><line class="curve ${look}" x1="1" x2="25" y1="8" y2="8"/></svg>${label} (${count})</li>`,
  )}${band && html`<li><svg class="swatch" width="26" height="16" aria-hidden="true"><rect class="band" width="26" height="16"/></svg>bounds of the turns seen by polling</li>`}</ul>`;

const description = (curves: readonly Curve[]): string =>
  `Share of turns by time. ${curves.map(({ label, count, at }) => `${label}: half of ${count} within ${formatShortDuration(at(50))}`).join('; ')}`;

/** Time and share of each step, share in percent of all turns. */
function stepsOf({ count, share, at }: Samples): readonly (readonly [us: number, percent: number])[] {
  const steps = Math.min(count, MOST_STEPS);
  return Array.from({ length: steps }, (_, i) => {
    const percent = (100 * (i + 1)) / steps;
    return [at(percent), percent * share] as const;
  });
}

/** From the bottom: across to each step's time, then up to its share. */
function curvePath(samples: Samples, scale: LogScale): string {
  const steps = stepsOf(samples);
  const first = steps[0]?.[0] ?? 1;
  return `M${scale.at(first)} 100${steps.map(([us, percent]) => `H${scale.at(us)}V${round(100 - percent)}`).join('')}`;
}

/** Between the curve of the shortest and that of the longest possible times. */
function bandPath(shortest: Samples, longest: Samples, scale: LogScale): string {
  const back = [...stepsOf(longest)].reverse();
  const down = back.map(([us], i) => `H${scale.at(us)}V${round(100 - (back[i + 1]?.[1] ?? 0))}`);
  return `${curvePath(shortest, scale)}${down.join('')}Z`;
}

const isOfTurns = ({ metric }: NamedHistogram): boolean => metric.startsWith('turn_');

const round = (value: number): number => Number(value.toFixed(2));
