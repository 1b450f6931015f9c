import pc from 'picocolors';
import { formatDuration, inertText, listed } from '../../base/index.ts';
import { formatCount, formatRate, plural } from '../formatters.ts';
import { type Colors, labelled } from './layout.ts';
import {
  atMostText,
  beyondPlan,
  finishingText,
  type LimitUse,
  type LivePhase,
  type LiveState,
  progressOf,
  useText,
} from './live-state.ts';
import { refusalsByLimit } from './summary-sections.ts';

type Row = readonly [label: string, text: string];

/** Limits for warnings and phases, so that the output always fits 24 lines. */
const MOST_WARNINGS = 3;
const MOST_PHASES = 4;
/** Long warnings are wrapped, not cut, because the relevant part often comes last. */
const WARNING_CHARACTERS = 120;
const NAME_CHARACTERS = 13;
const LONGEST_BAR = 24;

/** The lines that are redrawn: at most 23, none wider than the terminal. */
export function liveLines(state: LiveState, columns: number, colors: Colors = pc.createColors(false)): string[] {
  const bar = barOf(Math.max(8, Math.min(LONGEST_BAR, columns - 50)), colors);
  const errors = state.errors > 0 ? colors.red(plural(state.errors, 'error')) : '0 errors';
  return labelled(
    [
      ...phaseRows(state, bar),
      [colors.bold('run'), runText(state)],
      ['requests', `${listed(formatCount(state.requests), rateNow(state)).join(', ')}${timesText(state)}`],
      [windowName(state), useWithBar(state.minute, bar)],
      ['open turns', useWithBar(state.openTurns, bar, atMostText)],
      ['UTC day', useWithBar(state.today, bar)],
      ['refused', refusalsByLimit(state.refused)],
      ['problems', listed(errors, plural(state.drops, 'drop'), queueText(state)).join(', ')],
      ...state.warnings
        .slice(0, MOST_WARNINGS)
        .map((warning): Row => [colors.yellow('warning'), inertText(warning, WARNING_CHARACTERS)]),
    ],
    columns,
  );
}

/** The state in one line, for logs. */
export function plainLine(state: LiveState): string {
  const { minute, openTurns, today, service } = state;
  const parts = listed(
    plural(state.requests, 'request'),
    rateNow(state),
    `${windowName(state)} ${useText(minute)}`,
    `open turns ${atMostText(openTurns)}`,
    `UTC day ${useText(today)}`,
    `refused: ${refusalsByLimit(state.refused)}`,
    ...percentilesNow(service),
    state.errors > 0 && plural(state.errors, 'error'),
    state.drops > 0 && plural(state.drops, 'drop'),
    queueText(state),
    ...state.warnings.slice(0, MOST_WARNINGS).map((warning) => `warning: ${inertText(warning)}`),
  );
  const left = state.leftUs === undefined ? beyondPlan(state) : `${formatDuration(state.leftUs)} left`;
  const doing = state.phase === 'finishing' ? finishingText(state) : inertText(state.phase, 64);
  const place = `${doing}${left === undefined ? '' : ` (${left})`}`;
  return `${formatDuration(state.elapsedUs)} ${place}: ${parts.join(', ')}`;
}

/** The phases around the current one, with their progress. */
function phaseRows(state: LiveState, bar: Bar): Row[] {
  const { phases, elapsedUs } = state;
  if (phases.length < 2) return [];
  const present = phases.findLastIndex(({ startUs }) => elapsedUs >= startUs);
  const first = Math.max(0, Math.min(present - 1, phases.length - MOST_PHASES));
  const shown = phases.slice(first, first + MOST_PHASES);
  const hidden = phases.length - shown.length;
  return shown.map((phase, i) => {
    const more = i === shown.length - 1 && hidden > 0 ? `; ${plural(hidden, 'more phase')}` : '';
    return [inertText(phase.name, NAME_CHARACTERS), `${phaseText(phase, state, bar)}${more}`];
  });
}

function phaseText(phase: LivePhase, state: LiveState, bar: Bar): string {
  const { share, text } = progressOf(phase, state);
  return `${bar(share)}  ${text}`;
}

function runText(state: LiveState): string {
  const { phase, phases, elapsedUs, leftUs } = state;
  const left = leftUs === undefined ? '' : `, ${formatDuration(leftUs)} left`;
  if (phase === 'finishing')
    return `${formatDuration(elapsedUs)}, ${listed(beyondPlan(state), finishingText(state)).join('; ')}`;
  return `${formatDuration(elapsedUs)}${left}${phases.length < 2 ? '' : `; now ${inertText(phase, 30)}`}`;
}

const rateNow = ({ perSecond }: LiveState): string | undefined =>
  perSecond === undefined ? undefined : formatRate(perSecond);

const queueText = ({ connectionQueue }: LiveState): string | false =>
  connectionQueue !== undefined && `up to ${plural(connectionQueue, 'request')} waited for a connection`;

function timesText({ service }: LiveState): string {
  const percentiles = percentilesNow(service);
  return percentiles.length === 0 ? '' : `; now ${percentiles.join(', ')}`;
}

const percentilesNow = ({ p50Us, p95Us }: LiveState['service']): string[] =>
  listed(p50Us !== undefined && `p50 ${formatDuration(p50Us)}`, p95Us !== undefined && `p95 ${formatDuration(p95Us)}`);

const windowName = ({ windowUs }: LiveState): string => (windowUs === 60_000_000 ? 'minute' : 'window');

const useWithBar = (use: LimitUse, bar: Bar, text = useText): string =>
  `${bar(use.used / use.max, true)}  ${text(use)}`;

/** @param warns whether a full bar is a warning */
type Bar = (share: number, warns?: boolean) => string;

function barOf(width: number, colors: Colors): Bar {
  return (share, warns = false) => {
    const filled = Math.max(0, Math.min(width, Math.round(share * width)));
    const paint = warns && share >= 1 ? colors.yellow : colors.cyan;
    return `${paint('█'.repeat(filled))}${colors.dim('░'.repeat(width - filled))}`;
  };
}
