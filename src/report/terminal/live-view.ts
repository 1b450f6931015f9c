import { colorsFor } from './colors.ts';
import { liveLines, plainLine } from './live-lines.ts';
import type { LiveState } from './live-state.ts';

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

/** What redraws is loaded only where there is a terminal: it measures text with tables that take long to read. */
export async function liveView(options: LiveViewOptions): Promise<LiveView> {
  return options.isTTY ? redrawnView(options) : plainView(options.stream);
}

async function redrawnView({ stream, columns, color }: LiveViewOptions): Promise<LiveView> {
  const { createLogUpdate } = await import('log-update');
  const log = createLogUpdate(stream);
  const colors = colorsFor(color);
  let finished = false;
  return {
    update(state) {
      if (!finished) log(liveLines(state, columns ?? (stream.columns || 80), colors).join('\n'));
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
