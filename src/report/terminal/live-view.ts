import pc from 'picocolors';
import { liveLines, plainLine } from './live-lines.ts';
import type { LiveState } from './live-state.ts';

interface LiveViewOptions {
  readonly stream: NodeJS.WriteStream;
  /** A terminal is redrawn in place; anything else gets a plain line about every 5 s. */
  readonly isTTY: boolean;
  /** Whether to colour; the caller checks NO_COLOR. */
  readonly color: boolean;
}

export interface LiveView {
  /** Shows a state; the caller decides how often, because report/ has no timers. */
  update(state: LiveState): void;
  /** Removes the redrawn lines, so that the summary takes their place; may be called twice. */
  finish(): void;
}

/** The redrawing library is loaded only for a terminal, because its Unicode width tables are slow to load. */
export async function liveView(options: LiveViewOptions): Promise<LiveView> {
  return options.isTTY ? redrawnView(options) : plainView(options.stream);
}

async function redrawnView({ stream, color }: LiveViewOptions): Promise<LiveView> {
  const { createLogUpdate } = await import('log-update');
  const log = createLogUpdate(stream);
  const colors = pc.createColors(color);
  let finished = false;
  return {
    update(state) {
      if (!finished) log(liveLines(state, stream.columns || 80, colors).join('\n'));
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
