import { createLogUpdate } from 'log-update';
import { formatDuration, type Micros } from '../../base/index.ts';
import type { RefusalCounts } from '../../collect/index.ts';
import { formatCount, formatRate, plural } from '../formatters.ts';
import { inertText } from '../inert-text.ts';
import { type Colors, colorsFor } from './colors.ts';
import { labelled } from './layout.ts';
import { refusalsByLimit } from './summary-sections.ts';

/** How much of a limit is used now. */
interface Use {
  readonly used: number;
  readonly max: number;
}

/** A moment of a run, for people who watch. `run/` makes it from Measurements and the plan. */
export interface LiveState {
  /** What is going on: the name of a phase, `warm-up`, `finishing`. */
  readonly phase: string;
  readonly elapsedUs: Micros;
  /** To the planned end; absent when the plan has none in time. */
  readonly leftUs?: Micros;
  /** Exchanges so far. */
  readonly requests: number;
  /** Exchanges sent per second of the generator's clock, lately. */
  readonly perSecond: number;
  /** Requests admitted in the present minute of the service's clock. */
  readonly minute: Use;
  readonly openTurns: Use;
  /** New messages accepted on the present day of the service's clock. */
  readonly today: Use;
  readonly refused: RefusalCounts;
  /** Neither successes nor 429s. */
  readonly errors: number;
  readonly drops: number;
  /** Service time of answers lately, without regard to how many there were; absent when there was none. */
  readonly service?: { readonly p50Us: Micros; readonly p95Us: Micros };
  readonly warnings: readonly string[];
}

export interface LiveViewOptions {
  readonly stream: NodeJS.WriteStream;
  /** A terminal is redrawn in place; anything else gets a plain line about every 5 s. */
  readonly isTTY: boolean;
  /** Width in characters; default the stream's at each update, else 80. */
  readonly columns?: number;
  /** Whether to colour; the caller looks at NO_COLOR. */
  readonly color: boolean;
}

export interface LiveView {
  /** Shows a moment; the caller decides how often, since this room has no timers. */
  update(state: LiveState): void;
  /** Takes the redrawn lines away, so that the summary can stand there; safe to call twice. */
  finish(): void;
}

export function liveView(options: LiveViewOptions): LiveView {
  return options.isTTY ? redrawnView(options) : plainView(options.stream);
}

function redrawnView({ stream, columns, color }: LiveViewOptions): LiveView {
  const log = createLogUpdate(stream);
  const colors = colorsFor(color);
  let finished = false;
  return {
    update(state) {
      if (!finished) log(liveLines(state, columns ?? stream.columns ?? 80, colors).join('\n'));
    },
    finish() {
      if (finished) return;
      finished = true;
      log.clear();
      log.done();
    },
  };
}

/** Run time between two plain lines. */
const PLAIN_EVERY_US = 5_000_000;

function plainView(stream: NodeJS.WritableStream): LiveView {
  let dueAt = 0;
  return {
    update(state) {
      if (state.elapsedUs < dueAt) return;
      dueAt = state.elapsedUs + PLAIN_EVERY_US;
      stream.write(`${plainLine(state)}\n`);
    },
    finish: () => undefined,
  };
}

const ofMax = ({ used, max }: Use): string => `${formatCount(used)} of ${formatCount(max)}`;

/** The redrawn lines. */
export function liveLines(state: LiveState, columns: number, colors: Colors = colorsFor(false)): string[] {
  const full = (use: Use): string => (use.used >= use.max ? colors.yellow(ofMax(use)) : ofMax(use));
  const left = state.leftUs === undefined ? '' : `, ${formatDuration(state.leftUs)} left`;
  const { service } = state;
  const times = service
    ? `; service time p50 ${formatDuration(service.p50Us)}, p95 ${formatDuration(service.p95Us)}`
    : '';
  const errors = state.errors > 0 ? colors.red(plural(state.errors, 'error')) : '0 errors';
  const rows: (readonly [string, string])[] = [
    [colors.bold(inertText(state.phase, 13)), `${formatDuration(state.elapsedUs)}${left}`],
    ['requests', `${formatCount(state.requests)}, ${formatRate(state.perSecond)}${times}`],
    ['limits', `minute ${full(state.minute)}; open turns ${full(state.openTurns)}; today ${full(state.today)}`],
    ['429s', refusalsByLimit(state.refused)],
    ['trouble', `${errors}, ${plural(state.drops, 'drop')}`],
    ...state.warnings.slice(0, 3).map((warning) => [colors.yellow('warning'), inertText(warning)] as const),
  ];
  return labelled(rows, columns);
}

/** One line for logs: grep and columns of CI output rather than a screen. */
export function plainLine(state: LiveState): string {
  const parts = [
    plural(state.requests, 'request'),
    formatRate(state.perSecond),
    `minute ${ofMax(state.minute)}`,
    `open turns ${ofMax(state.openTurns)}`,
    `today ${ofMax(state.today)}`,
    `429s: ${refusalsByLimit(state.refused)}`,
    ...(state.service
      ? [`p50 ${formatDuration(state.service.p50Us)}`, `p95 ${formatDuration(state.service.p95Us)}`]
      : []),
    ...(state.errors > 0 ? [plural(state.errors, 'error')] : []),
    ...(state.drops > 0 ? [plural(state.drops, 'drop')] : []),
    ...state.warnings.slice(0, 3).map((warning) => `warning: ${inertText(warning)}`),
  ];
  return `${formatDuration(state.elapsedUs)} ${inertText(state.phase, 64)}: ${parts.join(', ')}`;
}
